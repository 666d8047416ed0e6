package demo

import (
	"fmt"
	"strconv"
	"strings"
)

// The sizes of long answers, in KB. More than the largest helps nobody.
const (
	longAnswer  = 6
	hugeAnswer  = 200
	largestHuge = 20_000
)

// playLong answers at length.
func (t *turn) playLong() error { return t.answerOf(func(heard) int { return longAnswer }) }

// playHuge answers at the length that the prompt names, in KB.
func (t *turn) playHuge() error { return t.answerOf(func(h heard) int { return hugeSize(h.prompt) }) }

func (t *turn) answerOf(kilobytes func(heard) int) error {
	return t.call(reply{
		reasoning: "The person wants a lot of text.", hears: func(h heard) string { return prose(kilobytes(h) << 10) },
	})
}

// hugeSize is the first number in a prompt, in KB.
func hugeSize(prompt string) int {
	numbers := strings.FieldsFunc(prompt, func(r rune) bool { return r < '0' || r > '9' })
	if len(numbers) == 0 {
		return hugeAnswer
	}
	n, err := strconv.Atoi(numbers[0])
	if err != nil {
		n = largestHuge // it has more digits than a number can have
	}
	return min(max(n, 1), largestHuge)
}

// prose is markdown of at least size bytes: every kind of block, over and over.
func prose(size int) string {
	var b strings.Builder
	for n := 1; b.Len() < size; n++ {
		fmt.Fprintf(&b, "## Part %d\n\nThis is paragraph text with **strong**, *emphasised* and `code` words, a "+
			"[link](https://example.org/%d), wide characters (日本語, 한국어) and an emoji 🎉. It goes on for a while, so "+
			"that it has to be wrapped on any screen, and then it ends.\n\n", n, n)
		fmt.Fprintf(&b, "- item %d of a list\n- another one\n  - with one below it\n\n1. first\n2. second\n\n", n)
		fmt.Fprintf(&b, "```go\n// part%d adds its arguments.\nfunc part%d(a, b int) int {\n\treturn a + b + %d\n}\n```\n\n", n, n, n)
		fmt.Fprintf(&b, "| name | value |\n|---|---:|\n| part | %d |\n| square | %d |\n\n> A quotation, for good measure.\n\n", n, n*n)
	}
	b.WriteString("That is all.\n")
	return b.String()
}
