package drafts

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session/sessiontest"
)

func TestMain(m *testing.M) { sessiontest.Main(m, sessiontest.Roles{"window": playWindow}) }

// playWindow is a window that takes over what is there and continues typing: with
// every letter it saves, and after each Save it says how far it has come.
func playWindow(dir, name string) error {
	j, err := Open(dir, time.Now())
	if err != nil {
		return err
	}
	var s State
	for seq := uint64(1); ; seq++ {
		if seq%4 == 1 { // what others left comes while this one is typing
			states, err := j.Recover("/w", "")
			if err != nil {
				return err
			}
			for _, old := range states {
				s.Unsent = append(s.Unsent, old.Unsent...)
				s.Recovered = append(s.Recovered, old.Recovered...)
			}
		}
		word := fmt.Sprintf("%s-%d", name, seq)
		s.Dir, s.Unsent = "/w", append(s.Unsent, word)
		s.Draft = Draft{Text: word, Chips: []Chip{{Paste: strings.Repeat(word+"\n", int(seq%3)*10_000)}}}
		if err := j.Save(seq, s); err != nil {
			return err
		}
		if _, err := fmt.Println(word); err != nil { //nolint:forbidigo // the other end of a pipe
			return err
		}
	}
}

// TestKilledWindowsLoseNothing kills windows at random points, several at once,
// each of which takes over what those before it left: every word whose Save had
// returned is there in the end, and the last draft whole.
func TestKilledWindowsLoseNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "drafts")
	random := rand.New(rand.NewPCG(5, 6))
	generations := 12
	if testing.Short() {
		generations = 3
	}
	saved := map[string]bool{}
	for g := range generations {
		var windows []*sessiontest.Process
		for w := range 2 {
			windows = append(windows, sessiontest.Start(t, "window", dir, fmt.Sprintf("%d.%d", g, w)))
		}
		for _, p := range windows {
			for range 1 + random.IntN(12) { // then somewhere in the next words
				if word, err := p.Out.ReadString('\n'); err == nil {
					saved[strings.TrimSpace(word)] = true
				}
			}
			time.Sleep(time.Duration(random.IntN(3000)) * time.Microsecond)
			if err := p.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range windows {
			for {
				word, err := p.Out.ReadString('\n')
				if err != nil {
					break
				}
				saved[strings.TrimSpace(word)] = true
			}
			if err := p.Wait(); err == nil || p.Errors.Len() > 0 {
				t.Fatalf("it ended by itself: %v %s", err, p.Errors)
			}
		}
	}
	there := map[string]int{}
	for _, s := range mustRecover(t, mustOpen(t, dir), "/w", "") {
		for _, word := range s.Unsent {
			there[word]++
		}
		if paste := s.Draft.Chips[0].Paste; strings.ReplaceAll(paste, s.Draft.Text+"\n", "") != "" {
			t.Errorf("the paste of %q is not whole", s.Draft.Text)
		}
	}
	for word := range saved {
		if there[word] == 0 {
			t.Errorf("%s was saved and is lost", word)
		}
	}
	for word, n := range there {
		if n > 1 {
			t.Errorf("%s came back %d times", word, n)
		}
	}
	if len(saved) < generations {
		t.Errorf("only %d words were saved", len(saved))
	}
}
