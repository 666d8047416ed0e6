package settings_test

import (
	"reflect"
	"strings"
	"testing"

	"parley/settings"
)

// TestAgents: however TOML has a table in a table, it is the same agent.
func TestAgents(t *testing.T) {
	t.Parallel()
	want := settings.Agent{
		URL: "http://127.0.0.1:8080/v1", Kind: "openai", Model: "small", TokenCommand: []string{"pass", "tide"},
		Headers: map[string]string{"X-Team": "tide"}, Options: map[string]any{"temperature": 0.5, "max_tokens": int64(9)},
	}
	for name, text := range map[string]string{
		"tables": "vim = true\n[agents.local]\nurl = \"http://127.0.0.1:8080/v1\"\nmodel = \"small\"\ntoken_command = [\"pass\", \"tide\"]\n" +
			"headers = { X-Team = \"tide\" }\n[agents.local.options]\ntemperature = 0.5\nmax_tokens = 9\n[mouse]\nwheel = false\n",
		"dotted": "vim = true\nmouse.wheel = false\nagents.local.url = \"http://127.0.0.1:8080/v1\"\nagents.local.model = \"small\"\n" +
			"agents.local.token_command = [\"pass\", \"tide\"]\nagents.local.headers.X-Team = \"tide\"\n" +
			"agents.local.options = { temperature = 0.5, max_tokens = 9 }\n",
		"inline": "vim = true\nmouse.wheel = false\n[agents]\nlocal = { url = \"http://127.0.0.1:8080/v1\", model = \"small\", " +
			"token_command = [\"pass\", \"tide\"], headers = { X-Team = \"tide\" }, options = { temperature = 0.5, max_tokens = 9 } }\n",
	} {
		s, err := settings.Load(write(t, text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := s.Agents["local"]; !reflect.DeepEqual(got, want) || len(s.Agents) != 1 || !s.Vim || s.Mouse.Wheel {
			t.Errorf("%s: got %+v", name, s)
		}
		if !valid(t, schema(t), text) {
			t.Errorf("%s: an editor finds a mistake", name)
		}
	}
}

// TestMistakesOfAgents: each is reported with its line and the nearest name, by an
// editor too, and nothing of the file counts.
func TestMistakesOfAgents(t *testing.T) {
	t.Parallel()
	r := schema(t)
	for _, tt := range []struct{ text, want string }{
		{"[agents.x]\nurl = \"https://a\"\nmodell = \"m\"", `line 3: there is no setting "modell" of an agent; did you mean "model"?`},
		{"[agents.x]\nurl = \"https://a\"\nzzzzzz = 1", `line 3: there is no setting "zzzzzz" of an agent; there are url, kind`},
		{"[agents.x]\nkind = \"sse\"", "line 1: agents.x has no url"},
		{"[agents.x]\ncommand = [\"a\"]\nurl = \"https://a\"", "line 3: agents.x is a program: it has no url"},
		{"[agents.x]\nurl = \"https://a\"\nmode = \"plan\"", "line 3: agents.x is no program: mode needs a command"},
		{"[agents.x]\ncommand = []", "line 1: agents.x has an empty command"},
		{"[agents.x]\ncommand = [\"a\"]\nenv = { \"A=B\" = \"c\" }", "agents.x.env.A=B is no variable of an environment"},
		{"[agents.x]\nurl = 7", "line 2: agents.x.url must be a text in quotes, not 7"},
		{"[agents.x]\nurl = \"https://a\"\nkind = \"open\"", `line 3: agents.x.kind is "open", but must be one of openai, sse; did you mean "openai"?`},
		{"[agents.x]\nurl = \"https://a\"\ntoken_command = [1]", "line 3: agents.x.token_command must be a list"},
		{"[agents.x]\nurl = \"https://a\"\nheaders = 3", "line 3: agents.x.headers must be a table"},
		{"[agents.x]\nurl = \"https://a\"\n[agents.x.headers]\nA = 1", "agents.x.headers.A must be a text in quotes"},
		{"[agents.x]\nurl = \"https://a\"\n[agents.x.options]\n\nstream = false", `line 5: agents.x.options cannot have "stream"`},
		{"[agents.demo]\nurl = \"https://a\"", `line 1: "demo" is no name for an agent`},
		{"[agents.\"a b\"]\nurl = \"https://a\"", `line 1: "a b" is no name for an agent`},
		{"vim = false\nagents = 3", "line 2: agents is a table with a table for each agent"},
		{"[agents]\nx = 3", "line 2: agents has a table for each agent"},
	} {
		s, err := settings.Load(write(t, tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) || len(s.Agents) > 0 {
			t.Errorf("%q: %v, want %s", tt.text, err, tt.want)
		}
		if valid(t, r, tt.text) {
			t.Errorf("%q: an editor finds no mistake", tt.text)
		}
	}
	for _, text := range []string{ // which no schema can detect
		"[agents.x]\nurl = \"https://a\"\ntoken_env = \"T\"\ntoken_command = [\"t\"]",
		"[agents.x]\nurl = \"https://a\"\nheaders = { \"A b\" = \"c\" }",
		"[agents.x]\nurl = \"https://a\"\nheaders = { Host = \"c\" }",
		"[agents.x]\nurl = \"https://a\"\nheaders = { A = \"c\\nd: e\" }",
	} {
		if _, err := settings.Load(write(t, text)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
