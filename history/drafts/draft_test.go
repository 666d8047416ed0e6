package drafts_test

import (
	"testing"

	"pgregory.net/rapid"

	"parley/history/drafts"
	"parley/session"
)

// An edited draft has the chips that are still there, and says what was edited.
func TestDraftEdited(t *testing.T) {
	t.Parallel()
	paste := drafts.Chip{At: 4, Paste: "line one\nline two\n"}
	image := drafts.Chip{At: 9, Attachment: &session.Attachment{Type: "file", Path: "/a.png", DisplayName: "a.png"}}
	d := drafts.Draft{Text: "see  and ", Chips: []drafts.Chip{paste, image}}
	for _, c := range []struct {
		text  string
		chips int
		want  string // the text without what the chips stand for
	}{
		{"see line one\nline two\n and [a.png]", 2, "see  and "},
		{"look: line one\nline two\nand then [a.png] too", 2, "look: and then  too"},
		{"see line one\nline 2\n and [a.png]", 1, "see line one\nline 2\n and "},
		{"[a.png] line one\nline two\n", 1, "[a.png] "}, // the other way round: the first chip is found, the second is not
		{"nothing of it", 0, "nothing of it"},
		{"", 0, ""},
	} {
		got := d.Edited(c.text)
		if got.Text != c.want || len(got.Chips) != c.chips || got.Prompt() != c.text || got.Caret != len(got.Text) {
			t.Errorf("%q: %+v", c.text, got)
		}
	}
}

// Whatever was edited is what is sent, and nothing edited changes nothing.
func TestDraftEditedIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drafts.Draft{Text: rapid.StringMatching(`[ab\n]{0,8}`).Draw(t, "text")}
		at := 0
		for range rapid.IntRange(0, 3).Draw(t, "chips") {
			at = rapid.IntRange(at, len(d.Text)).Draw(t, "at")
			d.Chips = append(d.Chips, drafts.Chip{At: at, Paste: rapid.StringMatching(`[ab\n]{0,4}`).Draw(t, "paste")})
		}
		text := rapid.OneOf(rapid.Just(d.Prompt()), rapid.StringMatching(`[ab\n]{0,16}`)).Draw(t, "edited")
		if got := d.Edited(text).Prompt(); got != text {
			t.Fatalf("%q became %q", text, got)
		}
	})
}
