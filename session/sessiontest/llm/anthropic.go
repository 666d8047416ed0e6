package llm

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// anthropic is the form of Anthropic's Messages API, without thinking. Its results of tools are
// messages of the user.
type anthropic struct{}

func (anthropic) read(raw []byte, _ string) (Request, error) {
	var body struct {
		Model    string    `json:"model"`
		Stream   bool      `json:"stream"`
		Messages []Message `json:"messages"`
		Tools    []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		return Request{}, err
	}
	req := Request{Model: body.Model, Stream: body.Stream, Messages: body.Messages}
	for _, tool := range body.Tools {
		req.Tools = append(req.Tools, named(tool.Name))
	}
	return req, nil
}

func (a anthropic) stream(req Request, step Step, ids []string) (before, pieces, after []event) {
	whole := a.whole(req, step, ids)
	begun := object{
		"id": whole["id"], "type": "message", "role": "assistant", "model": req.Model, "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": whole["usage"],
	}
	before = []event{typed("message_start", object{"message": begun})}
	index := 0
	block := func(first object, deltas ...object) {
		pieces = append(pieces, typed("content_block_start", object{"index": index, "content_block": first}))
		for _, delta := range deltas {
			pieces = append(pieces, typed("content_block_delta", object{"index": index, "delta": delta}))
		}
		pieces = append(pieces, typed("content_block_stop", object{"index": index}))
		index++
	}
	if step.Text != "" {
		var deltas []object
		for _, word := range words(step.Text) {
			deltas = append(deltas, object{"type": "text_delta", "text": word})
		}
		block(object{"type": "text", "text": ""}, deltas...)
	}
	for i, c := range step.Calls {
		block(object{"type": "tool_use", "id": ids[i], "name": c.Name, "input": object{}},
			object{"type": "input_json_delta", "partial_json": arguments(c)})
	}
	_, completion := tokens(step)
	return before, pieces, []event{
		typed("message_delta", object{
			"delta": object{"stop_reason": whole["stop_reason"], "stop_sequence": nil}, "usage": object{"output_tokens": completion},
		}),
		typed("message_stop", object{}),
	}
}

func (anthropic) whole(req Request, step Step, ids []string) object {
	prompt, completion := tokens(step)
	content, reason := []object{}, "end_turn"
	if step.Text != "" {
		content = append(content, object{"type": "text", "text": step.Text})
	}
	for i, c := range step.Calls {
		reason = "tool_use"
		content = append(content, object{"type": "tool_use", "id": ids[i], "name": c.Name, "input": jsontext.Value(arguments(c))})
	}
	return object{
		// Messages with the same id are one message to Claude Code.
		"id": fmt.Sprintf("msg_%d", len(req.Messages)), "type": "message", "role": "assistant", "model": req.Model, "content": content,
		"stop_reason": reason, "stop_sequence": nil,
		"usage": object{
			"input_tokens": prompt, "output_tokens": completion, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0,
		},
	}
}
