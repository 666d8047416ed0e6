package chat

import (
	"fmt"
	"io"
	"strings"
)

// Confirm is the data of the confirmation of the scene "confirm", byte for byte.
const Confirm = `{"id":"id-123","other":"identifier-as-needed","n":1.50,"nested":{"b":[1,2],"a":"\u00e9"}}`

// References are those of the scene "references": complete, implicit, and one
// that may not be shown.
const References = `[{"type":"blackbeard.story","id":"snippet","data":{"file":"story.go","start":"0","end":"13",` +
	`"content":"func main()...writeStory()..."},"is_implicit":false,"metadata":{"display_name":"Lines 1-13 from story.go",` +
	`"display_icon":"icon","display_url":"https://summer-heart-0930.chufeiyun1688.workers.dev:443/http/blackbeard.com/story/1"}},` +
	`{"type":"web","id":"notes","is_implicit":true,"metadata":{"display_name":"Notes on stories","display_icon":"book",` +
	`"display_url":"https://summer-heart-0930.chufeiyun1688.workers.dev:443/https/blackbeard.com/notes"}},` +
	`{"type":"web","id":"bare","metadata":{"display_name":"No address"}}]`

// Errors are those of the scene "errors".
const Errors = `[{"type":"function","code":"recentchanges","message":"The repository does not exist","identifier":"github/hello-world"},` +
	`{"type":"reference","code":"gone","message":"The story is not there any more","identifier":"snippet"},` +
	`{"type":"agent","code":"tired","message":"The agent is at its limit","identifier":"me"}]`

// confirm is the confirmation of the document.
const confirm = `{"type":"action","title":"Turn off feature flag",` +
	`"message":"Are you sure you wish to turn off the ` + "`copilot`" + ` feature flag?","confirmation":` + Confirm + `}`

// documented are the examples of the document (sse-agents), with their comments and
// commas: the same in lines, or in one.
func documented(join string) map[string]string {
	lines := func(all ...string) string { return strings.Join(all, join) }
	return map[string]string{
		"copilot_confirmation": lines(
			"{", "// Currently, `action` is the only supported value for `type` in `copilot_confirmation`.", `"type": "action",`,
			"// Title of the confirmation dialog shown to the user.", `"title": "Turn off feature flag",`,
			"// Confirmation message shown to the user.",
			`"message": "Are you sure you wish to turn off the `+"`copilot`"+` feature flag?",`,
			"// Optional field for the agent to include any data needed to uniquely identify this confirmation and take action "+
				"once the decision is received from the client.",
			`"confirmation": {`, `"id": "id-123",`, `"other": "identifier-as-needed",`, "}", "}"),
		"copilot_errors": lines(
			"[{", "// A string that specifies the error's type. `type` can have a value of `reference`, `function` or `agent`.",
			`"type": "function",`, "// A string controlled by the agent describing the nature of an error.", `"code": "recentchanges",`,
			"// A string that specifies the error message shown to the user.", `"message": "The repository does not exist",`,
			"// A string that serves as a unique identifier to link the error with other resources such as references or function calls.",
			`"identifier": "github/hello-world"`, "}]"),
		"copilot_references": lines(
			"[{", "// A string that specifies the type of the reference.", `"type": "blackbeard.story",`,
			"// A string that specifies the ID of the reference.", `"id": "snippet",`,
			"// An optional field where the agent can include any data needed to uniquely identify this reference.",
			`"data": {`, `"file": "story.go",`, `"start": "0",`, `"end": "13",`, `"content": "func main()...writeStory()..."`, "},",
			"// An optional boolean that indicates if the reference was passed implicitly or explicitly.", `"is_implicit": false,`,
			"// An optional field for the agent to include any metadata to display in the user's environment. If any of the below "+
				"required fields are missing, then the reference will not be rendered in the UI.",
			`"metadata": {`, `"display_name": "Lines 1-13 from story.go",`, `"display_icon": "icon",`,
			`"display_url": "http://blackbeard.com/story/1",`, "}", "}]"),
	}
}

// asDocumented sends the examples of the document.
func asDocumented(join string) func(*telling) {
	return func(t *telling) {
		t.say("As documented. ")
		for _, name := range []string{"copilot_errors", "copilot_references", "copilot_confirmation"} {
			t.event(name, documented(join)[name])
		}
		t.end("stop")
	}
}

// mixed says something between all that can come along with an answer.
func mixed(t *telling) {
	t.chunk(`{"reasoning_content":"First this."}`, "")
	t.event("copilot_errors", Errors)
	t.say("One. ")
	t.event("", "[1,2]")
	t.event("copilot_references", References)
	t.chunk(`{"tool_calls":[{"index":0,"id":"call-1","type":"function","function":{"name":"lookup","arguments":"{}"}}]}`, "")
	t.event("copilot_errors", `{"type":"function","message":"no tide","identifier":"call-1"}`)
	t.event("", "[3]")
	t.say("Two.")
	t.end("length")
}

// scenes are what the agent does, by the first word of a prompt.
func scenes() map[string]func(*telling) {
	all := map[string]func(*telling){
		"long":       long,
		"think":      think,
		"calls":      calls,
		"json":       whole,
		"confirm":    func(t *telling) { t.say("I can do that. "); t.event("copilot_confirmation", confirm); t.end("stop") },
		"bare":       func(t *telling) { t.event("copilot_confirmation", confirm) }, // and nothing else
		"two":        two,
		"references": func(t *telling) { t.say("A story. "); t.event("copilot_references", References); t.end("stop") },
		"errors":     errors,
		"odd":        odd,
		"malformed":  malformed,
		"length":     func(t *telling) { t.say("It goes "); t.end("length") },
		"documented": asDocumented("\n"),
		"inline":     asDocumented(" "),
		"mixed":      mixed,
		"empty":      func(t *telling) { t.say(); t.end("stop") },
		"chunk":      func(t *telling) { t.say() }, // the one of the document, and nothing else
		"complaint":  func(t *telling) { t.event("copilot_errors", Errors) },
	}
	for name, fault := range faults() {
		all[name] = fault
	}
	return all
}

// long streams until the client goes, or the answer is released.
func long(t *telling) {
	released := t.agent.released()
	for t.r.Context().Err() == nil {
		select {
		case <-released:
			t.end("stop")
			return
		default:
			t.chunk(`{"content":"more and "}`, "")
		}
	}
}

func think(t *telling) {
	t.chunk(`{"reasoning_content":"First "}`, "")
	t.chunk(`{"reasoning_content":"this."}`, "")
	t.say("Then that.")
	t.end("stop")
}

func calls(t *telling) {
	t.say("I look it up. ")
	t.chunk(`{"tool_calls":[{"index":0,"id":"call-1","type":"function","function":{"name":"lookup","arguments":"{\"wo"}}]}`, "")
	t.chunk(`{"tool_calls":[{"index":1,"id":"call-2","type":"function","function":{"name":"store","arguments":"{}"}}]}`, "")
	t.chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"rd\":\"tide\"}"}}]}`, "")
	t.end("tool_calls")
}

// whole answers with JSON that is no stream.
func whole(t *telling) {
	t.w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(t.w, `{"id":"chatcmpl-1","object":"chat.completion","model":"scripted","choices":[{"index":0,"message":`+
		`{"role":"assistant","content":"All at once.","reasoning_content":"Quickly."},"finish_reason":"stop"}],`+
		`"usage":{"prompt_tokens":3,"completion_tokens":4}}`)
}

func two(t *telling) {
	t.say("Two things. ")
	for _, name := range []string{"first", "second"} {
		t.event("copilot_confirmation", fmt.Sprintf(
			`{"type":"action","title":"The %[1]s","message":"Do the %[1]s?","confirmation":{"id":%[1]q}}`, name))
	}
	t.end("stop")
}

func errors(t *telling) {
	t.say("Not all went well. ")
	t.event("copilot_references", References)
	t.event("copilot_errors", Errors)
	t.end("stop")
}

// odd writes a stream in every form that the standard allows, torn anywhere: a
// byte order mark, comments, CRLF and CR, data in lines, events of other types.
func odd(t *telling) {
	first := strings.ReplaceAll(piece(`{"content":"One "}`, "null"), ",\"choices", ",\r\ndata: \"choices")
	text := "\ufeff: hello\r\n\r\nretry: 10\r\nid: 7\r\nevent: message\r\ndata: " + first +
		"\r\n\r\nevent: ping\ndata: {}\n\n: keep-alive\n\ndata:" + piece(`{"content":"two."}`, `"stop"`) + "\r\rdata: [DONE]\n\n"
	for _, b := range []byte(text) {
		t.raw(string([]byte{b}))
	}
}

func malformed(t *telling) {
	t.say("Before. ")
	t.event("", `{"choices":[{"delta":{"content":`)
	t.event("", `[1,2]`)
	t.event("copilot_references", `"none"`)
	t.say("After.")
	t.end("stop")
}
