package reporttext

import (
	"fmt"
	"strings"
	"testing"

	"parley/timeline"
)

func TestCatalogFacts(t *testing.T) {
	t.Parallel()
	got := fmt.Sprint(catalogFacts(timeline.Catalog{
		Skills: []string{"tidy", "draw"}, Agents: []string{"reviewer"},
		Servers:    []timeline.CatalogItem{{Name: "weather", Status: "connected", Tools: 3}, {Name: "mail", Status: "failed", Error: "no such file\nat all"}},
		Extensions: []timeline.CatalogItem{{Name: "x", Status: "running", Tools: 1}},
	}))
	for _, want := range []string{"[skills tidy, draw]", "[custom agents reviewer]", "[weather connected, 3 tools]", "[mail failed: no such file]", "[ Extensions] [x running, 1 tool]"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	if all := catalogFacts(timeline.Catalog{}); len(all) > 0 {
		t.Errorf("nothing is %v", all)
	}
}
