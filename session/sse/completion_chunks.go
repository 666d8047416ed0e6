package sse

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// chunk is a chat.completion.chunk, or a whole chat.completion (OpenAI API
// reference, chat). Fields that are of no use here are left out.
type chunk struct {
	Model   string         `json:"model"`
	Choices []choice       `json:"choices"`
	Usage   *usage         `json:"usage"`
	Error   jsontext.Value `json:"error"` // in place of the rest
}

type choice struct {
	Index        int    `json:"index"`
	Delta        delta  `json:"delta"`
	Message      delta  `json:"message"` // of a whole answer
	FinishReason string `json:"finish_reason"`
}

type delta struct {
	Content   words      `json:"content"`
	Refusal   string     `json:"refusal"`
	Reasoning string     `json:"reasoning_content"`
	Thinking  string     `json:"reasoning"` // the same by another name
	ToolCalls []toolCall `json:"tool_calls"`
	Function  *function  `json:"function_call"` // a single call, as it was before tool_calls
}

type toolCall struct {
	Index    *int     `json:"index"`
	ID       string   `json:"id"`
	Function function `json:"function"`
}

type function struct {
	Name      string         `json:"name"`
	Arguments jsontext.Value `json:"arguments"` // JSON text in a text; some send the object itself
}

type usage struct {
	Prompt        int `json:"prompt_tokens"`
	Completion    int `json:"completion_tokens"`
	PromptDetails struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	CompletionDetails struct {
		Reasoning int `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

// words are the text of a message: a string, or parts with texts.
type words string

// UnmarshalJSON implements json.Unmarshaler.
func (w *words) UnmarshalJSON(raw []byte) error {
	var text string
	if jsontext.Value(raw).Kind() != '[' {
		err := json.Unmarshal(raw, &text, lenient())
		*w = words(text)
		return err
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(raw, &parts, lenient()); err != nil {
		return err
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	*w = words(b.String())
	return nil
}

// take takes a piece of the answer, or all of it.
func (t *turn) take(c chunk, whole bool) error {
	if len(c.Error) > 0 && string(c.Error) != "null" {
		said := errorOf(append(append([]byte(`{"error":`), c.Error...), '}'))
		f := failure("The agent has failed: " + said.words(""))
		f.ErrorCode, f.ProviderErrorType = said.code(), said.Type
		return f
	}
	if c.Model != "" && t.model == "" {
		t.s.answersWith(c.Model)
	}
	t.model = cmp.Or(c.Model, t.model)
	if c.Usage != nil {
		t.usage = c.Usage
	}
	t.pieces = t.pieces || len(c.Choices) > 0
	for _, choice := range c.Choices {
		if choice.Index != 0 { // more than one was not asked for
			continue
		}
		d := choice.Delta
		if whole {
			d = choice.Message
		}
		if err := t.delta(d); err != nil {
			return err
		}
		t.finish = cmp.Or(choice.FinishReason, t.finish)
	}
	return nil
}

// delta takes what a piece adds.
func (t *turn) delta(d delta) error {
	if err := t.think(cmp.Or(d.Reasoning, d.Thinking)); err != nil {
		return err
	}
	for _, text := range []string{string(d.Content), d.Refusal} {
		if err := t.say(text); err != nil {
			return err
		}
	}
	calls := d.ToolCalls
	if d.Function != nil {
		calls = append(calls, toolCall{Function: *d.Function})
	}
	for i, c := range calls {
		if err := t.toolCall(c, i); err != nil {
			return err
		}
	}
	return nil
}

// mostCalls bounds how many calls one answer can make.
const mostCalls = 256

// toolCall takes a piece of a call: a new one, or more of its arguments.
func (t *turn) toolCall(piece toolCall, position int) error {
	at := position
	if piece.Index != nil {
		at = *piece.Index
	}
	if at < 0 || at >= mostCalls {
		t.leaveOut(errors.New("it is a call with an index that none has"), piece.Function.Name)
		return nil
	}
	for len(t.calls) <= at {
		t.calls = append(t.calls, &call{})
	}
	c := t.calls[at]
	if c.id == "" {
		c.id = session.CallID(cmp.Or(piece.ID, "call-"+string(t.message)+"-"+strconv.Itoa(at)))
	}
	c.name = cmp.Or(c.name, piece.Function.Name)
	text := string(piece.Function.Arguments)
	var quoted string
	if json.Unmarshal(piece.Function.Arguments, &quoted, lenient()) == nil {
		text = quoted
	}
	if err := t.wrote(text); err != nil {
		return err
	}
	c.arguments.WriteString(text)
	return t.s.Log.Stream(t.ctx, "", session.AssistantToolCallDelta{
		ToolCallID: c.id, ToolName: c.name, ToolType: "function", InputDelta: text,
	})
}

// requests are the calls as the message holds them.
func (t *turn) requests() []session.ToolRequest {
	var all []session.ToolRequest
	for _, c := range t.calls {
		if c.name == "" && c.arguments.Len() == 0 {
			continue
		}
		arguments := jsontext.Value(c.arguments.String())
		if len(arguments) == 0 {
			arguments = jsontext.Value("{}")
		}
		if !arguments.IsValid() {
			quoted, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(c.arguments.String(), "�"))
			if err != nil {
				continue
			}
			arguments = quoted
		}
		all = append(all, session.ToolRequest{ToolCallID: c.id, Name: c.name, Arguments: arguments, Type: "function"})
	}
	return all
}

// mostItems bounds how many references and errors one answer brings along.
const mostItems = 1000

// confirmation asks what the agent wants confirmed.
func (t *turn) confirmation(data []byte) error {
	var q struct {
		Type         string         `json:"type"`
		Title        string         `json:"title"`
		Message      string         `json:"message"`
		Confirmation jsontext.Value `json:"confirmation"`
	}
	if err := json.Unmarshal(data, &q, lenient()); err != nil {
		return err
	}
	if err := t.countExtra(); err != nil {
		return err
	}
	t.ended = true // an agent that asks may close without another word
	t.s.ask(session.ConfirmationRequested{
		MessageID: t.message, Type: q.Type, Title: q.Title, Message: q.Message, Confirmation: q.Confirmation,
	})
	return nil
}

// errors notes the errors that the agent met, which are put after the answer.
func (t *turn) errors(data []byte) error {
	items, err := list(data)
	if err != nil {
		return err
	}
	for _, raw := range items {
		var e struct {
			Type       string `json:"type"`
			Code       string `json:"code"`
			Message    string `json:"message"`
			Identifier string `json:"identifier"`
		}
		if err := cmp.Or(json.Unmarshal(raw, &e, lenient()), t.countExtra()); err != nil {
			t.leaveOut(err, string(raw))
			continue
		}
		t.ended = true
		t.remarks = append(t.remarks, session.AgentError{
			MessageID: t.message, Type: e.Type, Code: e.Code, Message: e.Message, Identifier: e.Identifier,
		})
	}
	return nil
}

// named is the name of what an identifier belongs to: a reference or a call of
// this answer, or a reference of an earlier one; "" if it belongs to none.
func (t *turn) named(identifier string) string {
	if identifier == "" {
		return ""
	}
	for _, c := range t.calls {
		if string(c.id) == identifier {
			return c.name
		}
	}
	items := append([]jsontext.Value(nil), t.references.Items...)
	for _, m := range t.s.Log.Messages("") {
		for _, b := range m.ExtraFields {
			more, _ := list(b.Value) // what is no list has no names
			items = append(items, more...)
		}
	}
	for _, r := range (session.References{Items: items}).List() {
		if r.ID == identifier && r.Metadata.DisplayName != "" {
			return r.Metadata.DisplayName
		}
	}
	return ""
}

// refer notes the references, which are reported after the answer.
func (t *turn) refer(data []byte) error {
	items, err := list(data)
	if err != nil {
		return err
	}
	for _, raw := range items {
		if raw.Kind() != '{' {
			t.leaveOut(errors.New("it is no reference"), string(raw))
			continue
		}
		if err := t.countExtra(); err != nil {
			t.leaveOut(err, string(raw))
			continue
		}
		t.references.Items = append(t.references.Items, raw)
	}
	return nil
}

// list reads a list; one object is a list of one.
func list(data []byte) ([]jsontext.Value, error) {
	if v := jsontext.Value(data); v.Kind() == '{' && isJSON(v) {
		return []jsontext.Value{v.Clone()}, nil
	}
	var items []jsontext.Value
	if err := json.Unmarshal(data, &items, lenient()); err != nil {
		return nil, err
	}
	if len(items) > mostItems {
		return nil, errors.New("it lists too much")
	}
	return items, nil
}
