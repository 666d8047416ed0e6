package secrets

import "testing"

// TestEveryRuleHasASign: no rule of Gitleaks is tried on a text that has nothing
// in it of what the rule looks for, which would be most of the time that a prompt
// takes.
func TestEveryRuleHasASign(t *testing.T) {
	t.Parallel()
	d, err := detector()
	if err != nil {
		t.Fatal(err)
	}
	for id, rule := range d.Config.Rules {
		if rule.Regex != nil && len(rule.Keywords) == 0 {
			t.Errorf("%s is tried on every text: say in unsigned what it matches", id)
		}
	}
	for id := range unsigned {
		if d.Config.Rules[id].Regex == nil {
			t.Errorf("there is no rule %s", id)
		}
	}
}
