package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"parley/cli/clitest"
	"parley/session/sessiontest/llm"
)

// askedFor are the prompts that the last request to the model has, oldest first.
func (s *stage) askedFor() []string {
	s.t.Helper()
	requests := s.model.Requests()
	if len(requests) == 0 {
		s.t.Fatal("the model was never asked")
	}
	var all []string
	for _, m := range requests[len(requests)-1].Messages {
		if m.Role == "user" {
			all = append(all, m.Text())
		}
	}
	return all
}

// TestComposer writes prompts out of mentions, and of files that are dropped on the
// terminal. What is sent says where the files are.
func TestComposer(t *testing.T) { bothWindows(t, journeyComposer) }

// journeyComposer is it in one window.
func journeyComposer(t *testing.T, l launch) {
	t.Helper()
	s := play(t, llm.Script{"look": {{Text: "I have looked."}}, "see": {{Text: "I see it."}}}, l)
	s.mentions()
	s.droppedFiles()
	s.leave()
}

// TestLargePaste writes prompts out of pastes of any size. What is sent has every byte that
// was pasted. Keys of a draft answer no question.
func TestLargePaste(t *testing.T) {
	t.Parallel()
	gate := llm.NewGate()
	asks := shell("touch made.txt")
	asks.Hold = gate
	s := play(t, llm.Script{
		"go": {{Text: "Read it."}}, "more": {{Text: "Read more."}}, "ask": {asks, {Text: "It is made."}},
	}, launch{dir: t.TempDir(), width: 100, height: 40})
	s.largePaste()
	s.draftKeepsItsKeys(gate)
	s.leave()
}

// mentions completes mentions of files and folders: by a key, by Enter, and by a key
// that comes faster than the files are searched, when what was typed last counts.
func (s *stage) mentions() {
	s.t.Helper()
	clitest.Folder(s.t, s.path("recipes/old"))
	clitest.Folder(s.t, s.path("build"))
	s.put(".gitignore", "build/\n")
	s.put("build/marmalade.o", "object\n")
	s.put("recipes/marmalade.txt", "one\ntwo\nthree\nfour\n")
	s.put("two words.md", "# Two\n")
	s.put("alpha.txt", "a\n")
	s.put("album.txt", "b\n")
	s.send("compare @mrml") // fuzzy
	if screen := s.wait("❯ recipes/marmalade.txt"); strings.Contains(screen, "marmalade.o") {
		s.t.Error("an ignored file is offered")
	}
	s.press("tab")
	s.wait("compare @recipes/marmalade.txt")
	s.waitGone("❯ recipes/marmalade.txt")
	s.send("with @rec")
	s.wait("❯ recipes/", "recipes/old/")
	s.press("tab")
	s.wait("with @recipes/")
	s.typed(" and @recipes/marmalade.txt:2-3, @two")
	s.wait("❯ two words.md")
	s.press("tab")
	s.wait(`@"two words.md"`)
	s.typed("not @nothing.txt @al")
	s.wait("❯ album.txt", "alpha.txt")
	s.send("pha\t")
	s.wait("not @nothing.txt @alpha.txt")
	s.send("@alb")
	s.wait("❯ album.txt")
	s.press("enter")
	s.wait("@alpha.txt @album.txt")
	s.typed(" @@look")
	s.press("enter")
	s.idle("I have looked.", "recipes/marmalade.txt", "2-3")
	text := s.path("recipes/marmalade.txt")
	s.requested("user",
		`compare @recipes/marmalade.txt with @recipes/ and @recipes/marmalade.txt:2-3, @"two words.md" not @nothing.txt @alpha.txt @album.txt @@look`,
		text+" (5 lines)", text+" (lines 2-3 of", s.path("recipes")+" (", s.path("two words.md"), s.path("alpha.txt"), s.path("album.txt"))
	if strings.Contains(s.heard("user"), s.path("nothing.txt")) {
		s.t.Error("a file that is not there is attached")
	}
}

// droppedFiles pastes the paths of an image, a text and a folder, as a terminal does
// when files are dropped on it. They are attached, and only words are words.
func (s *stage) droppedFiles() {
	s.t.Helper()
	var dot bytes.Buffer
	if err := png.Encode(&dot, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		s.t.Fatal(err)
	}
	s.put("dot.png", dot.String())
	s.put("my notes.txt", "the secret word is marmalade\n")
	clitest.Folder(s.t, s.path("sub"))
	s.paste(s.path("dot.png"))
	s.wait("[dot.png", "3x2")
	s.paste(strings.ReplaceAll(s.path("my notes.txt"), " ", `\ `))
	s.wait("[my notes.txt")
	s.paste("'" + s.path("sub") + "'")
	s.wait("[sub/")
	s.paste("/no/such/path")
	s.wait("/no/such/path")
	s.typed(" what are they? @@see")
	s.press("enter")
	s.idle("I see it.", "[dot.png", "my notes.txt", "/no/such/path what are they?")
	s.requested("user", "[dot.png] [my notes.txt] [sub/] /no/such/path what are they? @@see",
		s.path("dot.png"), s.path("my notes.txt")+" (2 lines)", s.path("sub"))
	requests := s.model.Requests()
	if raw := string(requests[len(requests)-1].Raw); !strings.Contains(raw, base64.StdEncoding.EncodeToString(dot.Bytes())) {
		s.t.Error("the model does not see the image")
	}
}

// largePaste pastes much more than the composer can show. It stands there as one chip,
// the model has it byte for byte between the words around it, and it is recalled as it
// was written. A smaller one is shown in its place, and changed there.
func (s *stage) largePaste() {
	s.t.Helper()
	var b strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&b, "%d\tindented  twice, 漢字 and 👩‍👩‍👧 and e\u0301; trailing blanks   \n\n", i)
	}
	text := b.String()
	s.typed("BEGIN")
	s.paste(text)
	s.wait("BEGIN[Pasted 8000 lines")
	s.typed("END @@go")
	if lines := strings.Count(s.screen(), "Pasted"); lines != 1 {
		s.t.Errorf("the chip is there %d times:\n%s", lines, s.screen())
	}
	s.press("enter")
	s.idle("Read it.")
	_, heard, _ := strings.Cut(s.heard("user"), "BEGIN")
	heard, _, ok := strings.Cut(heard, "END @@go")
	if got, want := sha256.Sum256([]byte(heard)), sha256.Sum256([]byte(text)); !ok || got != want {
		s.t.Errorf("the model has %d bytes, %x; pasted were %d, %x", len(heard), got, len(text), want)
	}
	s.press("up")
	s.wait("❯ BEGIN[Pasted 8000 lines")
	s.press("ctrl+c")
	s.wait(textReady)

	text = "first line"
	for i := range 12 {
		text += fmt.Sprintf("\nline %d", i)
	}
	s.paste(strings.ReplaceAll(text, "\n", "\r")) // as most terminals send it
	s.wait("❯ [Pasted 13 lines")
	s.press("ctrl+o")
	s.waitGone("❯ [Pasted")
	s.wait("line 11")
	s.typed(" and @@more")
	s.press("enter")
	s.idle("Read more.")
	s.requested("user", text+" and @@more")
}

// draftKeepsItsKeys has a question open while a draft is typed: every key stays with
// the draft, also those that would answer. A card that listens takes neither a paste
// nor a word.
func (s *stage) draftKeepsItsKeys(gate *llm.Gate) {
	s.t.Helper()
	s.say("make it @@ask")
	s.wait(textBusy)
	s.typed("half a")
	gate.Open()
	s.wait(textOnce, textTyping)
	s.typed(" thought, yes y")
	s.send("yyynnn")
	s.wait("yyynnn")
	for _, write := range []func(){func() { s.paste("y") }, func() { s.send("yes please") }} {
		s.press("ctrl+c") // the draft is put away
		s.waitGone("❯ half a thought", "❯ y")
		s.card(textOnce) // the focus comes back by itself
		write()
		s.wait(textOnce, textTyping, "❯ y")
		if s.exists("made.txt") || !strings.Contains(s.screen(), textWaiting) {
			s.t.Fatal("a paste or a word answered a question")
		}
	}
	s.press("ctrl+c")
	s.waitGone("❯ yes please")
	s.card(textOnce)
	s.press("y")
	s.idle("It is made.")
}

// inOrder reports whether a screen has the texts one after another.
func inOrder(screen string, texts ...string) bool {
	for _, text := range texts {
		_, after, ok := strings.Cut(screen, text)
		if !ok {
			return false
		}
		screen = after
	}
	return true
}

// rowWith reports whether one line of a screen has all the texts.
func rowWith(screen string, texts ...string) bool {
	for line := range strings.Lines(screen) {
		if inOrder(line, texts...) {
			return true
		}
	}
	return false
}
