package copilot_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/creachadair/jrpc2/channel"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session/sessiontest"
)

// message is one message of JSON-RPC, in either direction.
type message struct {
	JSONRPC string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id,omitzero"`
	Method  string         `json:"method,omitzero"`
	Params  jsontext.Value `json:"params,omitzero"`
	Result  any            `json:"result,omitzero"`
	Error   any            `json:"error,omitzero"`
}

type object = map[string]any

// playOld is a CLI from before the server mode.
func playOld() int {
	fmt.Fprintln(os.Stderr, "error: unknown option '--headless'")
	return 1
}

// playPacked cannot unpack itself, as 1.0.102 says it.
func playPacked() int {
	fmt.Fprint(os.Stderr, "Failed to extract bundled package: Error: ENOTDIR: not a directory, mkdir '/dev/null/x/.cache/copilot/pkg/linux-x64'\n"+
		"    at async Object.mkdir (node:internal/fs/promises:1564:10)\n    at async ph (sea-loader.js:11:1213)\n"+
		"    at async If (sea-loader.js:11:643)\n    at async xf (sea-loader.js:13:78) {\n"+
		"  errno: -20,\n  code: 'ENOTDIR',\n  syscall: 'mkdir',\n  path: '/dev/null/x/.cache/copilot/pkg/linux-x64'\n}\n")
	return 1
}

// playCrash fails at once, with much to say.
func playCrash() int {
	for i := range 2000 {
		fmt.Fprintf(os.Stderr, "trace line %d\n", i)
	}
	fmt.Fprintln(os.Stderr, "the disk is full")
	return 3
}

// playChatty is some other program that reads its input.
func playChatty() int {
	fmt.Fprintln(os.Stdout, "Hello! What would you like to do today?")
	fmt.Fprintln(os.Stdout, "Type help for help")
	return playSilent()
}

func playNotJSON() int {
	fmt.Fprint(os.Stdout, "Content-Length: 5\r\n\r\nhello")
	return playSilent()
}

// playSilent never says anything.
func playSilent() int {
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

// playMute says why it does not answer, elsewhere.
func playMute() int {
	fmt.Fprintln(os.Stderr, "waiting for the lock")
	return playSilent()
}

// playDeaf works until it should end. It has a child, which it reports.
func playDeaf() int {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	child := exec.Command(os.Args[0]) // it must outlive us
	child.Env = append(os.Environ(), role+"=sleeps")
	if err := child.Start(); err != nil {
		return 1
	}
	new(fake).serve(hello(3))
	return playSleeping()
}

// playSleeping does nothing, for longer than a test takes. Where all goroutines wait for ever, Go ends a program.
func playSleeping() int {
	time.Sleep(10 * time.Minute)
	return 0
}

// hello answers connect.
func hello(protocol float64) func(string) any {
	return func(method string) any {
		if method != "connect" {
			return nil
		}
		return object{"ok": true, "protocolVersion": protocol, "version": "9.9.9"}
	}
}

// ofVersion answers connect as a CLI of another version.
func ofVersion(version string) func(string) any {
	return func(string) any { return object{"ok": true, "protocolVersion": 3, "version": version} }
}

// stub answers what opening a session takes.
func stub(method string) any {
	switch method {
	case "connect":
		return hello(3)(method)
	case "session.create":
		return object{"sessionId": "x", "mode": "interactive", "modelState": object{"modelId": "m"}}
	case "permissions.folderTrust.checkTrust":
		return object{"trusted": true}
	}
	return object{"success": true, "handle": "h"}
}

// fake is a runtime on standard input and output. Its session is the one that
// was prompted last.
type fake struct {
	ch      channel.Channel
	session string
	events  int
	// prompted is called for a prompt, after it was taken.
	prompted func(prompt string)
	// called is passed what came, before it is answered.
	called func(method string, params jsontext.Value)
	// mute are the methods it never answers.
	mute map[string]bool
}

// serve answers requests; what answer has nothing for gets "method not found".
func (f *fake) serve(answer func(method string) any) int {
	f.ch = channel.LSP(os.Stdin, os.Stdout)
	for {
		raw, err := f.ch.Recv()
		if err != nil {
			return 0
		}
		var in struct {
			ID     jsontext.Value `json:"id"`
			Method string         `json:"method"`
			Params struct {
				SessionID string `json:"sessionId"`
				Prompt    string `json:"prompt"`
			} `json:"params"`
			Error *struct {
				Code int `json:"code"`
			} `json:"error"`
		}
		if err := json.Unmarshal(raw, &in); err != nil {
			panic(err)
		}
		if in.Error != nil { // to a request of ours
			f.info(fmt.Sprint("refused with ", in.Error.Code))
			continue
		}
		if in.Method == "session.send" {
			f.session = in.Params.SessionID
		}
		if f.called != nil {
			var whole message
			if err := json.Unmarshal(raw, &whole, json.RejectUnknownMembers(false)); err != nil {
				panic(err)
			}
			f.called(in.Method, whole.Params)
		}
		if !f.mute[in.Method] {
			out := message{ID: in.ID}
			if answer != nil {
				out.Result = answer(in.Method)
			}
			if out.Result == nil {
				out.Error = object{"code": -32601, "message": "Unhandled method " + in.Method}
			}
			f.post(out)
		}
		if in.Method == "session.send" && f.prompted != nil {
			f.prompted(in.Params.Prompt)
		}
	}
}

func (f *fake) post(m message) {
	m.JSONRPC = "2.0"
	b, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	if err := f.ch.Send(b); err != nil {
		os.Exit(0) // the client has left
	}
}

// raw writes bytes as they are.
func (f *fake) raw(format string, args ...any) {
	if _, err := fmt.Fprintf(os.Stdout, format, args...); err != nil {
		os.Exit(0)
	}
}

// event sends an event of the session.
func (f *fake) event(kind string, data object) {
	f.events++
	f.eventOf(f.session, fmt.Sprintf("e-%d", f.events), kind, data)
}

func (f *fake) eventOf(session, id, kind string, data object) {
	params, err := json.Marshal(object{"sessionId": session, "event": object{
		"type": kind, "data": data, "id": id, "timestamp": "2026-01-02T03:04:05.000Z", "parentId": nil, "ephemeral": true,
	}})
	if err != nil {
		panic(err)
	}
	f.post(message{Method: "session.event", Params: params})
}

func (f *fake) info(text string) {
	f.event("session.info", object{"infoType": "test", "message": text})
}

// floodSize is how many events playFlood sends for one prompt.
const floodSize = 6_000

// playFlood answers a prompt with many events, some of them large or of other
// sessions, between unknown messages.
func playFlood() int {
	f := &fake{}
	f.prompted = func(string) {
		large := strings.Repeat("x", 500_000)
		for i := range floodSize {
			text := fmt.Sprint(i)
			if i%5000 == 0 {
				f.event("model.messages_snapshot", object{"m": large})
				text += " " + large
			}
			if i%100 == 0 {
				f.eventOf("somebody else", "", "assistant.idle", object{})
				f.post(message{Method: "host.event", Params: jsontext.Value(`{"kind":"task_transition"}`)})
			}
			f.event("assistant.message_delta", object{"messageId": "m", "deltaContent": text})
		}
	}
	return f.serve(stub)
}

// playFaulty answers a prompt by the fault that it names.
func playFaulty() int {
	f := &fake{mute: map[string]bool{"session.abort": true}}
	f.prompted = func(prompt string) {
		fault, ok := faults()[prompt]
		if !ok {
			panic("no such fault: " + prompt)
		}
		fault(f)
		f.info("still here")
	}
	return f.serve(stub)
}

// faults are the ways to go wrong in the middle of a session.
func faults() map[string]func(*fake) {
	sendRaw := func(text string) func(*fake) { return func(f *fake) { f.raw("%s", text); playSilent() } }
	framed := func(text string) func(*fake) {
		return func(f *fake) { f.raw("Content-Length: %d\r\n\r\n%s", len(text), text) }
	}
	forever := func(text string) func(*fake) {
		return func(f *fake) {
			for {
				f.raw("%s", strings.Repeat(text, 1000))
			}
		}
	}
	leave := func(code int, last string) {
		fmt.Fprintln(os.Stderr, "out of memory")
		fmt.Fprint(os.Stdout, last)
		os.Exit(code)
	}
	return map[string]func(*fake){
		"exits":              func(*fake) { os.Exit(0) },
		"fails":              func(*fake) { leave(9, "") },
		"half a header":      func(*fake) { leave(9, "Content-Len") },
		"half a message":     func(*fake) { leave(9, "Content-Length: 500\r\n\r\n{\"jsonrpc\"") },
		"is killed":          func(*fake) { _ = sessiontest.Signal(os.Getpid(), syscall.SIGKILL); playSleeping() },
		"closes its output":  func(*fake) { os.Stdout.Close(); playSilent(); os.Exit(0) },
		"closes its input":   func(f *fake) { os.Stdin.Close(); f.info("closed"); playSleeping() },
		"a line of text":     sendRaw("Warning: the sky is falling\n"),
		"text without end":   forever("la la la "),
		"header without end": forever("Content-Type: b\r\n"),
		"no length":          sendRaw("Content-Type: x\r\n\r\n{}"),
		"negative length":    sendRaw("Content-Length: -5\r\n\r\n{}"),
		"length in words":    sendRaw("Content-Length: twelve\r\n\r\n{}"),
		"huge length":        sendRaw("Content-Length: 999999999999\r\n\r\n{}"),
		"short length":       sendRaw("Content-Length: 9\r\n\r\n{\"jsonrpc\":\"2.0\"}"),
		"invalid JSON":       framed(`{"jsonrpc":"2.0",`),
		"a batch":            framed(`[{"jsonrpc":"2.0","method":"host.event"}]`),
		"no event":           framed(`{"jsonrpc":"2.0","method":"session.event","params":7}`),
		"stops reading":      func(f *fake) { f.info("deaf now"); playSleeping() },

		"nothing":                 func(*fake) {},
		"an unknown notification": framed(`{"jsonrpc":"2.0","method":"who.knows","params":{"x":1}}`),
		"an unknown request": func(f *fake) { // with an id that ours have too
			f.post(message{ID: jsontext.Value("1"), Method: "who.are.you", Params: jsontext.Value("{}")})
		},
		"an unknown response":        framed(`{"jsonrpc":"2.0","id":123456,"result":{}}`),
		"a response with an odd id":  framed(`{"jsonrpc":"2.0","id":{"a":1},"result":{}}`),
		"an empty message":           framed(`{}`),
		"null":                       framed(`null`),
		"the event of another":       func(f *fake) { f.eventOf("somebody else", "x", "abort", object{}) },
		"an event without a session": framed(`{"jsonrpc":"2.0","method":"session.event","params":{}}`),
		"an event without a body": func(f *fake) {
			framed(fmt.Sprintf(`{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":%q}}`, f.session))(f)
		},
		"an event that is a number": func(f *fake) {
			framed(fmt.Sprintf(`{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":%q,"event":5}}`, f.session))(f)
		},
		"an event twice": func(f *fake) {
			for range 2 {
				f.eventOf(f.session, "twin", "session.info", object{"infoType": "test", "message": "twin"})
			}
		},
		"much error output": func(*fake) {
			for range 1000 {
				fmt.Fprintln(os.Stderr, strings.Repeat("trouble ", 4000))
			}
		},
		"a question that vanishes": func(f *fake) {
			f.event("permission.requested", object{
				"requestId":         "q-1",
				"permissionRequest": object{"kind": "shell", "toolCallId": "call-1", "fullCommandText": "ls"},
				"promptRequest":     object{"kind": "commands", "toolCallId": "call-1", "fullCommandText": "ls"},
			})
			f.event("assistant.idle", object{})
		},
	}
}
