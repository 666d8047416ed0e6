package e2e

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"parley/terminal/terminaltest"
	"parley/theme"
)

// TestInlineResized changes the size of a terminal, which breaks its lines, and types, sends and answers, 500 times in all, also
// while an answer comes: the terminal then has the conversation once, as `parley print` writes it.
func TestInlineResized(t *testing.T) {
	t.Parallel()
	const width, height, turns = 80, 24, 50
	random := rand.New(rand.NewPCG(1, 0))
	shown := terminaltest.Start(t, width, height)
	s := play(t, inlineScript("touch made.txt"), launch{
		own: true, home: t.TempDir(), inline: true, env: []string{"TERM_PROGRAM=vscode"}, width: width, height: height, mirror: shown,
	})
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the terminal shows\n%s", strings.Join(shown.Screen(), "\n"))
		}
	})
	has := func(text string) func() bool {
		return func() bool { return strings.Contains(strings.Join(shown.Screen(), "\n"), text) }
	}
	armed, err := strconv.ParseUint(strings.TrimPrefix(hex(theme.Dark().Style(theme.BorderArmed).GetForeground()), "#"), 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	acts, now := 0, [2]int{width, height}
	resize := func(most int) {
		for range random.IntN(most + 1) {
			w, h := now[0], now[1]
			for now[0] == w || (w+now[0]-1)/now[0]*(h/2) >= now[1] { // what has scrolled out stays
				now = [2]int{40 + random.IntN(60), 16 + random.IntN(20)}
			}
			s.sized(now[0], now[1])
			acts++
		}
	}
	for i := range turns {
		s.until("the composer", has("What should be done?"))
		acts += 2
		turn := []string{"short", "long", "run"}[random.IntN(3)]
		s.typed(fmt.Sprintf("turn %d", i))
		resize(4)
		s.typed(" @@" + turn)
		s.press("enter")
		resize(6)
		if turn == "run" {
			s.until("the question", has("Run this command?"))
			resize(6)
			s.sized(width+1, 40) // another width, by which the frame for the next is known
			now = [2]int{width, 40}
			s.sized(now[0], now[1])
			s.until("a question that listens", func() bool { return has("y  Yes, once")() && shown.Colour(textCard) == int(armed) })
			s.press("y")
			acts++
		}
		s.until("the end of the turn", func() bool { return has("What should be done?")() && !has("enter: send for its next step")() })
		resize(4)
	}
	s.sized(width, height)
	s.until("the composer", has("What should be done?"))
	id := s.id()
	s.typed("/quit")
	s.press("enter")
	s.exit()
	kept := strings.Join(shown.Lines(), "\n")
	path := filepath.Join(s.home(), "session-state", id, "events.jsonl")
	printed := lineIn(t, nil, "", "print", "--width", "79", path).Out
	if got, want := wordsIn(kept), wordsIn(printed); got != want {
		t.Errorf("the terminal has\n%s\nand the log is printed as\n%s", kept, printed)
	}
	if acts < 500 {
		t.Errorf("only %d things were done", acts)
	}
}

// between is what is between words where lines are broken, how long things took, and when a prompt was sent, for which a line may
// be too short.
var between = regexp.MustCompile(`([\s─│╭╮╰╯┊·]|\b\d+(\.\d)? ?m?s\b|\b\d\d:\d\d\b)+`)

// wordsIn are the words of a conversation from its first prompt on, one a line.
func wordsIn(s string) string {
	_, s, _ = strings.Cut(s, "turn 0 @@")
	s, _, _ = strings.Cut(s, "─ Session ended")
	s, _, _ = strings.Cut(s, "Resume this session with")
	return between.ReplaceAllString(s, "\n")
}
