package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest/llm"
)

// quickly is how soon what a user stops has to be over.
const quickly = 5 * time.Second

// prompts are the prompts of the only session that the runtime keeps, as it has
// stored them.
func prompts(t *testing.T, home string) []session.UserMessage {
	t.Helper()
	log, err := os.Open(filepath.Join(workspace(t, home), "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var all []session.UserMessage
	for ev, err := range session.ReadLog(log) {
		if err != nil {
			t.Fatal(err)
		}
		if u, ok := ev.Body.(session.UserMessage); ok {
			all = append(all, u)
		}
	}
	return all
}

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

// folder makes a folder in the agent's.
func folder(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestMentions types mentions of files and folders, and completes them. What is
// sent says where they are, and nothing is added to the words.
func TestMentions(t *testing.T) {
	t.Parallel()
	home, dir := t.TempDir(), t.TempDir()
	folder(t, filepath.Join(dir, "recipes", "old"))
	folder(t, filepath.Join(dir, "build"))
	put(t, filepath.Join(dir, ".gitignore"), "build/\n")
	put(t, filepath.Join(dir, "build", "marmalade.o"), "object\n")
	put(t, filepath.Join(dir, "recipes", "marmalade.txt"), "one\ntwo\nthree\nfour\n")
	put(t, filepath.Join(dir, "two words.md"), "# Two\n")
	s := play(t, llm.Script{"look": {{Text: "I have looked."}}}, launch{own: true, dir: dir, env: []string{"COPILOT_HOME=" + home}})

	s.send("compare @mrml") // fuzzy
	s.wait("❯ recipes/marmalade.txt")
	if strings.Contains(s.screen(), "marmalade.o") {
		t.Error("an ignored file is offered")
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
	s.typed("not @nothing.txt @@look")
	s.press("enter")
	s.idle("I have looked.", "recipes/marmalade.txt", "2-3")

	s.leave() // the runtime has stored all of it then
	all := prompts(t, home)
	const want = `compare @recipes/marmalade.txt with @recipes/ and @recipes/marmalade.txt:2-3, @"two words.md" not @nothing.txt @@look`
	if len(all) != 1 || all[0].Content != want {
		t.Fatalf("sent %+v", all)
	}
	var got []string
	for _, a := range all[0].Attachments {
		lines := ""
		if a.LineRange != nil {
			lines = fmt.Sprintf(" %d-%d", a.LineRange.Start, a.LineRange.End)
		}
		got = append(got, a.Type+" "+a.Path+lines)
	}
	text := s.path("recipes/marmalade.txt")
	if want := []string{"file " + text, "directory " + s.path("recipes"), "file " + text + " 2-3", "file " + s.path("two words.md")}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("attached %q, want %q", got, want)
	}
	s.told("user", want, text+" (lines 2-3 of", s.path("recipes"), s.path("two words.md"))
}

// TestEnterAndCompletion: Enter takes the row of a list of files that begins as
// what was typed, or that was gone to, and sends what is typed whole.
func TestEnterAndCompletion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "alpha.txt"), "a\n")
	put(t, filepath.Join(dir, "alphabet.txt"), "b\n")
	s := play(t, llm.Script{"": {{Text: "As you say."}}}, launch{dir: dir})
	s.send("see @alph")
	s.wait("alpha.txt", "alphabet.txt")
	s.press("enter")
	s.wait("❯ see @alpha.txt")
	s.press("enter")
	s.idle("As you say.")
	if got := s.askedFor(); len(got) != 1 || !strings.Contains(got[0], "see @alpha.txt") {
		t.Errorf("sent %q", got)
	}
	s.send("see @alph")
	s.wait("alpha.txt", "alphabet.txt")
	s.press("down", "enter")
	s.wait("❯ see @alphabet.txt")
	s.press("ctrl+c")
	s.wait(textReady)
	s.leave()
}

// TestCompletionInOneGo types on and takes the completion faster than the files
// are searched: what was typed last counts.
func TestCompletionInOneGo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "alpha.txt"), "a\n")
	put(t, filepath.Join(dir, "album.txt"), "b\n")
	s := play(t, nil, launch{dir: dir})
	for range 3 {
		s.send("see @al")
		s.wait("❯ album.txt", "alpha.txt")
		s.send("pha\t")
		s.wait("❯ see @alpha.txt")
		s.press("ctrl+c")
		s.wait(textReady)
	}
	s.leave()
}

// TestPastedFiles pastes the paths of a text, a folder and a picture, as a
// terminal does when files are dropped on it. They are attached, and only words
// are words.
func TestPastedFiles(t *testing.T) {
	t.Parallel()
	home, dir := t.TempDir(), t.TempDir()
	var dot bytes.Buffer
	if err := png.Encode(&dot, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "dot.png"), dot.String())
	put(t, filepath.Join(dir, "my notes.txt"), "the secret word is marmalade\n")
	folder(t, filepath.Join(dir, "sub"))
	s := play(t, llm.Script{"see": {{Text: "I see it."}}}, launch{own: true, dir: dir, env: []string{"COPILOT_HOME=" + home}})
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

	s.leave() // the runtime has stored all of it then
	all := prompts(t, home)
	if len(all) != 1 || len(all[0].Attachments) != 3 {
		t.Fatalf("sent %+v", all)
	}
	if want := "[dot.png] [my notes.txt] [sub/] /no/such/path what are they? @@see"; all[0].Content != want {
		t.Errorf("sent the words %q", all[0].Content)
	}
	for i, want := range []session.Attachment{
		{Type: "file", Path: s.path("dot.png"), DisplayName: "dot.png"},
		{Type: "file", Path: s.path("my notes.txt"), DisplayName: "my notes.txt"},
		{Type: "directory", Path: s.path("sub"), DisplayName: "sub/"},
	} {
		if got := all[0].Attachments[i]; got.Type != want.Type || got.Path != want.Path || got.DisplayName != want.DisplayName {
			t.Errorf("attached %+v, want %+v", got, want)
		}
	}
	s.told("user", s.path("dot.png"), s.path("my notes.txt")+" (2 lines)", s.path("sub"))
	if raw := string(s.model.Requests()[0].Raw); !strings.Contains(raw, base64.StdEncoding.EncodeToString(dot.Bytes())) {
		t.Error("the model does not see the picture")
	}
}

// TestLargePaste pastes much more than the composer can show. It stands there as
// one chip, and the model has it byte for byte between the words around it.
func TestLargePaste(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"go": {{Text: "Read it."}}}, launch{})
	var b strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&b, "%d\tindented  twice, 漢字 and 👩‍👩‍👧 and e\u0301; trailing blanks   \n\n", i)
	}
	text := b.String()
	s.typed("BEGIN")
	s.paste(text)
	s.wait("BEGIN[Pasted 8000 lines")
	s.typed("END @@go")
	if lines := strings.Count(strings.TrimRight(s.screen(), "\n"), "Pasted"); lines != 1 {
		t.Errorf("the chip is there %d times:\n%s", lines, s.screen())
	}
	s.press("enter")
	s.idle("Read it.")
	heard := s.heard("user")
	_, heard, _ = strings.Cut(heard, "BEGIN")
	heard, _, ok := strings.Cut(heard, "END @@go")
	if got, want := sha256.Sum256([]byte(heard)), sha256.Sum256([]byte(text)); !ok || got != want {
		t.Errorf("the model has %d bytes, %x; pasted were %d, %x", len(heard), got, len(text), want)
	}
	s.press("up") // it is recalled as it was written
	s.wait("BEGIN[Pasted 8000 lines")
	s.press("ctrl+c")
	s.wait(textReady)
	s.leave()
}

// TestPasteExpands shows the text of a chip in its place, and sends what was
// changed in it.
func TestPasteExpands(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"go": {{Text: "Read it."}}}, launch{height: 40, width: 100})
	text := "first line"
	for i := range 12 {
		text += fmt.Sprintf("\nline %d", i)
	}
	s.paste(strings.ReplaceAll(text, "\n", "\r")) // as most terminals send it
	s.wait("[Pasted 13 lines")
	s.press("ctrl+o")
	s.waitGone("[Pasted")
	s.wait("line 11")
	s.typed(" and @@go")
	s.press("enter")
	s.idle("Read it.")
	s.told("user", text+" and @@go")
	s.leave()
}

// TestOwnCommand runs a command of the user's own: nothing asks, what it says
// is on the screen, and the model has it with the next prompt.
func TestOwnCommand(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"go": {{Text: "So I heard."}}}, launch{})
	s.typed("!echo hi-$((40+2)); touch mine.txt; exit 3")
	s.press("enter")
	s.idle("hi-42", "echo hi-")
	s.waitGone("running your command")
	if strings.Contains(s.screen(), textOnce) || !s.exists("mine.txt") {
		t.Errorf("it asked, or did not run:\n%s", s.screen())
	}
	if n := len(s.model.Requests()); n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
	s.say("what did it say? @@go")
	s.idle("So I heard.")
	s.told("user", "hi-42", "touch mine.txt; exit 3", "what did it say?")
	s.leave()
}

// TestOwnCommandStopped stops a command of the user's own with a key, and all
// that it has started.
func TestOwnCommandStopped(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"go": {{Text: "Here again."}}}, launch{})
	for _, key := range []string{"esc", "ctrl+c"} {
		s.typed("!echo on-$((1+1))-" + key[:3] + " && sleep 600")
		s.press("enter")
		s.wait("on-2-"+key[:3], "running your command")
		soon, done := context.WithTimeout(t.Context(), quickly)
		s.press(key)
		s.waitGone("running your command")
		if soon.Err() != nil {
			t.Errorf("%s did not stop it in %v", key, quickly)
		}
		done()
		s.wait(textReady)
	}
	s.say("go on @@go")
	s.idle("Here again.")
	for _, p := range s.descendants() {
		if strings.Contains(p.command, "sleep 600") {
			t.Errorf("a stopped command goes on: %d %s", p.pid, p.command)
		}
	}
	s.leave()
}

// TestQueueChanged puts prompts in the queue of a slow turn, changes their order,
// takes some back and sends one at once. The model receives what is left, in
// order.
func TestQueueChanged(t *testing.T) {
	t.Parallel()
	gate := llm.NewGate()
	s := play(t, llm.Script{
		"slow": {{Text: "I begin slowly and go on.", Hold: gate, HoldAfter: 2}, {Text: "That was it."}},
		"one":  {{Text: "Alpha is done."}},
		"two":  {{Text: "Beta is done."}},
	}, launch{width: 100, height: 40})
	s.say("begin @@slow")
	s.wait("I begin", textBusy)
	for i, prompt := range []string{"alpha @@one", "beta @@two", "gamma at once", "delta not at all", "epsilon once more"} {
		s.typed(prompt)
		s.press("ctrl+q")
		s.wait(fmt.Sprintf("%d waiting", i+1), textBusy)
	}
	s.press("ctrl+x", "q")
	s.wait("Waiting prompts", "❯ alpha @@one")
	s.press("down")
	s.wait("❯ beta @@two")
	s.press("shift+up")
	s.waitFor("beta to be the first", func(screen string) bool { return inOrder(screen, "❯ beta @@two", "alpha @@one", "gamma") })
	s.press("down", "down", "down")
	s.wait("❯ delta not at all")
	s.press("x")
	s.wait("4 waiting")
	s.to("gamma at once")
	s.press("s")
	s.waitFor("gamma to steer", func(screen string) bool { return rowWith(screen, "gamma at once", "steering") })
	s.press("esc")
	s.waitGone("Waiting prompts")
	s.press("up")
	s.wait("❯ epsilon once more")
	s.wait("3 waiting")
	s.press("ctrl+c")
	s.wait(textBusy)
	gate.Open()
	s.idle("Alpha is done.", "Beta is done.")
	s.waitGone("waiting")
	var got []string
	for _, prompt := range s.askedFor() {
		for _, name := range []string{"begin", "alpha", "beta", "gamma", "delta", "epsilon"} {
			if strings.Contains(prompt, name+" ") {
				got = append(got, name)
			}
		}
	}
	if fmt.Sprint(got) != "[begin gamma beta alpha]" {
		t.Errorf("the model was asked %q: %q", got, s.askedFor())
	}
	s.press("ctrl+s") // what was taken back is not lost
	s.wait("❯ epsilon once more")
	s.press("ctrl+c")
	s.wait(textReady)
	s.press("ctrl+r")
	s.wait("delta not at all", "taken back")
	s.press("esc")
	s.waitGone("taken back")
	s.leave()
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
