package copilot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parley/session"
)

// invocation is a result of session.commands.invoke: a union on Kind, of which
// each member has a few of the fields.
type invocation struct {
	Kind string `json:"kind"`

	Text     string `json:"text"` // text
	Markdown bool   `json:"markdown"`

	Prompt        string `json:"prompt"` // agent-prompt
	DisplayPrompt string `json:"displayPrompt"`
	Notice        string `json:"notice"`

	Message string       `json:"message"` // completed, set-plan-model
	Mode    session.Mode `json:"mode"`    // completed, agent-prompt

	Title   string `json:"title"` // select-subcommand
	Options []struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	} `json:"options"`

	Entry   session.SlashEntry `json:"entry"` // add-timeline-entry
	Prefill string             `json:"prefillInput"`

	Dialog struct { // show-dialog
		Kind string `json:"kind"`
	} `json:"dialog"`

	Model   string `json:"model"` // set-model
	Effort  string `json:"reasoningEffort"`
	Tier    string `json:"autoTier"`
	Warning string `json:"warning"`
}

// nothing reports whether the command had no effect that can be shown.
func (d invocation) nothing() bool {
	return d.Kind == "completed" && d.Message == "" && d.Mode == ""
}

// modelCommand is what the model command comes to where the runtime says that
// it is completed and has done nothing (seen in 1.0.102, whatever the words).
func modelCommand(input string) (invocation, error) {
	words := strings.Fields(input)
	var d invocation
	switch {
	case len(words) == 0:
		d.Kind, d.Dialog.Kind = "show-dialog", "model-picker"
	case len(words) == 1 && words[0] != "plan" && !strings.HasPrefix(words[0], "-"):
		d.Kind, d.Model = "set-model", words[0]
	default:
		return d, errors.New("the runtime takes the name of one model here and nothing else")
	}
	return d, nil
}

// effect does what the runtime leaves to its client, as far as that needs no
// user, and reports the rest.
func (s *Session) effect(ctx context.Context, d invocation) (session.SlashResult, error) {
	switch d.Kind {
	case "text":
		return session.SlashResult{Text: d.Text, Markdown: d.Markdown}, nil
	case "agent-prompt":
		prompt := session.Input{Prompt: d.Prompt, Display: d.DisplayPrompt, Mode: d.Mode}
		return session.SlashResult{Text: d.Notice, Prompt: &prompt}, nil
	case "completed":
		if d.Mode != "" {
			if err := s.SetMode(ctx, d.Mode); err != nil {
				return session.SlashResult{}, err
			}
		}
		return session.SlashResult{Text: d.Message}, nil
	case "select-subcommand":
		r := session.SlashResult{Title: d.Title}
		for _, o := range d.Options {
			r.Options = append(r.Options, session.SlashOption{Input: o.Name, Label: o.Name, Description: o.Description})
		}
		return r, nil
	case "add-timeline-entry":
		return session.SlashResult{Entries: []session.SlashEntry{d.Entry}, Draft: d.Prefill}, nil
	case "show-dialog":
		return session.SlashResult{Dialog: d.Dialog.Kind}, nil
	case "set-model":
		return s.adoptModel(ctx, d)
	case "set-plan-model":
		return session.SlashResult{Text: d.Message}, nil
	}
	return session.SlashResult{}, fmt.Errorf("the runtime answered with %q, which is not known here", d.Kind)
}

// adoptModel changes the model to the one that a command chose.
func (s *Session) adoptModel(ctx context.Context, d invocation) (session.SlashResult, error) {
	set, err := s.models.switchTo(ctx, d.Model, d.Effort, d.Tier)
	if err != nil {
		return session.SlashResult{}, err
	}
	text := "The model is " + d.Model + " now."
	if set.Deferred {
		text = "The model will be " + d.Model + " when this turn has ended."
	}
	return session.SlashResult{Text: lines(text, d.Warning, set.Warning)}, nil
}

// lines joins the texts that are not empty.
func lines(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), "\n")
}
