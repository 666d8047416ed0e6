package llm

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// gemini is the form of the Gemini API.
type gemini struct{}

func (gemini) read(raw []byte, last string) (Request, error) {
	var body struct {
		Contents []struct {
			Role  string         `json:"role"`
			Parts jsontext.Value `json:"parts"`
		} `json:"contents"`
		Tools []struct {
			Functions []struct {
				Name string `json:"name"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		return Request{}, err
	}
	model, method, _ := strings.Cut(last, ":")
	req := Request{Model: model, Stream: method == "streamGenerateContent"}
	for _, content := range body.Contents {
		m := Message{Role: content.Role, Content: content.Parts}
		if m.Role == "model" {
			m.Role = "assistant"
		}
		req.Messages = append(req.Messages, m)
	}
	for _, set := range body.Tools {
		for _, f := range set.Functions {
			req.Tools = append(req.Tools, named(f.Name))
		}
	}
	return req, nil
}

func (g gemini) stream(req Request, step Step, _ []string) (before, pieces, after []event) {
	for _, word := range words(step.Reasoning) {
		pieces = append(pieces, event{body: g.response(req, object{"text": word, "thought": true})})
	}
	for _, word := range words(step.Text) {
		pieces = append(pieces, event{body: g.response(req, object{"text": word})})
	}
	for _, c := range step.Calls {
		call := object{"name": c.Name, "args": jsontext.Value(arguments(c))}
		pieces = append(pieces, event{body: g.response(req, object{"functionCall": call})})
	}
	return nil, pieces, []event{{body: g.ended(g.response(req, object{"text": ""}), step)}}
}

func (g gemini) whole(req Request, step Step, _ []string) object {
	return g.ended(g.response(req, object{"text": step.Text}), step)
}

func (gemini) response(req Request, part object) object {
	return object{
		"candidates":   []object{{"index": 0, "content": object{"role": "model", "parts": []object{part}}}},
		"modelVersion": req.Model, "responseId": "scripted",
	}
}

// ended makes a response the last of an answer.
func (gemini) ended(response object, step Step) object {
	prompt, completion := tokens(step)
	if candidates, ok := response["candidates"].([]object); ok {
		candidates[0]["finishReason"] = "STOP"
	}
	response["usageMetadata"] = object{
		"promptTokenCount": prompt, "candidatesTokenCount": completion, "totalTokenCount": prompt + completion,
	}
	return response
}
