package settings

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"parley/settings/tomlfile"
)

// Agent is an agent that the user has named: the table [agents.NAME]. What each
// of its settings may be is in AgentTable.
type Agent struct {
	URL  string `json:"url,omitzero" toml:"url,omitempty"`
	Kind string `json:"kind,omitzero" toml:"kind,omitempty"` // sse or openai; "" with a Command
	// Command is a program that speaks the Agent Client Protocol, with its arguments. It
	// has no URL then.
	Command []string `json:"command,omitzero" toml:"command,omitempty"`
	// Env are variables of its environment, beside those of Parley's own.
	Env map[string]string `json:"env,omitzero" toml:"env,inline,omitempty"`
	// Mode is the agent's own that sessions begin in; "" leaves it to the agent.
	Mode string `json:"mode,omitzero" toml:"mode,omitempty"`
	// Model is the one to ask for; "" is the first that there is.
	Model string `json:"model,omitzero" toml:"model,omitempty"`
	// TokenEnv is a variable that holds the token.
	TokenEnv string `json:"token_env,omitzero" toml:"token_env,omitempty"`
	// TokenCommand is a program with its arguments that prints it.
	TokenCommand []string `json:"token_command,omitzero" toml:"token_command,omitempty"`
	// TokenHeader is bearer or github; "" is what fits the kind.
	TokenHeader string `json:"token_header,omitzero" toml:"token_header,omitempty"`
	// Headers go along with each request.
	Headers map[string]string `json:"headers,omitzero" toml:"headers,inline,omitempty"`
	// Options are of chat completions, such as temperature.
	Options map[string]any `json:"options,omitzero" toml:"options,inline,omitempty"`
}

// agentsTable is the table that holds a table for each agent.
const agentsTable = "agents"

// Kinds of the settings of an agent, in addition to those of Table.
const (
	Pairs     Kind = "pairs"     // headers: a map[string]string
	Variables Kind = "variables" // of an environment: a map[string]string
	Values    Kind = "values"    // any values by name: a map[string]any
)

// AgentTable returns the settings of a named agent, by their names in its table,
// in the order in which they are documented.
func AgentTable() []Setting {
	rows := []Setting{
		{
			Name: "url", Kind: Text, Title: "Where the agent is",
			Long: "For `sse` it is the address that prompts are posted to, for `openai` the one before `/chat/completions`, " +
				"such as `http://127.0.0.1:11434/v1`. An agent has a `url` or a `command`.",
		},
		{
			Name: "kind", Kind: Word, Words: []string{"openai", "sse"}, Default: "openai", Title: "How the agent is spoken to",
			Long: "`openai` is every endpoint for chat completions. `sse` is a chat agent with confirmations, errors and references.",
		},
		{
			Name: "command", Kind: List, Title: "The program of an agent that speaks the Agent Client Protocol",
			Long: "With its arguments, such as `[\"gemini\", \"--acp\"]`. It is found as a shell finds it, and no shell runs it. " +
				"Beside it there are `env`, `mode` and `model` only.",
		},
		{
			Name: "env", Kind: Variables, Title: "Variables of the environment of the program",
			Long: "A table of texts, such as `{ \"GEMINI_MODEL\" = \"gemini-2.5-pro\" }`. The others are those that Parley has.",
		},
		{
			Name: "mode", Kind: Text, Title: "The mode that sessions begin in",
			Long: "One of the agent's own, which `/mode` lists. Of an agent with a `command` only.",
		},
		{
			Name: "model", Kind: Text, Title: "The model to ask for",
			Long: "Without it, the first that the endpoint lists, or the choice of the program. Of `openai` and of a `command`.",
		},
		{
			Name: "token_env", Kind: Text, Title: "The variable of the environment that holds the token",
			Long: "The token goes over https or to this computer only, and is kept nowhere.",
		},
		{
			Name: "token_command", Kind: List, Title: "A program with its arguments that prints the token",
			Long: "It is run when the first request is made, and again when the agent does not accept what it printed.",
		},
		{
			Name: "token_header", Kind: Word, Words: []string{"bearer", "github"}, Title: "How the token is sent",
			Long: "`bearer` is `Authorization: Bearer`, `github` is `X-GitHub-Token`. Without it, that is what `sse` gets and the other " +
				"what `openai` gets.",
		},
		{
			Name: "headers", Kind: Pairs, Title: "Headers that go along with each request",
			Long: "A table of texts, such as `{ \"X-Team\" = \"tide\" }`.",
		},
		{
			Name: "options", Kind: Values, Title: "What else a request says",
			Long: "A table of any values, such as `{ temperature = 0.2, max_tokens = 2000, reasoning_effort = \"low\" }`. " +
				"Of `openai` only.",
		},
	}
	for i := range rows {
		rows[i].When = NextStart
	}
	return rows
}

// ofPrograms are the settings of an agent that is a program.
func ofPrograms() []string { return []string{"command", "env", "mode", "model"} }

// AgentsTOML is named agents as a file of settings has them.
func AgentsTOML(named map[string]Agent) (string, error) {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(named)) {
		text, err := toml.Marshal(named[name])
		if err != nil {
			return "", fmt.Errorf("write the agent %s: %w", name, err)
		}
		fmt.Fprintf(&b, "[%s.%s]\n%s", agentsTable, name, text)
	}
	return b.String(), nil
}

// ReservedOptions are no options of an agent: a request says them anyway.
func ReservedOptions() []string { return []string{"messages", "model", "stream", "n"} }

// agents reads the tables of the agents. They are decoded as a whole: TOML has
// many ways to write a table within a table.
func (r *reader) agents(file *tomlfile.File) {
	value, there := file.Values[agentsTable]
	if !there {
		return
	}
	all, ok := value.(map[string]any)
	if !ok {
		r.wrong(file.Line(agentsTable), "agents is a table with a table for each agent: write [agents.NAME]")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		line := file.Line(agentsTable, name)
		table, ok := all[name].(map[string]any)
		switch {
		case !ok:
			r.wrong(line, "agents has a table for each agent: write [agents.NAME], and %q below it", clip(name))
			continue
		case !agentName(name):
			r.wrong(line, "%q is no name for an agent: letters, digits, - and _, and neither copilot nor demo", clip(name))
			continue
		}
		a, ok := r.agent(file, name, table)
		if ok {
			if r.settings.Agents == nil {
				r.settings.Agents = map[string]Agent{}
			}
			r.settings.Agents[name] = a
		}
	}
}

// agentName reports whether an agent can be called so: it is not another's name,
// and nothing that --agent reads otherwise.
func agentName(name string) bool {
	plain := !strings.ContainsFunc(name, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_'
	})
	return name != "" && plain && name != "copilot" && name != "demo"
}

// agent reads the table of one agent; not ok where something is wrong in it.
func (r *reader) agent(file *tomlfile.File, name string, table map[string]any) (a Agent, ok bool) {
	before := len(r.found)
	a = Agent{Kind: "openai"}
	rows := AgentTable()
	for _, key := range slices.Sorted(maps.Keys(table)) {
		line := file.Line(agentsTable, name, key)
		i := slices.IndexFunc(rows, func(s Setting) bool { return s.Name == key })
		if i < 0 {
			next := cmp.Or(meant(key, names(rows)), "; there are "+words(names(rows)))
			r.wrong(line, "there is no setting %q of an agent%s", clip(key), next)
			continue
		}
		s, value := rows[i], plainValue(table[key])
		s.Name = agentsTable + "." + name + "." + key
		if why := s.Check(value); why != "" {
			r.wrong(line, "%s", why)
			continue
		}
	}
	if text, err := toml.Marshal(table); err != nil || toml.Unmarshal(text, &a) != nil {
		return a, false // something of it was wrong
	}
	line := file.Line(agentsTable, name)
	_, program := table["command"]
	r.fitting(file, name, table, program)
	switch {
	case program && len(a.Command) == 0 && len(r.found) == before:
		r.wrong(line, "agents.%s has an empty command", name)
	case program:
		a.Kind = ""
	case a.URL == "" && len(r.found) == before:
		r.wrong(line, "agents.%s has no url, and no command either", name)
	}
	if a.TokenEnv != "" && len(a.TokenCommand) > 0 {
		r.wrong(line, "agents.%s has both token_env and token_command: leave one of them out", name)
	}
	for _, option := range ReservedOptions() {
		if _, there := a.Options[option]; there {
			r.wrong(file.Line(agentsTable, name, "options", option),
				"agents.%s.options cannot have %q: each request says that by itself", name, option)
		}
	}
	return a, len(r.found) == before
}

// fitting checks that an agent that is a program, and one that is not, has its own settings only.
func (r *reader) fitting(file *tomlfile.File, name string, table map[string]any, program bool) {
	for _, key := range slices.Sorted(maps.Keys(table)) {
		switch beside := slices.Contains(ofPrograms(), key); {
		case program && !beside:
			r.wrong(file.Line(agentsTable, name, key), "agents.%s is a program: it has no %s", name, key)
		case !program && beside && key != "model":
			r.wrong(file.Line(agentsTable, name, key), "agents.%s is no program: %s needs a command", name, key)
		}
	}
}

// plainValue is a decoded value as Check takes it.
func plainValue(v any) any {
	switch v := v.(type) {
	case int64:
		return int(v)
	case []any:
		list := make([]string, len(v))
		for i, item := range v {
			text, ok := item.(string)
			if !ok {
				return notValue(fmt.Sprint(v...))
			}
			list[i] = text
		}
		return list
	case string, bool, map[string]any:
		return v
	}
	return notValue(fmt.Sprint(v))
}

// checkTable says why a value is no table of a kind; "" if it is one.
func (s Setting) checkTable(value any) string {
	table, ok := value.(map[string]any)
	if !ok {
		return fmt.Sprintf("%s must be a table, such as { name = ... }, not %s", s.Name, valueText(value))
	}
	if s.Kind == Values {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		text, ok := table[name].(string)
		switch {
		case !ok:
			return fmt.Sprintf("%s.%s must be a text in quotes", s.Name, clip(name))
		case s.Kind == Variables && (name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(text, "\x00")):
			return fmt.Sprintf("%s.%s is no variable of an environment", s.Name, clip(name))
		case s.Kind == Pairs && (!headerName(name) || strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f })):
			return fmt.Sprintf("%s.%s is no header of a request", s.Name, clip(name))
		}
	}
	return ""
}

// headerName reports whether a name is a token (RFC 9110, section 5.6.2) and no
// header that Parley sets itself.
func headerName(name string) bool {
	const marks = "!#$%&'*+-.^_`|~"
	for _, c := range name {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune(marks, c) {
			return false
		}
	}
	switch strings.ToLower(name) {
	case "", "host", "content-length", "content-type", "accept", "transfer-encoding", "connection":
		return false
	}
	return true
}

// agentsSchema is the JSON Schema of the agents.
func agentsSchema() object {
	properties := object{}
	for _, s := range AgentTable() {
		properties[s.Name] = s.schema()
	}
	if command, ok := properties["command"].(object); ok {
		command["minItems"] = 1
	}
	program, endpoint := object{}, object{}
	for name, p := range properties {
		if slices.Contains(ofPrograms(), name) {
			program[name] = p
		}
		if name == "model" || !slices.Contains(ofPrograms(), name) {
			endpoint[name] = p
		}
	}
	of := func(properties object, needs string) object {
		one := closed(properties)
		one["required"] = []string{needs}
		return one
	}
	return object{
		"type": "object", "title": "agents that you name, for --agent NAME",
		"propertyNames":        object{"pattern": "^[A-Za-z0-9_-]+$", "not": object{"enum": []string{"copilot", "demo"}}},
		"additionalProperties": object{"anyOf": []object{of(endpoint, "url"), of(program, "command")}},
	}
}
