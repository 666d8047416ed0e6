package tui_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// module is the import path of the repository's root.
const module = "parley"

// mayImport is the dependency order of ARCHITECTURE.md section 2: each package
// of ours and the packages of ours that it may import. "." is the root. A
// package without a row fails, so that a new one is a decision.
var mayImport = map[string][]string{
	".":                        {"cli", "cli/process"},
	"cli":                      {"cli/agents", "cli/arguments", "cli/chat", "cli/config", "cli/doctor", "cli/headless", "cli/mcp", "cli/observe", "cli/output", "cli/policy", "cli/print", "cli/process", "cli/report", "cli/sessions", "render/text", "settings/didyoumean", "settings/mcpfile", "tui/keymap"},
	"cli/agents":               {"cli/process", "settings/didyoumean", "history/sessions", "session", "session/acp", "session/copilot", "session/demo", "session/local", "session/replay", "session/sse", "settings", "settings/environ"},
	"cli/arguments":            {"settings/didyoumean"},
	"cli/chat":                 {"cli/agents", "cli/config", "cli/doctor", "cli/headless", "cli/mcp", "cli/observe", "cli/process", "cli/report", "history/sessions", "render/text", "session", "session/replay", "settings", "theme", "tui", "settings/environ"},
	"cli/clitest":              {"cli/output", "cli/process", "session/sessiontest"},
	"cli/config":               {"settings/environ", "cli/arguments", "cli/output", "cli/process", "render/text", "settings", "theme", "tui", "tui/keymap"},
	"cli/doctor":               {"settings/environ", "cli/agents", "cli/config", "cli/output", "cli/process", "history/sessions", "render/text", "session/copilot", "settings", "terminal", "terminal/handover", "theme", "tui", "tui/widget", "session/processgroup"},
	"cli/headless":             {"cli/agents", "cli/observe", "cli/output", "cli/policy", "cli/process", "render", "render/text", "session", "settings", "theme", "timeline"},
	"cli/mcp":                  {"cli/agents", "cli/arguments", "cli/output", "cli/process", "render/diff", "render/text", "session", "settings/environ", "settings/mcpfile", "terminal/handover", "tui/widget", "session/processgroup"},
	"cli/observe":              {"cli/agents", "cli/process", "session", "session/copilot", "session/observe", "session/trace", "telemetry", "settings/environ", "render/text"},
	"cli/output":               {"cli/process", "session", "terminal", "theme", "settings/environ"},
	"cli/policy":               {"cli/process", "render/text", "session", "settings/didyoumean"},
	"cli/print":                {"cli/config", "cli/output", "cli/process", "render", "session", "session/modelview", "settings", "theme", "timeline"},
	"cli/process":              {"render/text", "session", "settings"},
	"cli/report":               {"settings/environ", "cli/agents", "cli/doctor", "cli/output", "cli/process", "render/text", "session", "session/trace", "settings", "terminal", "theme", "tui", "tui/files", "tui/keymap", "history/prompts"},
	"cli/sessions":             {"settings/environ", "cli/agents", "cli/arguments", "cli/config", "cli/output", "cli/print", "cli/process", "history/secrets", "history/sessions", "render", "render/text", "session", "theme", "timeline", "tui/files", "tui/widget"},
	"e2e":                      {},
	"tui":                      {"history/drafts", "history/secrets", "history/sessions", "prompts", "prompts/consent", "render/text", "session", "settings", "terminal", "terminal/handover", "terminal/lines", "theme", "tui/appearance", "tui/browser", "tui/composer", "tui/conversation", "tui/keymap", "tui/narrator", "tui/overlay", "tui/picker", "tui/settingslist", "tui/status", "tui/transcript", "tui/widget"},
	"tui/conversation":         {"history/drafts", "history/prompts", "history/secrets", "history/sessions", "prompts", "prompts/consent", "render", "render/text", "session", "session/modelview", "session/trace", "settings", "settings/didyoumean", "settings/mcpfile", "settings/promptfile", "terminal", "terminal/handover", "theme", "timeline", "tui/browser", "tui/composer", "tui/details", "tui/export", "tui/files", "tui/inspector", "tui/keymap", "tui/navigation", "tui/overlay", "tui/panel", "tui/picker", "tui/reporttext", "tui/settingslist", "tui/status", "tui/transcript", "tui/viewer", "tui/widget"},
	"tui/appearance":           {"render/text", "terminal", "theme", "tui/overlay", "tui/picker", "tui/widget"},
	"tui/browser":              {"editor", "history/secrets", "history/sessions", "prompts/consent", "render", "render/text", "session", "theme", "timeline", "tui/files", "tui/keymap", "tui/overlay", "tui/search", "tui/transcript", "tui/widget"},
	"tui/composer":             {"editor", "history/drafts", "history/mentions", "history/prompts", "render/text", "session", "settings/environ", "theme", "tui/files", "tui/keymap", "tui/widget"},
	"tui/files":                {"settings/environ"},
	"tui/keymap":               {"settings/didyoumean", "editor", "settings", "theme"},
	"tui/narrator":             {"render", "render/text", "session", "timeline"},
	"tui/navigation":           {"render", "render/diff", "render/text", "session", "theme", "timeline", "tui/export", "tui/keymap", "tui/overlay", "tui/picker", "tui/search", "tui/transcript", "tui/viewer", "tui/widget"},
	"tui/overlay":              {"render", "session", "theme", "tui/keymap", "tui/widget"},
	"tui/settingslist":         {"settings", "tui/overlay", "tui/picker", "tui/widget"},
	"tui/status":               {"render/text", "session", "settings", "theme", "timeline", "tui/widget", "session/processgroup"},
	"tui/picker":               {"editor", "prompts/consent", "render/text", "theme", "tui/keymap", "tui/overlay", "tui/widget"},
	"tui/panel":                {"editor", "render", "theme", "tui/keymap", "tui/overlay", "tui/widget", "render/text"},
	"tui/details":              {"editor", "render", "theme", "timeline", "tui/keymap", "tui/overlay", "tui/widget", "render/text"},
	"tui/inspector":            {"render", "session", "session/modelview", "theme", "timeline", "tui/keymap", "tui/overlay", "tui/panel", "tui/widget", "render/text"},
	"tui/viewer":               {"render/diff", "render/text", "theme", "timeline", "tui/files", "tui/keymap", "tui/overlay", "tui/widget"},
	"tui/reporttext":           {"render/text", "session", "settings", "settings/environ", "theme", "timeline", "tui/keymap", "tui/panel", "tui/widget"},
	"tui/export":               {"history/secrets", "prompts/consent", "render", "render/text", "session", "theme", "timeline", "tui/files", "tui/panel", "tui/widget"},
	"tui/search":               {"editor", "render", "render/text", "theme", "timeline", "tui/keymap", "tui/transcript", "tui/widget"},
	"tui/transcript":           {"history/drafts", "render", "render/text", "session", "terminal", "theme", "timeline", "tui/files", "tui/widget"},
	"tui/widget":               {"render/text", "theme", "tui/files"},
	"terminal":                 {"settings/environ", "render/text", "settings", "theme"},
	"terminal/handover":        {"settings/environ", "terminal"},
	"terminal/lines":           {"render/text", "terminal"},
	"terminal/terminaltest":    {},
	"editor":                   {"render/text", "session", "theme", "history/drafts"},
	"history/drafts":           {"history/exactjson", "history/lock", "session"},
	"history/exactjson":        {"session"},
	"history/mentions":         {"session"},
	"history/prompts":          {"history/drafts", "history/exactjson", "history/lock", "history/mentions", "history/secrets", "session"},
	"history/lock":             {},
	"history/secrets":          {},
	"history/sessions":         {"settings/didyoumean", "history/lock", "session", "timeline", "settings/environ"},
	"history/sessions/fake":    {"history/sessions", "session"},
	"settings":                 {"settings/didyoumean", "settings/tomlfile", "settings/environ"},
	"prompts":                  {"editor", "history/exactjson", "history/mentions", "prompts/consent", "prompts/schema", "render", "render/diff", "render/text", "session", "theme", "timeline"},
	"prompts/schema":           {"render/text", "session"},
	"prompts/consent":          {},
	"render":                   {"render/diff", "render/lru", "render/syntax", "render/text", "session", "session/modelview", "theme", "timeline"},
	"render/diff":              {"render/lru", "render/patch", "render/syntax", "render/text", "theme", "timeline"},
	"render/lru":               {},
	"render/patch":             {"render/text"},
	"render/syntax":            {"render/text", "theme"},
	"render/text":              {"theme"},
	"render/text/texttest":     {},
	"timeline":                 {"render/patch", "render/text", "session"},
	"theme":                    {"settings/didyoumean", "settings/tomlfile"},
	"session":                  {},
	"session/copilot":          {"settings/environ", "settings/mcpfile", "settings/promptfile", "session", "session/processgroup"},
	"session/demo":             {"session", "session/local", "session/modelview", "session/processgroup"},
	"session/local":            {"session", "session/modelview"},
	"session/modelview":        {"session"},
	"session/observe":          {"session", "session/trace"},
	"telemetry":                {"session", "session/observe"},
	"docs/generate":            {},
	"packaging":                {},
	"packaging/archive":        {},
	"session/processgroup":     {},
	"session/replay":           {"session", "session/local"},
	"session/acp":              {"session", "session/local", "settings/environ", "session/processgroup"},
	"session/sse":              {"session", "session/local", "session/modelview"},
	"session/trace":            {"session"},
	"session/sessiontest":      {"session"},
	"session/sessiontest/chat": {},
	"session/sessiontest/llm":  {},
	"session/sessiontest/otlp": {},
	"settings/didyoumean":      {},
	"settings/mcpfile":         {"history/secrets", "settings", "settings/environ"},
	"settings/promptfile":      {"settings/environ", "settings/mcpfile"},
	"settings/tomlfile":        {},
	"settings/environ":         {},
}

// testSupport may be imported by any test, and by nothing else.
var testSupport = []string{"cli/clitest", "render/text/texttest", "history/sessions/fake", "session/sessiontest", "session/sessiontest/chat", "session/sessiontest/llm", "session/sessiontest/otlp", "terminal/terminaltest"}

// testsMayImport is what the tests of a package may import in addition: the decisions
// about events are held to every projection of them, what the model sees to what
// the runtime sends, and every key to agents that play a whole session.
var testsMayImport = map[string][]string{"tui/appearance": {"settings"}, "cli": {"settings"}, "cli/headless": {"session/demo"}, "cli/observe": {"session/demo", "render/text"}, "docs/generate": {"cli", "cli/process", "history/sessions", "prompts", "session", "session/modelview", "settings", "theme", "timeline", "tui/keymap", "tui/status"}, "e2e": {"cli", "settings/environ", "cli/agents", "cli/observe", "cli/process", "history/sessions", "render", "session", "session/demo", "session/sse", "settings", "theme", "timeline", "tui", "tui/keymap"}, "session/acp": {"history/sessions"}, "session/copilot": {"history/sessions", "session/modelview"}, "session/sse": {"history/sessions"}, "tui": {"render", "session/demo", "session/replay", "settings/mcpfile", "timeline", "tui/export", "tui/navigation", "tui/panel", "tui/reporttext", "tui/viewer"}, "tui/browser": {"settings"}, "tui/inspector": {"settings"}, "tui/search": {"session", "settings"}}

// libraries says which packages may import which module outside the standard
// library; the longest matching prefix counts. "test" stands for every test.
// A module without a row fails.
var libraries = map[string][]string{
	"charm.land/bubbletea/v2":                {"terminal", "tui", "tui/appearance", "tui/browser", "tui/keymap", "tui/overlay", "tui/picker", "tui/transcript", "tui/widget", "prompts", "editor", "tui/panel", "tui/details", "tui/inspector", "tui/viewer", "tui/composer", "tui/search", "tui/navigation", "terminal/handover", "tui/conversation"},
	"charm.land/bubbles/v2":                  {"tui/browser", "tui/keymap", "tui/overlay", "tui/widget", "tui/panel", "tui/conversation"},
	"charm.land/lipgloss/v2":                 {"theme"},
	"charm.land/glamour/v2":                  {"render", "theme"},
	"github.com/alecthomas/chroma/v2":        {"render/syntax", "theme", "test"},
	"github.com/yuin/goldmark":               {"render", "test"},
	"github.com/aymanbagabas/go-udiff":       {"render/diff", "session/acp", "session/sessiontest"},
	"github.com/charmbracelet/x/ansi":        {"cli/clitest", "cli/doctor", "editor", "prompts", "render", "render/text", "session/sessiontest", "terminal", "theme", "tui", "tui/appearance", "tui/search", "tui/transcript", "test", "terminal/handover", "tui/conversation"},
	"github.com/clipperhouse/displaywidth":   {"render/text", "render/text/texttest"},
	"github.com/clipperhouse/uax29/v2":       {"editor", "render/text"},
	"github.com/charmbracelet/colorprofile":  {"cli/doctor", "cli/mcp", "cli/output", "cli/print", "cli/report", "cli/sessions", "terminal", "tui", "tui/appearance", "test"},
	"github.com/charmbracelet/x/windows":     {"terminal"},
	"github.com/charmbracelet/x/term":        {"cli/chat", "cli/doctor", "cli/headless", "cli/mcp", "cli/output", "cli/process", "cli/sessions", "e2e", "terminal", "tui"},
	"github.com/charmbracelet/ultraviolet":   {"cli/doctor", "render/text", "tui/appearance", "test"},
	"github.com/charmbracelet/x/vt":          {"session/sessiontest", "test"},
	"github.com/creack/pty":                  {"cli/clitest", "test"},
	"github.com/dlclark/regexp2/v2":          {"test"},
	"github.com/agnivade/levenshtein":        {"settings/didyoumean"},
	"github.com/spf13/cobra":                 {"cli", "cli/arguments", "cli/config", "cli/doctor", "cli/mcp", "cli/print", "cli/report", "cli/sessions", "test"},
	"github.com/spf13/pflag":                 {"cli", "cli/agents", "cli/arguments", "cli/headless", "cli/mcp", "cli/observe", "cli/output", "cli/print", "cli/sessions", "test"},
	"github.com/modelcontextprotocol/go-sdk": {"test"},
	"github.com/creachadair/jrpc2":           {"session/acp", "session/copilot"},
	"github.com/muesli/cancelreader":         {"session/copilot", "terminal", "terminal/lines"},
	"github.com/google/jsonschema-go":        {"prompts/schema", "test"},
	"github.com/gofrs/flock":                 {"history/lock", "history/sessions", "settings"},
	"github.com/rogpeppe/go-internal":        {"cli/sessions", "history/drafts", "history/prompts", "history/sessions", "session/copilot", "settings"},
	"modernc.org/sqlite":                     {"history/sessions"},
	"go.yaml.in/yaml/v3":                     {"history/sessions"},
	"github.com/junegunn/fzf":                {"tui/files"},
	"github.com/pelletier/go-toml/v2":        {"history/secrets", "settings", "settings/tomlfile", "test"},
	"github.com/fsnotify/fsnotify":           {"settings"},
	"github.com/google/uuid":                 {"session/acp", "session/copilot", "session/demo", "session/local", "session/sse", "test"},
	"github.com/tmaxmax/go-sse":              {"cli/mcp", "session/sse"},
	"go.opentelemetry.io/otel":               {"telemetry"},
	"go.opentelemetry.io/proto/otlp":         {"session/sessiontest/otlp", "test"},
	"github.com/go-logr/logr":                {"telemetry"},
	"google.golang.org/protobuf":             {"session/sessiontest/otlp", "telemetry", "test"},
	"golang.org/x/text":                      {"history/sessions"},
	"golang.org/x/net":                       {"render/text", "test"},
	"golang.org/x/sys":                       {"cli/doctor", "session/sessiontest", "terminal", "terminal/handover", "terminal/lines", "tui/files", "session/copilot", "test", "history/sessions", "session/processgroup", "settings/environ"},
	"pgregory.net/rapid":                     {"render/text/texttest", "test"},
	"github.com/tailscale/hujson":            {"settings/mcpfile"},
	"github.com/go-json-experiment/json":     {"cli/agents", "cli/doctor", "cli/mcp", "history/drafts", "history/exactjson", "history/sessions", "prompts", "prompts/schema", "render", "session", "session/acp", "session/copilot", "session/demo", "session/modelview", "session/sessiontest", "session/sessiontest/llm", "session/sse", "settings", "settings/mcpfile", "telemetry", "timeline", "tui/keymap", "tui/status", "terminal/terminaltest", "test", "tui/conversation"},
}

// effects are the standard packages that reach outside the process.
var effects = []string{"os", "os/exec", "os/signal", "os/user", "net", "net/http", "syscall", "io/ioutil", "log", "crypto/rand", "math/rand", "math/rand/v2"}

// clock are the names of package time that read or wait for the clock.
var clock = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer"}

// mayHaveEffects says where effects and the clock are allowed: whole packages
// and single files.
var mayHaveEffects = []string{".", "cli", "cli/agents", "cli/arguments", "cli/chat", "cli/clitest", "cli/config", "cli/doctor", "cli/headless", "cli/mcp", "cli/observe", "cli/output", "cli/policy", "cli/print", "cli/process", "cli/report", "cli/sessions", "e2e", "packaging/archive", "theme", "history/drafts", "history/lock", "history/prompts", "history/sessions", "settings", "settings/environ/writable_windows.go", "settings/mcpfile/files.go", "settings/promptfile", "telemetry", "tui/files", "session/acp", "session/copilot", "session/demo", "session/local", "session/observe", "session/processgroup", "session/replay", "session/sessiontest", "session/sessiontest/chat", "session/sessiontest/llm", "session/sessiontest/otlp", "session/sse", "terminal", "terminal/handover", "terminal/lines", "terminal/terminaltest", "tui/conversation/background_jobs.go", "tui/effects.go", "tui/conversation/config.go", "tui/status/script_program.go", "tui/event_batches.go", "tui/run.go", "tui/window.go"}

// noGoroutines lists the packages that start none: their work is done on the
// goroutine of the caller.
var noGoroutines = []string{"tui/conversation", "tui/narrator", "tui/navigation", "tui/settingslist", "history/mentions", "tui", "tui/appearance", "tui/browser", "tui/keymap", "tui/overlay", "tui/search", "tui/transcript", "tui/widget", "editor", "prompts", "prompts/schema", "prompts/consent", "render", "render/syntax", "render/lru", "render/diff", "render/patch", "render/text/texttest", "render/text", "timeline", "session", "session/modelview", "session/trace", "theme", "tui/status", "tui/picker", "tui/panel", "tui/details", "tui/inspector", "tui/viewer", "settings/didyoumean", "settings/mcpfile", "settings/promptfile", "settings/tomlfile", "tui/composer", "tui/reporttext", "tui/export", "settings/environ"}

// colours are the constructors of a colour in Lip Gloss.
var colours = []string{"Color", "ANSIColor", "RGBColor"}

// notOurs are folders without Go files of the project.
var notOurs = []string{"testdata", "bin", "node_modules"}

// namelessNames say nothing about what is inside.
var namelessNames = []string{"util", "utils", "helper", "helpers", "common", "types", "misc", "base", "shared"}

// TestArchitecture holds the whole tree to the tables above.
func TestArchitecture(t *testing.T) {
	t.Parallel()
	found, err := violations(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range found {
		t.Error(v)
	}
}

// TestTestedWithoutTheRaceDetector compares what make test runs without the race
// detector with the packages that start no goroutine.
func TestTestedWithoutTheRaceDetector(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(makefile), "\nPURE := ")
	pure, _, _ := strings.Cut(rest, "\n")
	for name := range strings.FieldsSeq(pure) {
		if dir := strings.TrimPrefix(name, "./"); !slices.Contains(noGoroutines, dir) {
			t.Errorf("%s may have goroutines", name)
		}
	}
	if pure == "" {
		t.Error("the Makefile names none")
	}
}

// TestArchitectureFinds plants one violation of each rule and expects exactly
// that to be found, so that the rules cannot rot into approving everything.
func TestArchitectureFinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, source, want string }{
		{"allowed edge", "render/a.go", `package render; import _ "parley/timeline"`, ""},
		{"upward edge", "render/a.go", `package render; import _ "parley/tui"`, "render/a.go: must not import parley/tui"},
		{"backend into another", "session/demo/a.go", `package demo; import _ "parley/session/copilot"`, "session/demo/a.go: must not import parley/session/copilot"},
		{"test support in code", "timeline/a.go", `package timeline; import _ "parley/session/sessiontest"`, "timeline/a.go: must not import parley/session/sessiontest"},
		{"test support in a test", "timeline/a_test.go", `package timeline; import _ "parley/session/sessiontest"`, ""},
		{"a test of itself", "timeline/a_test.go", `package timeline_test; import _ "parley/timeline"`, ""},
		{"a test upward", "timeline/a_test.go", `package timeline_test; import _ "parley/render"`, "timeline/a_test.go: must not import parley/render"},
		{"unknown package", "widget/a.go", `package widget`, "widget: has no row in mayImport"},
		{"library out of place", "timeline/a.go", `package timeline; import _ "charm.land/lipgloss/v2"`, "timeline/a.go: must not import charm.land/lipgloss/v2"},
		{"subpackage of a library", "timeline/a.go", `package timeline; import _ "github.com/yuin/goldmark/ast"`, "timeline/a.go: must not import github.com/yuin/goldmark/ast"},
		{"unknown library", "tui/a.go", `package tui; import _ "example.org/left/pad"`, "tui/a.go: example.org/left/pad has no row in libraries"},
		{"effect", "timeline/a.go", `package timeline; import _ "os"`, "timeline/a.go: must not import os"},
		{"effect at the edge", "tui/effects.go", `package tui; import _ "os"`, ""},
		{"effect in a test", "timeline/a_test.go", `package timeline; import _ "os"`, ""},
		{"clock", "tui/view.go", `package tui; import "time"; var x = time.Now`, "tui/view.go: must not use time.Now"},
		{"clock renamed", "tui/view.go", `package tui; import clock "time"; var x = clock.Sleep`, "tui/view.go: must not use time.Sleep"},
		{"durations are fine", "tui/view.go", `package tui; import "time"; var x = time.Second`, ""},
		{"colour", "render/a.go", `package render; import "charm.land/lipgloss/v2"; var x = lipgloss.Color("1")`, "render/a.go: must not import charm.land/lipgloss/v2; render/a.go: must not use lipgloss.Color"},
		{"colour in a test", "render/a_test.go", `package render; import "charm.land/lipgloss/v2"; var x = lipgloss.Color("1")`, "render/a_test.go: must not import charm.land/lipgloss/v2; render/a_test.go: must not use lipgloss.Color"},
		{"colour in theme", "theme/a.go", `package theme; import "charm.land/lipgloss/v2"; var x = lipgloss.Color("1")`, ""},
		{"goroutine", "render/a.go", `package render; func f() { go f() }`, "render/a.go: must not start a goroutine"},
		{"the model in a command", "tui/a.go", `package tui; func (m *Model) f() tea.Cmd { return func() tea.Msg { return m.now } }`, "tui/a.go: must not use m.now in a command"},
		{"the model in a job", "tui/a.go", `package tui; func (m *Model) f() { m.job(func(ctx context.Context) error { return m.now }) }`, "tui/a.go: must not use m.now in a command"},
		{"the model at a job's end", "tui/a.go", `package tui; func (m *Model) f() { consult(func(ctx context.Context) { return func() tea.Cmd { m.now = 1 } }) }`, ""},
		{"init", "theme/a.go", `package theme; func init() {}`, "theme/a.go: must not have an init function"},
		{"a method called init", "theme/a.go", `package theme; type T int; func (T) init() {}`, ""},
		{"nameless package", "session/utils/a.go", `package utils`, "session/utils: a package is named for what it does"},
		{"nameless file", "tui/helpers.go", `package tui`, "tui/helpers.go: a file is named for its subject"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			found, err := violations(fstest.MapFS{c.file: {Data: []byte(c.source)}})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(found, "; ")
			if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// violations parses every Go file of a tree and returns what breaks a rule, in
// order of the files.
func violations(tree fs.FS) ([]string, error) {
	var found []string
	seen := map[string]bool{}
	err := eachGoFile(tree, func(name string, file *ast.File) {
		if dir := path.Dir(name); !seen[dir] {
			seen[dir] = true
			found = append(found, packageViolations(dir)...)
		}
		found = append(found, fileViolations(name, file)...)
	})
	return found, err
}

// eachGoFile parses every Go file of a tree that is the project's, in order.
func eachGoFile(tree fs.FS, visit func(name string, file *ast.File)) error {
	return fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains(notOurs, d.Name())) {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(name) != ".go" {
			return nil
		}
		source, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		visit(name, file)
		return nil
	})
}

func packageViolations(dir string) []string {
	if slices.Contains(namelessNames, path.Base(dir)) {
		return []string{dir + ": a package is named for what it does"}
	}
	if _, ok := mayImport[dir]; !ok {
		return []string{dir + ": has no row in mayImport"}
	}
	return nil
}

func fileViolations(name string, file *ast.File) []string {
	var found []string
	report := func(format string, a ...any) {
		found = append(found, name+": "+fmt.Sprintf(format, a...))
	}
	dir, test := path.Dir(name), strings.HasSuffix(name, "_test.go")
	if slices.Contains(namelessNames, strings.TrimSuffix(path.Base(name), ".go")) {
		report("a file is named for its subject")
	}
	names := map[string]string{} // what a package is called in this file -> its import path
	for _, spec := range file.Imports {
		target, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			report("import %s: %v", spec.Path.Value, err)
			continue
		}
		names[localName(spec, target)] = target
		if why := importViolation(name, dir, test, target); why != "" {
			report("%s", why)
		}
	}
	receiver := "" // of the function that is looked at, if it changes on the loop
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			receiver = changing(n.Recv)
			if n.Recv == nil && n.Name.Name == "init" {
				report("must not have an init function")
			}
		case *ast.GoStmt:
			if !test && slices.Contains(noGoroutines, dir) {
				report("must not start a goroutine")
			}
		case *ast.FuncLit:
			if strings.HasPrefix(dir+"/", "tui/") && !test && isCommand(n.Type) {
				for _, used := range usedOf(receiver, n.Body) {
					report("must not use %s in a command", used)
				}
			}
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if !ok {
				return true
			}
			switch target := names[x.Name]; {
			case target == "time" && !test && !edge(name, dir) && slices.Contains(clock, n.Sel.Name):
				report("must not use time.%s", n.Sel.Name)
			case target == "charm.land/lipgloss/v2" && dir != "theme" && slices.Contains(colours, n.Sel.Name):
				report("must not use lipgloss.%s", n.Sel.Name)
			}
		}
		return true
	})
	return found
}

// isCommand reports whether functions of a type run outside the loop, while the
// model changes: they return a message, or can be cancelled.
func isCommand(f *ast.FuncType) bool {
	named := func(fields *ast.FieldList, name string) bool {
		return fields != nil && slices.ContainsFunc(fields.List, func(f *ast.Field) bool {
			s, ok := f.Type.(*ast.SelectorExpr)
			return ok && s.Sel.Name == name
		})
	}
	return named(f.Results, "Msg") || named(f.Params, "Context")
}

// returns reports whether functions of a type return a type of that name.
func returns(f *ast.FuncType, name string) bool {
	return f.Results != nil && slices.ContainsFunc(f.Results.List, func(f *ast.Field) bool {
		s, ok := f.Type.(*ast.SelectorExpr)
		return ok && s.Sel.Name == name
	})
}

// onLoop are the types of tui and the packages below it whose values change on the loop,
// while commands run.
var onLoop = []string{
	"Model", "tabs", "agents", "sessionSwitcher", "sessionForks", "sessionLibrary", "draftSaver", "recents", "statusBar",
	"Conversation", "Window", "Display", "core", "account", "attention", "blockActions", "checkpoints", "draftRecovery", "exports",
	"firstScreen", "keyInput", "keyboard", "mcp", "mouse", "options", "pastReader", "pendingAnswers", "promptDraft", "promptQueue",
	"promptRecall", "reports", "sessionSummary", "sessionTitle", "slashCommands", "tasks", "timers", "todos", "userShells", "view",
	"workingFolders", "Navigator", "Search", "Browser", "Picker", "Appearance",
}

// changing is the name of a receiver that changes on the loop; "" if it does not.
func changing(recv *ast.FieldList) string {
	if recv == nil || len(recv.List[0].Names) == 0 || !slices.Contains(onLoop, typeName(recv.List[0].Type)) {
		return ""
	}
	return recv.List[0].Names[0].Name
}

// usedOf is what a function uses of the receiver around it. A function inside that
// returns a command is another matter: that runs on the loop.
func usedOf(receiver string, body ast.Node) []string {
	var used []string
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return !returns(n.Type, "Cmd")
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && receiver != "" && x.Name == receiver {
				used = append(used, receiver+"."+n.Sel.Name)
			}
		}
		return true
	})
	return used
}

// importViolation says what is wrong with a file importing target; "" means
// nothing.
func importViolation(name, dir string, test bool, target string) string {
	forbidden := "must not import " + target
	if own, ok := strings.CutPrefix(target, module+"/"); ok {
		allowed := mayImport[dir]
		if test {
			allowed = slices.Concat(allowed, testSupport, testsMayImport[dir], []string{dir})
		}
		if !slices.Contains(allowed, own) {
			return forbidden
		}
		return ""
	}
	if !strings.Contains(strings.Split(target, "/")[0], ".") {
		if slices.Contains(effects, target) && !test && !edge(name, dir) {
			return forbidden
		}
		return ""
	}
	users, ok := libraryUsers(target)
	switch {
	case !ok:
		return target + " has no row in libraries"
	case slices.Contains(users, dir), test && slices.Contains(users, "test"):
		return ""
	}
	return forbidden
}

// libraryUsers finds the row of the module that holds an import path.
func libraryUsers(target string) ([]string, bool) {
	for p := target; p != "."; p = path.Dir(p) {
		if users, ok := libraries[p]; ok {
			return users, true
		}
	}
	return nil, false
}

// edge reports whether a file may reach outside the process.
func edge(name, dir string) bool {
	return slices.Contains(mayHaveEffects, dir) || slices.Contains(mayHaveEffects, name)
}

// localName is what a file calls an imported package: its own name for it, or
// the last element of the path that is not a major version.
func localName(spec *ast.ImportSpec, target string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	base := path.Base(target)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(target))
	}
	return base
}
