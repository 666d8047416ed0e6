package llm

import (
	"github.com/go-json-experiment/json"
)

// chat is the form of chat completions.
type chat struct{}

func (chat) read(raw []byte, _ string) (req Request, err error) {
	err = json.Unmarshal(raw, &req)
	return req, err
}

// stream sends arguments in two halves, as real models send them in pieces too.
func (chat) stream(req Request, step Step, ids []string) (before, pieces, after []event) {
	add := func(delta object) { pieces = append(pieces, event{body: chunk(req, delta, nil)}) }
	for _, p := range words(step.Reasoning) {
		add(object{"reasoning_content": p})
	}
	for _, p := range words(step.Text) {
		add(object{"content": p})
	}
	for i, c := range step.Calls {
		args := arguments(c)
		half := len(args) / 2
		add(object{"tool_calls": []object{{
			"index": i, "id": ids[i], "type": "function",
			"function": object{"name": c.Name, "arguments": args[:half]},
		}}})
		add(object{"tool_calls": []object{{"index": i, "function": object{"arguments": args[half:]}}}})
	}
	last := chunk(req, nil, nil)
	last["choices"], last["usage"] = []any{}, usage(step)
	return nil, pieces, []event{{body: chunk(req, object{}, finish(step))}, {body: last}, {}}
}

func (chat) whole(req Request, step Step, ids []string) object {
	message := object{"role": "assistant", "content": step.Text}
	if step.Reasoning != "" {
		message["reasoning_content"] = step.Reasoning
	}
	var calls []object
	for i, c := range step.Calls {
		calls = append(calls, object{
			"id": ids[i], "type": "function", "function": object{"name": c.Name, "arguments": arguments(c)},
		})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return object{
		"id": "chatcmpl-scripted", "object": "chat.completion", "model": req.Model,
		"choices": []object{{"index": 0, "message": message, "finish_reason": finish(step)}},
		"usage":   usage(step),
	}
}

func finish(step Step) string {
	switch {
	case step.Finish != "":
		return step.Finish
	case len(step.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func usage(step Step) object {
	prompt, completion := tokens(step)
	return object{"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
}

func chunk(req Request, delta object, finish any) object {
	return object{
		"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "model": req.Model,
		"choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}},
	}
}
