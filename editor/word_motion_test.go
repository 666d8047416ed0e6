package editor

import (
	"strings"
	"testing"

	"parley/history/drafts"
)

func TestEditorCase(t *testing.T) {
	t.Parallel()
	testEditorKeys(t, []editorCase{
		{"|one two", "alt+u", "ONE| two"},
		{"one| two", "alt+u", "one TWO|"},
		{"|ONE two", "alt+l", "one| two"},
		{"| oNE two", "alt+c alt+c", " One Two|"},
		{"o|NE", "alt+c", "oNe|"},
		{"|straße éclair", "alt+u alt+c", "STRAßE Éclair|"},
		{"|ǆ", "alt+c", "ǅ|"},
		{"|a\xffb\U0010f000c", "alt+u alt+u alt+u", "A\xffB\U0010f000C|"},
		{"|e\u0301a", "alt+u", "E\u0301A|"},
		{"one|", "alt+u", "one|"},
		{"|one", "alt+u ctrl+_", "|one"},
		{"|2nd", "alt+c", "2nd|"},
	})
}

func TestEditorTranspose(t *testing.T) {
	t.Parallel()
	testEditorKeys(t, []editorCase{
		{"one two|", "alt+t", "two one|"},
		{"one| two", "alt+t", "two one|"},
		{"one |two three", "alt+t", "two one| three"},
		{"one t|wo three", "alt+t", "two one| three"},
		{"one, two|.", "alt+t", "two, one|."},
		{"one\n|two", "alt+t", "two\none|"},
		{"one two three|", "alt+t alt+t", "one two three|"},
		{"|one two", "alt+t", "|one two"},
		{"one|", "alt+t", "one|"},
		{"|", "alt+t", "|"},
		{"one two|", "alt+t ctrl+_", "one two|"},
	})
}

func TestEditorRing(t *testing.T) {
	t.Parallel()
	testEditorKeys(t, []editorCase{
		{"one two three|", "ctrl+w left ctrl+w ctrl+y alt+y", "one three| "},
		{"one two three|", "ctrl+w left ctrl+w ctrl+y alt+y alt+y", "one two| "},
		{"one two three|", "ctrl+w left ctrl+w ctrl+y alt+y ctrl+_", "one | "},
		{"one two three|", "ctrl+w left ctrl+w ctrl+y alt+y ctrl+_ alt+_", "one three| "},
		{"one two three|", "ctrl+w left ctrl+w ctrl+y alt+y ctrl+y", "one threetwo| "},
		{"one|", "ctrl+w ctrl+y alt+y", "one|"},
		{"one|", "alt+y", "one|"},
		{"one|", "ctrl+w x alt+y", "x|"},
		{"one|", "ctrl+w ctrl+y x alt+y", "onex|"},
		{"one|", "ctrl+w ctrl+y ctrl+_", "|"},
		{"one two|", "ctrl+w ctrl+w ctrl+u ctrl+y alt+y", "one two|"},
	})
	t.Run("bounds", func(t *testing.T) {
		t.Parallel()
		e := New()
		for range ringCuts + 10 {
			e.Insert("x")
			pressKeys(e, "ctrl+u")
		}
		if len(e.kills.cuts) != ringCuts {
			t.Errorf("%d cuts, want %d", len(e.kills.cuts), ringCuts)
		}
		e.InsertChip(drafts.Chip{Paste: strings.Repeat("x", ringBytes+1)})
		pressKeys(e, "ctrl+u")
		if len(e.kills.cuts) != 1 {
			t.Errorf("%d cuts after a huge one, want it alone", len(e.kills.cuts))
		}
		if pressKeys(e, "ctrl+y"); len(e.Text()) != ringBytes+1 {
			t.Errorf("%d bytes put back", len(e.Text()))
		}
	})
}
