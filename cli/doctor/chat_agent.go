package doctor

import (
	"fmt"
	"maps"
	"slices"

	"parley/cli/agents"
	"parley/settings"
	"parley/settings/environ"
)

// chatFacts are about a chat agent that the settings name. It is not asked: that
// would reach the network.
type chatFacts struct {
	name, address string
	token         string // where its token comes from; "" if it gets none
	noToken       string // why there is none to be had
	trouble       string // why it cannot be used
}

// lookChats finds out about the chat agents of the settings. The programs that
// print their tokens are looked for and not run.
func lookChats(named map[string]settings.Agent, env []string) []chatFacts {
	all := make([]chatFacts, 0, len(named))
	for _, name := range slices.Sorted(maps.Keys(named)) {
		a, f := named[name], chatFacts{name: name}
		config, err := agents.ChatConfig(a, env)
		shown, wrong := config.Check()
		switch {
		case err != nil:
			f.trouble = err.Error()
		case wrong != nil:
			f.trouble = wrong.Error()
		}
		f.address = a.Kind + ":" + shown
		switch {
		case a.TokenEnv != "":
			f.token = a.TokenEnv
			if environ.Get(env, a.TokenEnv) == "" {
				f.noToken = "the variable " + a.TokenEnv + " is not set"
			}
		case len(a.TokenCommand) > 0:
			f.token = a.TokenCommand[0]
			if _, err := lookPath(env, f.token); err != nil {
				f.noToken = f.token + " was not found"
			}
		}
		all = append(all, f)
	}
	return all
}

// chatFindings judge the chat agents of the settings.
func chatFindings(chats []chatFacts) (all findings) {
	for _, c := range chats {
		switch {
		case c.trouble != "":
			all.problem(c.name, c.trouble, fmt.Sprintf("Correct [agents.%s] in settings.toml.", c.name), false)
		case c.noToken != "":
			all.note(c.name, c.address+", but "+c.noToken, "Provide its token, or name another variable with --token-env.")
		case c.token != "":
			all.ok(c.name, c.address+", with a token from "+c.token)
		default:
			all.ok(c.name, c.address)
		}
	}
	return all
}
