// Package policy decides about permissions in place of a user: what --allow-tool and
// --allow-all permit, and nothing else.
package policy

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"parley/render/text"
	"parley/session"
	"parley/settings/didyoumean"
)

// The kinds of what a rule can permit, in the words of the runtime's
// permission requests (docs/protocol.md, section 7.1).
const (
	KindShell      = "shell"
	KindWrite      = "write"
	KindRead       = "read"
	KindURL        = "url"
	KindMemory     = "memory"
	kindMCP        = "mcp"
	kindCustomTool = "custom-tool"
	kindPath       = "path"
)

// ruleForms are the forms that --allow-tool takes, for help and errors.
const ruleForms = "shell, shell(COMMAND), shell(COMMAND:*), write, write(PATH), read, url, url(HOST), memory, SERVER, SERVER(TOOL) or TOOL"

// rule is one --allow-tool: what is permitted without a user. Its forms are
// those of the Copilot CLI's permission patterns.
type rule struct {
	kind   string // a kind above; mcp stands for a server or a tool of that name
	name   string // of the server or the tool
	arg    string // "" permits everything of the kind
	prefix bool   // of shell: arg is the beginning of a command
	scheme string // of url
}

// otherNames are what a kind is called elsewhere, or written in capitals. They
// would silently be taken for the name of a server.
var otherNames = map[string]string{
	KindShell: KindShell, KindWrite: KindWrite, KindRead: KindRead, KindURL: KindURL, KindMemory: KindMemory,
	"bash": KindShell, "powershell": KindShell, "sh": KindShell, "exec": KindShell, "command": KindShell, "commands": KindShell,
	"edit": KindWrite, "create": KindWrite, "view": KindRead, "web_fetch": KindURL, "fetch": KindURL, "webfetch": KindURL,
}

// unruled are the kinds that no rule names, because each of them reaches past
// the tools: only --allow-all permits them.
var unruled = []string{
	kindPath, "hook", "workflow", "extension-management", "extension-permission-access", "extension-env-access", kindMCP, kindCustomTool,
}

// parseRule reads one rule. What is no rule is an error that says what would
// be one; nothing is guessed.
func parseRule(s string) (rule, error) {
	wrong := func(why string, a ...any) (rule, error) {
		return rule{}, fmt.Errorf("--allow-tool %q: %s", s, fmt.Sprintf(why, a...))
	}
	name, arg, bracketed := strings.Cut(s, "(")
	if bracketed {
		inner, closed := strings.CutSuffix(arg, ")")
		switch {
		case !closed:
			return wrong("the bracket is not closed")
		case strings.TrimSpace(inner) == "":
			return wrong("there is nothing between the brackets; leave them out to permit everything of %s", name)
		case inner != strings.TrimSpace(inner):
			return wrong("take the blanks off what is between the brackets")
		}
		arg = inner
	}
	switch {
	case name == "":
		return wrong("it is one of %s", ruleForms)
	case strings.ContainsAny(name, " \t\n)"):
		return wrong("that is no rule; a command is written shell(%s)", strings.TrimSpace(name))
	case strings.ContainsAny(name, "*?"):
		return wrong("a name has no wildcards; --allow-all permits everything")
	case text.HasHiddenChars(s):
		return wrong("it holds hidden or control characters")
	case slices.Contains(unruled, strings.ToLower(name)):
		return wrong("no rule permits %s; --allow-all does", name)
	}
	if kind, known := otherNames[strings.ToLower(name)]; known && kind != name {
		return wrong("did you mean %s?", strings.Replace(s, name, kind, 1))
	}
	r, err := newRule(name, arg)
	switch like := kindLike(name); {
	case err != nil && like != "":
		return wrong("%s; did you mean %s?", err, like)
	case err != nil:
		return wrong("%s", err)
	}
	return r, nil
}

// kindLike is the kind that a name may mean that is none, nor that of a tool that agents have; "" for none.
func kindLike(name string) string {
	kinds := []string{KindShell, KindWrite, KindRead, KindURL, KindMemory}
	if slices.Contains(kinds, name) || session.FamilyOf(name) != session.OtherTool {
		return ""
	}
	return didyoumean.Nearest(name, kinds)
}

// newRule makes a rule of a name and an argument; "" is none.
func newRule(name, arg string) (rule, error) {
	switch name {
	case KindShell:
		stem, prefix := strings.CutSuffix(arg, ":*")
		if stem == "" && arg != "" || strings.ContainsRune(stem, '*') {
			return rule{}, errors.New("a * stands at the end only, as in shell(git:*)")
		}
		if stem != strings.TrimSpace(stem) {
			return rule{}, errors.New("take the blanks off what is before the :*")
		}
		return rule{kind: KindShell, arg: stem, prefix: prefix}, nil
	case KindWrite:
		return writeRule(arg)
	case KindRead, KindMemory:
		if arg != "" {
			return rule{}, fmt.Errorf("%s takes no argument", name)
		}
		return rule{kind: name}, nil
	case KindURL:
		return urlRule(arg)
	}
	if strings.ContainsRune(arg, '*') {
		return rule{}, fmt.Errorf("a tool has no wildcards; %s alone permits every tool of that server", name)
	}
	return rule{kind: kindMCP, name: name, arg: arg}, nil
}

// writeRule reads the file of a rule about changes: a name alone, which is that
// of a file anywhere in the session's folder, or a path, which is relative to
// that folder unless it begins at the root. Only the path of a rule that was
// read has a slash.
func writeRule(arg string) (rule, error) {
	clean := path.Clean(arg)
	above := slices.Contains([]string{".", "/", ".."}, clean) || strings.HasPrefix(clean, "../")
	switch {
	case arg == "":
		return rule{kind: KindWrite}, nil
	case arg == "~" || strings.HasPrefix(arg, "~") && strings.Contains(arg, "/"):
		return rule{}, errors.New("a home folder is not looked up here; write it out")
	case strings.ContainsAny(arg, "*?[") || above || strings.HasSuffix(arg, "/"):
		return rule{}, errors.New("it names one file: a name, or a path from the session's folder or from the root")
	case strings.Contains(arg, "/") && !path.IsAbs(arg):
		clean = "./" + clean
	}
	return rule{kind: KindWrite, arg: clean}, nil
}

// urlRule reads the host of an address rule. Without a scheme it means https.
func urlRule(arg string) (rule, error) {
	if arg == "" {
		return rule{kind: KindURL}, nil
	}
	if !strings.Contains(arg, "://") {
		arg = "https://" + arg
	}
	u, err := url.Parse(arg)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
		return rule{}, errors.New("url takes a host, such as url(github.com) or url(http://localhost:8080)")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Path != "" && u.Path != "/":
		return rule{}, errors.New("url takes a host alone, without a user, a path or a query")
	case strings.Contains(strings.TrimPrefix(u.Hostname(), "*."), "*"):
		return rule{}, errors.New("a * stands for subdomains only, as in url(*.github.com)")
	}
	switch host := strings.TrimPrefix(u.Hostname(), "*."); {
	case strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII }):
		return rule{}, errors.New("the host is not plain ASCII; write its xn-- form")
	case !plainHost().MatchString(host):
		return rule{}, errors.New("a host is made of letters, digits, dots and hyphens; it is no IPv6 address")
	}
	return rule{kind: KindURL, scheme: u.Scheme, arg: hostPort(u)}, nil
}

// plainHost is a host that every reader of an address reads alike.
var plainHost = text.Regexp(`^[A-Za-z0-9.-]+$`)

// hostPort is the host of an address in lower case with its port, spelt out.
func hostPort(u *url.URL) string {
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "http":
		port = "80"
	default:
		port = "443"
	}
	return strings.ToLower(u.Hostname()) + ":" + port
}

// file reports whether the rule permits writing a file in a session whose
// folder is dir.
func (r rule) file(name, dir string) bool {
	if r.arg == "" {
		return true
	}
	if dir == "" || name == "" || strings.HasPrefix(name, "~") {
		return false
	}
	if name = path.Clean(name); !path.IsAbs(name) {
		name = path.Join(dir, name)
	}
	switch {
	case path.IsAbs(r.arg):
		return name == r.arg
	case strings.Contains(r.arg, "/"):
		return name == path.Join(dir, r.arg)
	}
	return path.Base(name) == r.arg && strings.HasPrefix(name, strings.TrimSuffix(path.Clean(dir), "/")+"/")
}

// address reports whether the rule permits reaching an address.
func (r rule) address(u *url.URL) bool {
	if r.arg == "" {
		return true
	}
	if !plainHost().MatchString(u.Hostname()) {
		return false
	}
	if sub, wild := strings.CutPrefix(r.arg, "*"); wild {
		return u.Scheme == r.scheme && strings.HasSuffix(hostPort(u), sub)
	}
	return u.Scheme == r.scheme && hostPort(u) == r.arg
}

// Policy decides about permissions in a user's place: it permits what the
// command line does, and nothing else.
type Policy struct {
	rules []rule
	all   bool   // --allow-all
	dir   string // the session's folder, absolute
}

// New reads the rules of a command line.
func New(texts []string, all bool, dir string) (Policy, error) {
	p := Policy{all: all, dir: filepath.ToSlash(dir)}
	for _, text := range texts {
		r, err := parseRule(text)
		if err != nil {
			return Policy{}, err
		}
		p.rules = append(p.rules, r)
	}
	return p, nil
}

// Doubts say which rules permit a tool or a server and may be meant to permit a kind. A tool or a server can have
// such a name, so that they are rules all the same.
func (p Policy) Doubts() (all []string) {
	for _, r := range p.of(kindMCP) {
		if like := kindLike(r.name); like != "" {
			all = append(all, fmt.Sprintf("--allow-tool %s permits a tool or a server of that name; did you mean %s?", r.name, like))
		}
	}
	return all
}

// of returns the rules of a kind.
func (p Policy) of(kind string) []rule {
	return slices.DeleteFunc(slices.Clone(p.rules), func(r rule) bool { return r.kind != kind })
}

// Permits decides about a request. What is not permitted comes with what is
// lacking, in words that fit after "because". With a danger mark (docs/decisions.md
// 7) or with two forms that differ no rule permits it. Where a user
// of the organisation must approve, nothing on the command line does.
func (p Policy) Permits(r session.PermissionRequested) (ok bool, lack string) {
	lack = p.lacks(readRequest(r))
	return lack == "", lack
}

// lacks is what a request lacks to be permitted; "" for nothing.
func (p Policy) lacks(w request) string {
	switch {
	case w.managed:
		return "your organisation requires a user to approve it"
	case p.all:
		return ""
	case w.danger != "":
		return w.danger + ", and only --allow-all permits that"
	}
	switch w.kind {
	case KindShell:
		return p.lacksShell(w)
	case KindWrite:
		return p.lacksWrite(w)
	case KindURL:
		return p.lacksURL(w)
	case KindRead, KindMemory:
		return p.lacksRule(w.kind, w.kind, func(rule) bool { return true })
	case kindMCP:
		return p.lacksRule(kindMCP, named(w.server, w.tool), func(r rule) bool {
			return w.server != "" && r.name == w.server && (r.arg == "" || r.arg == w.tool)
		})
	case kindCustomTool:
		return p.lacksRule(kindMCP, text.SanitizeLine(w.tool), func(r rule) bool {
			return w.tool != "" && r.name == w.tool && r.arg == ""
		})
	case kindPath:
		return "it reaches outside the folders the agent may use, and only --allow-all permits that"
	}
	return "only --allow-all permits requests of the kind " + text.SanitizeLine(strconv.Quote(w.kind))
}

// lacksRule is what is lacking unless a rule of the kind permits what is named.
func (p Policy) lacksRule(kind, what string, permits func(rule) bool) string {
	if slices.ContainsFunc(p.of(kind), permits) {
		return ""
	}
	return "no --allow-tool permits " + what
}

// lacksWrite decides about a change: every file in it must be permitted.
func (p Policy) lacksWrite(w request) string {
	for _, f := range w.files {
		if lack := p.lacksRule(KindWrite, named(KindWrite, f), func(r rule) bool { return r.file(f, p.dir) }); lack != "" {
			return lack
		}
	}
	if len(w.files) == 0 {
		return p.lacksRule(KindWrite, KindWrite, func(r rule) bool { return r.arg == "" })
	}
	return ""
}

// lacksURL decides about an address: each that is reached must be permitted,
// also one that only leads to another.
func (p Policy) lacksURL(w request) string {
	for _, address := range w.addresses {
		u, err := url.Parse(address)
		if err != nil || u.Hostname() == "" || u.User != nil {
			return "its address cannot be read, and only --allow-all permits that"
		}
		if lack := p.lacksRule(KindURL, named(KindURL, u.Scheme+"://"+u.Host), func(r rule) bool { return r.address(u) }); lack != "" {
			return lack
		}
	}
	if len(w.addresses) == 0 {
		return "it names no address, and only --allow-all permits that"
	}
	return ""
}

// named writes a rule as one would type it, made safe.
func named(kind, arg string) string {
	return text.SanitizeLine(fmt.Sprintf("'%s(%s)'", kind, strings.ReplaceAll(arg, "\n", " ")))
}
