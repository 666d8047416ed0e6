package sse

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	gosse "github.com/tmaxmax/go-sse"
)

// The types of events. The default one has none.
const (
	eventMessage      = "message" // what an event without a type is, by the standard
	eventConfirmation = "copilot_confirmation"
	eventErrors       = "copilot_errors"
	eventReferences   = "copilot_references"
	done              = "[DONE]"
)

// read reads an answer: a stream of events, or JSON that is none.
func (t *turn) read(resp *response) error {
	in := bufio.NewReader(resp)
	switch contentKind(resp.Header.Get("Content-Type"), in) {
	case "stream":
		return t.stream(in)
	case "json":
		return t.whole(in)
	default:
		content, _ := io.ReadAll(io.LimitReader(in, mostError)) // as much as there is
		f := failure("This is no answer of an agent: " + said{raw: plain(string(content))}.words(resp.Header.Get("Content-Type")))
		f.StatusCode = resp.StatusCode
		f.Remediation = remedy(
			"See whether the address is that of an agent: openai:BASE is for chat completions, sse:URL for a chat agent.")
		return f
	}
}

// contentKind is what an answer is by its type, and where that says nothing by how it
// begins; "" is neither.
func contentKind(contentType string, in *bufio.Reader) string {
	kind, _, err := mime.ParseMediaType(contentType)
	switch {
	case err != nil: // it says nothing
	case kind == "text/event-stream":
		return "stream"
	case kind == "application/json" || strings.HasSuffix(kind, "+json"):
		return "json"
	case kind != "" && kind != "text/plain" && kind != "application/octet-stream":
		return ""
	}
	head, _ := in.Peek(64) // fewer where there is no more
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	for _, field := range []string{"data:", "event:", "id:", "retry:", ":"} {
		if bytes.HasPrefix(head, []byte(field)) {
			return "stream"
		}
	}
	if bytes.HasPrefix(head, []byte("{")) {
		return "json"
	}
	return ""
}

// stream reads events until the agent says that there are no more.
func (t *turn) stream(in io.Reader) error {
	// Errors below the library end the text with what it had; the cause counts.
	source := &source{r: in}
	for ev, err := range gosse.Read(source, &gosse.ReadConfig{MaxEventSize: t.s.cfg.Limits.Event}) {
		switch {
		case errors.Is(err, bufio.ErrTooLong):
			return brokenOff(fmt.Sprintf("The answer has a line that does not end within %d bytes.", t.s.cfg.Limits.Event))
		case source.err != nil:
			return source.err
		case err != nil && !errors.Is(err, gosse.ErrUnexpectedEOF):
			return err
		case err != nil:
			if t.finish != "" {
				return nil // of an answer that was over it is no matter
			}
			return brokenOff("The connection ended in the middle of an event.")
		}
		if strings.TrimSpace(ev.Data) == done {
			t.ended = true
			return nil
		}
		if err := t.event(ev); err != nil {
			return err
		}
	}
	return source.err
}

// source notes why reading failed.
type source struct {
	r   io.Reader
	err error // nil for the end
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// event takes one event. What cannot be read is reported and left out.
func (t *turn) event(ev gosse.Event) error {
	data := []byte(ev.Data)
	if len(bytes.TrimSpace(data)) == 0 {
		return nil
	}
	var bad error
	if strings.HasPrefix(ev.Type, "copilot_") {
		if t.s.cfg.Protocol == OpenAI {
			return nil // it would get no answer: its requests have no place for one
		}
		data = plainJSON(data)
	}
	switch ev.Type {
	case "", eventMessage:
		var c chunk
		if bad = json.Unmarshal(data, &c, lenient()); bad == nil {
			return t.take(c, false)
		}
	case eventConfirmation:
		bad = t.confirmation(data)
	case eventErrors:
		bad = t.errors(data)
	case eventReferences:
		bad = t.refer(data)
	case "error":
		return failure("The agent has failed: " + errorOf(data).words(""))
	default: // the standard has clients ignore events that they do not know
	}
	if bad != nil {
		t.leaveOut(bad, ev.Data)
	}
	return nil
}

// leaveOut notes a piece that could not be read, and reports the first.
func (t *turn) leaveOut(err error, data string) {
	if t.malformed++; t.malformed > 1 {
		return
	}
	t.warn("stream", fmt.Sprintf("A piece of the answer could not be read and was left out (%s). It begins with “%s”.",
		plain(short(err)), excerpt(plain(data))))
}

// short is what is wrong with a piece, in a few words.
func short(err error) string {
	if _, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return "it is no JSON"
	}
	if _, ok := errors.AsType[*json.SemanticError](err); ok {
		return "it has another form than is documented"
	}
	return err.Error()
}

// whole reads an answer that is no stream.
func (t *turn) whole(in io.Reader) error {
	content, err := io.ReadAll(io.LimitReader(in, t.s.cfg.Limits.Body+1))
	switch {
	case err != nil:
		return err
	case int64(len(content)) > t.s.cfg.Limits.Body:
		return brokenOff(fmt.Sprintf("The answer is longer than %d bytes.", t.s.cfg.Limits.Body))
	}
	var c chunk
	if err := json.Unmarshal(content, &c, lenient()); err != nil {
		return failure(fmt.Sprintf("The answer could not be read (%s). It begins with “%s”.", short(err), excerpt(plain(string(content)))))
	}
	if len(c.Choices) == 0 && len(c.Error) == 0 {
		return failure("The agent sent no answer: " + errorOf(content).words("application/json"))
	}
	t.ended = true
	return t.take(c, true)
}

// lenient reads what agents write: names twice, text that is no UTF-8.
func lenient() json.Options {
	return json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}
