package chat

import (
	_ "embed"
	"encoding/json"
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

//go:embed scenes.json
var scenesJSON []byte

// step is one thing that the agent does in a scene of scenes.json: it says texts,
// sends a piece of an answer or an event, or ends.
type step struct {
	Say   []string
	Chunk json.RawMessage
	Event string          // "" is the default one
	Data  json.RawMessage // of the event, or a string of what is no JSON; "$Errors" and the like are the texts above
	Lines []string        // of the event, in place of Data
	End   string
}

// play does what a scene says. Lines of one event are joined by a text.
func (t *reply) play(steps []step, join string) {
	texts := map[string]string{"$confirm": confirm, "$References": References, "$Errors": Errors}
	for _, s := range steps {
		data := string(s.Data)
		if json.Unmarshal(s.Data, &data) == nil && texts[data] != "" {
			data = texts[data]
		}
		switch {
		case s.Say != nil:
			t.say(s.Say...)
		case s.Chunk != nil:
			t.chunk(string(s.Chunk), "")
		case s.End != "":
			t.end(s.End)
		case s.Lines != nil:
			t.event(s.Event, strings.Join(s.Lines, join))
		default:
			t.event(s.Event, data)
		}
	}
}

// scenes are what the agent does, by the first word of a prompt.
func scenes() map[string]func(*reply) {
	var played map[string][]step
	if err := json.Unmarshal(scenesJSON, &played); err != nil {
		panic(err) // it is part of this package
	}
	all := faults()
	all["long"], all["json"], all["odd"] = long, whole, odd
	all["inline"] = func(t *reply) { t.play(played["documented"], " ") }
	for name, steps := range played {
		all[name] = func(t *reply) { t.play(steps, "\n") }
	}
	return all
}

// long streams until the client goes, or the answer is released.
func long(t *reply) {
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

// whole answers with JSON that is no stream.
func whole(t *reply) {
	t.w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(t.w, `{"id":"chatcmpl-1","object":"chat.completion","model":"scripted","choices":[{"index":0,"message":`+
		`{"role":"assistant","content":"All at once.","reasoning_content":"Quickly."},"finish_reason":"stop"}],`+
		`"usage":{"prompt_tokens":3,"completion_tokens":4}}`)
}

// odd writes a stream in every form that the standard allows, torn anywhere: a
// byte order mark, comments, CRLF and CR, data in lines, events of other types.
func odd(t *reply) {
	first := strings.ReplaceAll(piece(`{"content":"One "}`, "null"), ",\"choices", ",\r\ndata: \"choices")
	text := "\ufeff: hello\r\n\r\nretry: 10\r\nid: 7\r\nevent: message\r\ndata: " + first +
		"\r\n\r\nevent: ping\ndata: {}\n\n: keep-alive\n\ndata:" + piece(`{"content":"two."}`, `"stop"`) + "\r\rdata: [DONE]\n\n"
	for _, b := range []byte(text) {
		t.raw(string([]byte{b}))
	}
}
