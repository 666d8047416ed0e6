package e2e

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// TestUnpacedAnswerInTheWindow: while an answer comes as fast as the runtime passes
// it on, which then sends events again, every look at the screen shows its words
// each once and in order, but for two that no event distinguishes; and the end shows
// all in order.
func TestUnpacedAnswerInTheWindow(t *testing.T) {
	t.Parallel()
	sizes := []int{sessiontest.Soak(t, 60_000, 200_000), sessiontest.Soak(t, 60_000, 1_000_000)}
	for _, size := range slices.Compact(sizes) {
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
				if why := disorder(screen, last, sameTime); why != "" {
					t.Fatalf("look %d: %s\n%s", looks, why, screen)
				}
			}
			s.waitFor("the end of the answer", func(screen string) bool {
				look(screen)
				return strings.Contains(screen, "The end.")
			})
			s.waitFor("the end of the turn", func(screen string) bool {
				look(screen)
				return strings.Contains(screen, textReady)
			})
			s.idle("The end.", end)
			screen := s.screen()
			if n := strings.Count(screen, end); n != 1 || strings.Count(screen, "The end.") != 1 {
				t.Errorf("the end is there %d times:\n%s", n, screen)
			}
			if why := disorder(screen, last, 0); why != "" {
				t.Errorf("at the end: %s\n%s", why, screen)
			}
			t.Logf("%d bytes: %d looks, %v of the processor, %d bytes read",
				size, looks, processorTime(t, s.cmd.Process.Pid).Round(time.Millisecond), bytesRead(t, s.cmd.Process.Pid))
		})
	}
}

var countedWord = regexp.MustCompile(`\bw(\d+)\b`)

// sameTime is how many words are made within the time in which two events cannot be
// distinguished, with much to spare.
const sameTime = 40

// disorder says which words on a screen, of a number of them that are counted
// through, are not in order; "" is none. Two of the same length may have changed
// places if there are not more than some between them. The last word may be cut short.
func disorder(screen string, count, between int) string {
	words := countedWord.FindAllStringSubmatch(screen, -1)
	if len(words) == 0 {
		return ""
	}
	numbers, seen := make([]int, len(words)), map[int]bool{}
	firsts, first := map[int]int{}, 0 // what the first word would be if another is in its place
	for i, w := range words {
		n, err := strconv.Atoi(w[1])
		if err != nil || n >= count {
			return fmt.Sprintf("%s is no word of the answer", w[0])
		}
		numbers[i] = n
		if firsts[n-i]++; firsts[n-i] > firsts[first] {
			first = n - i
		}
	}
	for i, n := range numbers {
		should := first + i
		switch is, end := words[i][1], strconv.Itoa(should); {
		case i == len(words)-1 && strings.HasPrefix(end, is):
			n = should
		case seen[n]:
			return fmt.Sprintf("w%d is there twice", n)
		case n != should && (len(is) != len(end) || max(n-should, should-n) > between):
			return fmt.Sprintf("w%d stands where w%d should", n, should)
		}
		seen[n] = true
	}
	for i := between; i < len(words)-between; i++ { // the other of two may be beside the screen
		if !seen[first+i] {
			return fmt.Sprintf("w%d is not there", first+i)
		}
	}
	return ""
}

// TestDisorder: what disorder finds.
func TestDisorder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		screen  string
		between int
		ok      bool
	}{
		{"", 0, true},
		{"w7 w8 w9 w10 w11 w12", 0, true},
		{"w7 w8 w9 w10 w11 w1", 0, true},
		{"w7 w8 w9 w10 w11 w3", 0, false},
		{"w10 w11 w13 w12 w14 w15", 0, false},
		{"w10 w11 w13 w12 w14 w15", 1, true},
		{"w10 w11 w14 w13 w12 w15", 1, false},
		{"w10 w11 w12 w12 w14 w15", 1, false},
		{"w10 w11 w12 w14 w15 w16", 1, false},
		{"w7 w8 w10 w9 w11 w12", 5, false},
		{"w10 w11 w99 w13 w14 w15", 90, false},
	} {
		if why := disorder(c.screen, 50, c.between); (why == "") != c.ok {
			t.Errorf("%q: %q", c.screen, why)
		}
	}
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
