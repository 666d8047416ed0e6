package demo

import (
	"context"
	"fmt"
	"strings"

	"parley/session"
)

// issue is one that the demo pretends to have.
type issue struct {
	number       int
	title, state string
}

func issues() []issue {
	return []issue{
		{12, "The tide table needs two screens", "open"},
		{27, "Parsing is slow above 10 MB", "open"},
		{31, "Menu: brown cheese is not a translation", "closed"},
	}
}

// Complete implements session.Completer: the issues after a "#" that begins a
// word, by their number or by words of their titles.
func (s *Session) Complete(_ context.Context, text string, offset int) ([]session.Completion, error) {
	offset = max(0, min(offset, len(text)))
	from := strings.LastIndexAny(text[:offset], " \t\n") + 1
	word, ok := strings.CutPrefix(text[from:offset], "#")
	if !ok {
		return nil, nil
	}
	var found []session.Completion
	for _, i := range issues() {
		name := fmt.Sprintf("#%d", i.number)
		if strings.HasPrefix(name, "#"+word) || strings.Contains(strings.ToLower(i.title), strings.ToLower(word)) {
			found = append(found, session.Completion{
				Text: name, From: from, To: offset, Label: name + " " + i.title, Detail: i.state + ", pretended",
			})
		}
	}
	return found, nil
}
