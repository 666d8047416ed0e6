package render

// Held is the number of lines a cache holds.
func Held(c *Cache) int {
	n := 0
	for _, g := range []map[slot]weighed[drawing]{c.lines.young, c.lines.old} {
		for _, w := range g {
			n += len(w.value.lines)
		}
	}
	return n
}
