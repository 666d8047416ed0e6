package widget

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What Match returns are rows that it was given, each once. Rows that have every word
// come before those that only have the letters, those that have them in the label or the
// name are all found, one that is called as was typed is first, and marks are parts of
// the label in order.
func TestMatchIsASelection(t *testing.T) {
	t.Parallel()
	word := rapid.SampledFrom([]string{"rewind", "undo", "wind", "re", "the", "last", "É", "x", ""})
	words := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(word, 0, 3).Draw(t, "words"), " ")
	})
	rapid.Check(t, func(t *rapid.T) {
		var rows []Row
		for i := range rapid.IntRange(0, 6).Draw(t, "rows") {
			rows = append(rows, Row{
				Value: string(rune('a' + i)), Label: words.Draw(t, "label"), Name: word.Draw(t, "name"), Terms: words.Draw(t, "terms"),
			})
		}
		typed := words.Draw(t, "typed")
		found := Match(rows, typed)
		has := func(r Row, word string) bool {
			return strings.Contains(strings.ToLower(strings.Join([]string{r.Label, r.Name, r.Terms}, "\n")), strings.ToLower(word))
		}
		hasAll := func(r Row) bool {
			return !slices.ContainsFunc(strings.Fields(typed), func(word string) bool { return !has(r, word) })
		}
		for i, r := range found {
			if slices.ContainsFunc(found[:i], func(o Row) bool { return o.Value == r.Value }) {
				t.Fatalf("%q is found twice", r.Value)
			}
			if i > 0 && hasAll(r) && !hasAll(found[i-1]) {
				t.Fatalf("%+v has less than %+v of %q", found[i-1], r, typed)
			}
			for j, m := range r.Marks {
				if m[0] < 0 || m[0] > m[1] || m[1] > len(r.Label) || j > 0 && m[0] < r.Marks[j-1][0] {
					t.Fatalf("marks of %q: %v", r.Label, r.Marks)
				}
			}
		}
		for _, r := range rows {
			in := slices.ContainsFunc(found, func(o Row) bool { return o.Value == r.Value })
			if r.Terms = ""; hasAll(r) && !in {
				t.Fatalf("%+v is not found by %q", r, typed)
			}
			if is := strings.ToLower(strings.TrimSpace(typed)); is != "" && strings.ToLower(r.Name) == is &&
				!slices.Contains([]string{strings.ToLower(found[0].Name), strings.ToLower(found[0].Label)}, is) {
				t.Fatalf("%+v is found by %q before %+v", found[0], typed, r)
			}
		}
	})
}
