package sse

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session/modelview"
)

// member is a name and a value of a JSON object, in the order in which they are
// written.
type member struct {
	name  string
	value any
}

// object is a JSON object whose members keep their order.
type object []member

// MarshalJSONTo implements json.MarshalerTo.
func (o object) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, m := range o {
		if err := enc.WriteToken(jsontext.String(m.name)); err != nil {
			return err
		}
		if err := json.MarshalEncode(enc, m.value); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

// request is the body of a request: the conversation as the log has it.
func (s *Session) request() ([]byte, error) {
	messages := []object{}
	refers := false
	for _, m := range s.Log.Messages("") {
		messages = append(messages, s.cfg.Protocol.message(m, refers))
		refers = refers || m.Role == modelview.Assistant && len(m.ExtraFields) > 0
	}
	body := object{{"messages", messages}}
	if s.cfg.Protocol == OpenAI {
		body = s.options(body)
	}
	var b bytes.Buffer
	err := json.MarshalWrite(&b, body, jsontext.PreserveRawStrings(true), lenient())
	return b.Bytes(), err
}

// options are what an OpenAI endpoint gets apart from the messages. What the user
// has set wins.
func (s *Session) options(body object) object {
	s.Mu.Lock()
	model, effort := s.model, s.effort
	s.Mu.Unlock()
	set := maps.Clone(s.cfg.Options)
	if model != "" {
		body = append(object{{"model", model}}, body...)
	}
	if _, own := set["reasoning_effort"]; effort != "" {
		if own {
			delete(set, "reasoning_effort")
		}
		body = append(body, member{"reasoning_effort", effort})
	}
	body = append(body, member{"stream", true})
	if _, own := set["stream_options"]; !own {
		body = append(body, member{"stream_options", object{{"include_usage", true}}})
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if !slices.Contains(Reserved(), name) {
			body = append(body, member{name, set[name]})
		}
	}
	return body
}

// Reserved are the members of a request that no option may be: they are what the
// conversation makes them.
func Reserved() []string { return []string{"messages", "model", "stream", "n"} }

// message is a message as a request holds it. Only chat agents get what stands
// next to the content, and each message of the user names its references there. To an
// agent that refers to things itself, the files of a prompt go as references.
func (p Protocol) message(m modelview.Message, refers bool) object {
	files := []object{}
	if p == Copilot && refers {
		m.Content, files = apart(m.Content)
	}
	o := object{{"role", string(m.Role)}}
	if m.Name != "" {
		o = append(o, member{"name", m.Name})
	}
	o = append(o, member{"content", content(m)})
	if len(m.Calls) > 0 {
		o = append(o, member{"tool_calls", calls(m.Calls)})
	}
	if m.CallID != "" {
		o = append(o, member{"tool_call_id", string(m.CallID)})
	}
	if p != Copilot {
		return o
	}
	if m.Role == modelview.User {
		o = append(o, member{references, files})
	}
	for _, b := range m.ExtraFields {
		o = append(o, member{b.Key, b.Value})
	}
	return o
}

// apart takes the text files out of the content of a message, as references in
// the form of copilot_references.
func apart(all []modelview.Part) (rest []modelview.Part, files []object) {
	files = []object{}
	for _, part := range all {
		if part.File == nil {
			rest = append(rest, part)
			continue
		}
		name, text := cmp.Or(part.File.DisplayName, part.File.Path), part.Text
		if content, err := base64.StdEncoding.DecodeString(part.File.Data); err == nil {
			text = string(content)
		}
		data := object{{"file", name}}
		if r, ok := part.File.Lines(); ok {
			data = append(data, member{"start", strconv.Itoa(r.Start)}, member{"end", strconv.Itoa(r.End)})
		}
		files = append(files, object{
			{"type", "client.file"},
			{"id", name},
			{"data", append(data, member{"content", text})},
			{"is_implicit", false},
			{"metadata", object{{"display_name", name}}},
		})
	}
	return rest, files
}

// references is the key of references in a message.
const references = "copilot_references"

// content is the text of a message, or its parts where it holds images.
func content(m modelview.Message) any {
	if !slices.ContainsFunc(m.Content, func(p modelview.Part) bool { return p.Blob != nil && p.Blob.Data != "" }) {
		return m.Text()
	}
	parts := []object{}
	for _, p := range m.Content {
		if p.Text != "" {
			parts = append(parts, object{{"type", "text"}, {"text", p.Text}})
		}
		if b := p.Blob; b != nil && b.Data != "" {
			parts = append(parts, object{
				{"type", "image_url"},
				{"image_url", object{{"url", "data:" + b.MIMEType + ";base64," + b.Data}}},
			})
		}
	}
	return parts
}

// calls are the calls of an assistant's message.
func calls(all []modelview.Call) []object {
	out := make([]object, len(all))
	for i, c := range all {
		arguments := string(c.Arguments)
		var text string
		if json.Unmarshal(c.Arguments, &text, lenient()) == nil {
			arguments = text
		}
		out[i] = object{
			{"id", string(c.ID)},
			{"type", "function"},
			{"function", object{{"name", c.Name}, {"arguments", arguments}}},
		}
	}
	return out
}
