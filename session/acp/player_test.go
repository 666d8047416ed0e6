package acp

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/sessiontest"
)

// playVariable names the capture that this program plays in place of its tests.
const playVariable = "PARLEY_ACP_PLAY"

func TestMain(m *testing.M) {
	if path := os.Getenv(playVariable); path != "" {
		if err := play(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if made := os.Getenv(scriptVariable); made != "" {
		runScript(made)
		return
	}
	if as := os.Getenv(stubbornVariable); as != "" {
		playStubborn(as)
		return
	}
	os.Exit(m.Run())
}

// entry is a line of a capture: what the client sent to the agent (c2a), or the agent to the client.
type entry struct {
	Dir string         `json:"dir"`
	Msg jsontext.Value `json:"msg"`
}

func (e entry) message() (m message) {
	session.ReadWhatFits(e.Msg, &m)
	return m
}

func readCapture(path string) ([]entry, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []entry
	for line := range bytes.Lines(text) {
		var e entry
		if err := session.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, e)
	}
	return all, nil
}

// play is an agent that says what was said in a capture, and waits where it was spoken to.
func play(path string) error {
	all, err := readCapture(path)
	if err != nil {
		return err
	}
	in := bufio.NewReader(os.Stdin)
	var waiting []message
	skipped := map[string]bool{}
	ids := map[string]jsontext.Value{} // of this client's calls, by those of the capture
	done := func(m message) { fmt.Fprintf(os.Stdout, `{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", m.ID) }
	said := false // all of it; then the session can be closed
	expect := func(fits func(message) bool) (message, error) {
		for {
			for i, m := range waiting {
				if fits(m) {
					waiting = append(waiting[:i:i], waiting[i+1:]...)
					return m, nil
				}
			}
			line, err := in.ReadBytes('\n')
			if err != nil {
				return message{}, err
			}
			var m message
			if err := session.Unmarshal(line, &m); err != nil {
				return message{}, err
			}
			switch {
			case modeCall(m.Method):
				done(m)
			case m.Method == "session/close" && said:
				done(m)
			default:
				waiting = append(waiting, m)
			}
		}
	}
	last := len(all) - 1 // of what is said; what the client sent after it is not waited for
	for last > 0 && all[last].Dir != "a2c" {
		last--
	}
	answering := false // a call that this client does not make
	for i, e := range all {
		m := e.message()
		switch {
		case e.Dir == "exit" && strings.Contains(path, "killed"):
			os.Exit(137)
		case e.Dir == "exit", i > last: // at the end of its input
		case e.Dir == "c2a" && modeCall(m.Method):
			skipped[string(m.ID)], answering = true, true
		case e.Dir == "a2c" && m.Method == "" && skipped[string(m.ID)]:
		case e.Dir == "a2c" && answering && reportsMode(m):
		case e.Dir == "c2a":
			answering = false
			got, err := expect(func(n message) bool {
				return n.Method == m.Method && (m.Method != "" || bytes.Equal(n.ID, m.ID))
			})
			if err != nil {
				return fmt.Errorf("waiting for %.200s: %w", e.Msg, err)
			}
			ids[string(m.ID)] = got.ID
		case m.Method == "":
			m.ID = ids[string(m.ID)]
			raw, err := encode(m)
			if err != nil {
				return err
			}
			fmt.Fprintf(os.Stdout, "%s\n", raw)
		default:
			fmt.Fprintf(os.Stdout, "%s\n", e.Msg)
		}
	}
	said = true
	for _, m := range waiting {
		if m.Method == "session/close" {
			done(m)
		}
	}
	_, err = expect(func(message) bool { return false })
	if err.Error() == "EOF" {
		return nil
	}
	return err
}

// modeCall reports whether a call sets a mode: this client does so at other times than that of the captures.
func modeCall(method string) bool {
	return method == "session/set_mode" || method == "session/set_config_option"
}

// reportsMode reports whether a message says in which mode a session is.
func reportsMode(m message) bool {
	var p updateParams
	var u update
	session.ReadWhatFits(m.Params, &p)
	session.ReadWhatFits(p.Update, &u)
	return u.Kind == "current_mode_update" || u.Kind == "config_option_update"
}

// captures are the captures of the real agents, by agent and scenario.
func captures(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(sessiontest.Root(t), "testdata", "acp", "*", "*.jsonl"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no captures, %v", err)
	}
	return paths
}
