package render

import "parley/timeline"

// ExportEntry is what one entry adds to an export as markdown.
func ExportEntry(e *timeline.Entry, o ExportOptions) []string {
	x := &exporter{ExportOptions: o, page: &markdownPage{}, draw: o.options(roomy), prompts: 1}
	x.entry(e)
	return x.blocks
}

// Held is the number of lines a cache holds.
func Held(c *Cache) int {
	n := 0
	for d := range c.lines.Values() {
		n += len(d.lines)
	}
	return n
}
