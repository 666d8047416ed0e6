package render

import (
	"strconv"
	"strings"

	"parley/theme"
	"parley/timeline"
)

// picture tells what is known of a picture: its name, type, size and bytes.
func picture(i timeline.Image, o Options) string {
	facts := []string{strings.TrimSpace("picture " + squeeze(brief(i.Name))), squeeze(brief(i.MIMEType))}
	if i.Width > 0 && i.Height > 0 {
		facts = append(facts, strconv.Itoa(i.Width)+"×"+strconv.Itoa(i.Height))
	}
	if i.Bytes > 0 {
		facts = append(facts, Size(i.Bytes))
	}
	return joinedText(" "+o.Theme.Glyph(theme.MarkDot)+" ", facts...)
}

// drawPictures draws a chip for each picture, under the line they belong to.
func drawPictures(images []timeline.Image, o Options) []string {
	var chips []string
	for _, i := range images {
		chips = append(chips, "["+picture(i, o)+"]")
	}
	if len(chips) == 0 {
		return nil
	}
	lines := packed(chips, o.Width-nested(o))
	for i, l := range lines {
		lines[i] = o.Theme.Render(theme.Dim, l)
	}
	return hang(spaces(nested(o)), lines, nested(o))
}

// packed puts short texts on as few lines as hold them in their order. None is
// torn that fits on a line.
func packed(texts []string, width int) []string {
	var lines []string
	for _, t := range texts {
		if n := len(lines) - 1; n >= 0 && Width(lines[n])+1+Width(t) <= width {
			lines[n] += " " + t
			continue
		}
		lines = append(lines, Wrap(t, max(1, width))...)
	}
	return lines
}
