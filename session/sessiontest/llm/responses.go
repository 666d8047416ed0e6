package llm

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// responses is the form of OpenAI's Responses API, without reasoning.
type responses struct{}

func (responses) read(raw []byte, _ string) (Request, error) {
	var body struct {
		Model  string `json:"model"`
		Stream bool   `json:"stream"`
		Input  []struct {
			Type    string         `json:"type"`
			Role    string         `json:"role"`
			Content jsontext.Value `json:"content"`
			Output  jsontext.Value `json:"output"`
			CallID  string         `json:"call_id"`
		} `json:"input"`
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		return Request{}, err
	}
	req := Request{Model: body.Model, Stream: body.Stream}
	for _, item := range body.Input {
		m := Message{Role: item.Role, Content: item.Content}
		switch item.Type {
		case "function_call_output":
			m = Message{Role: "tool", Content: item.Output, ToolCallID: item.CallID}
		case "", "message":
		default: // a call, or reasoning: a part of an answer
			m = Message{Role: "assistant"}
		}
		if n := len(req.Messages); m.Role == "assistant" && n > 0 && req.Messages[n-1].Role == "assistant" {
			continue // more of the same answer
		}
		req.Messages = append(req.Messages, m)
	}
	for _, tool := range body.Tools {
		req.Tools = append(req.Tools, named(tool.Name))
	}
	return req, nil
}

func (r responses) stream(req Request, step Step, ids []string) (before, pieces, after []event) {
	whole := r.whole(req, step, ids)
	begun := object{"id": whole["id"], "object": "response", "status": "in_progress", "model": req.Model, "output": []any{}}
	before = []event{typed("response.created", object{"response": begun})}
	for i, item := range r.items(step, ids) {
		begun := object{"id": item["id"], "type": item["type"], "status": "in_progress"}
		for _, name := range []string{"role", "call_id", "name"} {
			if item[name] != nil {
				begun[name] = item[name]
			}
		}
		if begun["content"] = []any{}; item["type"] == "function_call" {
			delete(begun, "content")
			begun["arguments"] = ""
		}
		pieces = append(pieces, typed("response.output_item.added", object{"output_index": i, "item": begun}))
		if item["type"] == "message" {
			for _, word := range words(step.Text) {
				pieces = append(pieces, typed("response.output_text.delta", object{
					"item_id": item["id"], "output_index": i, "content_index": 0, "delta": word,
				}))
			}
		}
		pieces = append(pieces, typed("response.output_item.done", object{"output_index": i, "item": item}))
	}
	return before, pieces, []event{typed("response.completed", object{"response": whole})}
}

func (r responses) whole(req Request, step Step, ids []string) object {
	prompt, completion := tokens(step)
	return object{
		"id": "resp_scripted", "object": "response", "status": "completed", "model": req.Model, "output": r.items(step, ids),
		"usage": object{
			"input_tokens": prompt, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens": completion,
			"output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": prompt + completion,
		},
	}
}

// items are what an answer consists of.
func (responses) items(step Step, ids []string) []object {
	var items []object
	if step.Text != "" {
		items = append(items, object{
			"id": "msg_scripted", "type": "message", "status": "completed", "role": "assistant",
			"content": []object{{"type": "output_text", "text": step.Text, "annotations": []any{}}},
		})
	}
	for i, c := range step.Calls {
		items = append(items, object{
			"id": "item_" + ids[i], "type": "function_call", "status": "completed", "call_id": ids[i],
			"name": c.Name, "arguments": arguments(c),
		})
	}
	return items
}
