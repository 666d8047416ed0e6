package e2e

import (
	"fmt"
	"slices"
	"strings"
)

// moment is what a moving picture shows for a while: the rows of the screen that are not
// empty as they are drawn at the top, the cursor, and what stands above.
type moment struct {
	rows          []string
	cursor, title string
	seconds       float64
}

// film is a chat of which moments are kept.
type film struct {
	*stage
	moments []moment
}

// show keeps what the screen shows now as the next moment, for so long, under a title. If
// it shows the same as before, that is shown longer.
func (f *film) show(title string, seconds float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := moment{cursor: f.drawCursor(), title: f.titleOf(title), seconds: seconds}
	for y := range f.emu.Height() {
		m.rows = append(m.rows, f.drawRow(y, 0))
	}
	if n := len(f.moments) - 1; n >= 0 {
		last := &f.moments[n]
		if last.cursor == m.cursor && last.title == m.title && slices.Equal(last.rows, m.rows) {
			last.seconds += seconds
			return
		}
	}
	f.moments = append(f.moments, m)
}

// movingPicture draws the moments as one SVG, beside each other on a strip that moves by one
// at a time, over and over. Who wants no motion sees the last one. A row that several moments
// show is drawn once.
func (f *film) movingPicture() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	width, _ := f.size()
	whole := 0.0
	for _, m := range f.moments {
		whole += m.seconds
	}
	var b, strip strings.Builder
	b.WriteString(f.pictureHead())
	fmt.Fprintf(&b, "<style>\n.strip { animation: play %.1fs step-end infinite }\n@keyframes play {\n", whole)
	drawn, began := map[string]int{}, 0.0
	var rows []string
	for i, m := range f.moments {
		left := float64(i) * width
		fmt.Fprintf(&b, "%.3f%% { transform: translateX(-%.0fpx) }\n", 100*began/whole, left)
		began += m.seconds
		fmt.Fprintf(&strip, `<g transform="translate(%.0f)">`+"\n%s", left, m.title)
		for y, row := range m.rows {
			if row == "" {
				continue
			}
			n, known := drawn[row]
			if !known {
				n = len(drawn)
				drawn[row], rows = n, append(rows, row)
			}
			fmt.Fprintf(&strip, `<use href="#r%d" y="%.0f"/>`+"\n", n, titleBar+screenEdge+float64(y)*cellHeight)
		}
		fmt.Fprintf(&strip, "%s</g>\n", m.cursor)
	}
	last := float64(len(f.moments)-1) * width
	fmt.Fprintf(&b, "}\n@media (prefers-reduced-motion: reduce) { .strip { animation: none; transform: translateX(-%.0fpx) } }\n</style>\n<defs>\n", last)
	for n, row := range rows {
		fmt.Fprintf(&b, `<g id="r%d">`+"\n%s</g>\n", n, row)
	}
	fmt.Fprintf(&b, "</defs>\n<g class=\"strip\">\n%s</g>\n</svg>\n", strip.String())
	return b.String()
}
