package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/session/sessiontest/llm"
)

// TestUnpacedAnswerInTheWindow: while an answer comes as fast as the runtime passes
// it on, which then sends events again, every look at the screen shows its words in
// order and each once; and so does the end.
func TestUnpacedAnswerInTheWindow(t *testing.T) {
	t.Parallel()
	sizes := []int{60_000}
	if os.Getenv("PARLEY_SOAK") != "" {
		sizes = []int{200_000, 1_000_000}
	}
	for _, size := range sizes {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			var text strings.Builder
			last := 0
			for ; text.Len() < size; last++ {
				fmt.Fprintf(&text, "w%d ", last)
			}
			end := fmt.Sprintf("w%d", last-1)
			s := play(t, llm.Script{"unpaced": {{Text: text.String() + "\n\nThe end."}}}, launch{width: 100, height: 30, kitty: true})
			s.say("begin @@unpaced")
			looks, seen := 0, ""
			look := func(screen string) {
				if screen == seen {
					return
				}
				looks, seen = looks+1, screen
				if why := disorder(screen, last); why != "" {
					t.Fatalf("look %d: %s\n%s", looks, why, screen)
				}
			}
			// The runtime sends copies for longer than the words take: the wait is
			// over when it sends nothing more, and not before.
			came := func() int64 { return bytesRead(t, s.cmd.Process.Pid) }
			s.waitWhile("the end of the answer", came, func(screen string) bool {
				look(screen)
				return strings.Contains(screen, "The end.")
			})
			s.waitWhile("the end of the turn", came, func(screen string) bool {
				look(screen)
				return strings.Contains(screen, textReady)
			})
			s.idle("The end.", end)
			screen := s.screen()
			if n := strings.Count(screen, end); n != 1 || strings.Count(screen, "The end.") != 1 {
				t.Errorf("the end is there %d times:\n%s", n, screen)
			}
			if why := disorder(screen, last); why != "" {
				t.Errorf("at the end: %s\n%s", why, screen)
			}
			t.Logf("%d bytes: %d looks, %v of the processor, %d bytes read",
				size, looks, processorTime(t, s.cmd.Process.Pid).Round(time.Millisecond), came())
		})
	}
}

var countedWord = regexp.MustCompile(`\bw(\d+)\b`)

// disorder says which words on a screen, of a number of them that are counted
// through, are not in order; "" is none. The last one may be cut short.
func disorder(screen string, count int) string {
	words := countedWord.FindAllStringSubmatch(screen, -1)
	last := -1
	for i, w := range words {
		n, err := strconv.Atoi(w[1])
		switch {
		case err != nil || n >= count:
			return fmt.Sprintf("%s is no word of the answer", w[0])
		case last < 0 || n == last+1:
		case i == len(words)-1 && strings.HasPrefix(strconv.Itoa(last+1), w[1]):
			return ""
		default:
			return fmt.Sprintf("w%d is followed by %s", last, w[0])
		}
		last = n
	}
	return ""
}

// bytesRead is how much a process has read so far, of files and of pipes.
func bytesRead(t *testing.T, pid int) int64 {
	t.Helper()
	account, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
	if err != nil {
		t.Skipf("the kernel does not account for what is read: %v", err)
	}
	_, after, _ := strings.Cut(string(account), "rchar: ")
	line, _, _ := strings.Cut(after, "\n")
	n, err := strconv.ParseInt(line, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
