package tui

import (
	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/render/text"
	"parley/timeline"
)

// stepPrompt goes to the prompt after the block, or the one before it.
func (c *navigator) stepPrompt(down bool) {
	p := &c.pane
	i, ok := p.Timeline.Find(p.Cursor)
	if !ok {
		i = p.Timeline.Len()
	}
	by := -1
	if down {
		by = 1
	}
	for i += by; i >= 0 && i < p.Timeline.Len(); i += by {
		if _, prompt := p.Timeline.At(i).Body.(*timeline.Prompt); prompt && p.Shown(i) {
			p.Point(i)
			p.ShowTop(i)
			return
		}
	}
	c.tell("There is no other prompt that way.")
}

// lastFailure goes to what failed last; from there to what failed before.
func (c *navigator) lastFailure(string) tea.Cmd {
	p := &c.pane
	from := p.Timeline.Len()
	if i, ok := p.Timeline.Find(p.Cursor); ok && c.pane.Browsing && p.Timeline.At(i).Failure() {
		from = i
	}
	for i := from - 1; i >= 0; i-- {
		if p.Timeline.At(i).Failure() && p.Shown(i) {
			c.goTo(i)
			return nil
		}
	}
	if from < p.Timeline.Len() {
		c.tell("Nothing failed before this.")
	} else {
		c.tell("Nothing failed.")
	}
	return nil
}

// firstUnread goes to the first block that came while the user was elsewhere.
func (c *conversation) firstUnread(string) tea.Cmd {
	c.leaveAgents()
	i := c.timeline.Len()
	if last, ok := c.timeline.Find(c.seen); ok {
		i = last + 1
	} else if c.looking {
		i = 0 // there was nothing to see
	}
	if i < c.timeline.Len() && !c.pane.Shown(i) {
		i = c.pane.Below(i)
	}
	if i >= c.timeline.Len() {
		c.tell("You have seen all of it.")
		return nil
	}
	c.nav.goTo(i)
	c.pane.ShowTop(i)
	return nil
}

// looked notes what the user has seen when they turn away from the window.
func (c *conversation) looked() {
	c.looking, c.seen, c.left = true, "", c.timeline.Len()
	if c.left > 0 {
		c.seen = c.timeline.At(c.left - 1).ID
	}
}

// welcomeBack tells what came while the user was away.
func (c *conversation) welcomeBack() {
	n := 0
	for i := c.left; c.left > 0 && i < c.timeline.Len(); i++ {
		if render.Shown(c.timeline.At(i), c.pane.Options(c.timeline.At(i))) {
			n++
		}
	}
	if n > 1 {
		c.tell("%d new since you left; {unread} goes to the first", n)
	}
}

// goTo gives the keys to the timeline, at entry i.
func (c *navigator) goTo(i int) {
	c.closeOverlays()
	c.pane.Browsing = true
	c.pane.Point(i)
}

// setDensity shows more of the conversation, or less.
func (c *navigator) setDensity(to string) tea.Cmd {
	all := []render.Density{render.Normal, render.Verbose, render.Compact}
	next := all[(int(c.pane.Density)+1)%len(all)]
	for _, d := range all {
		if to == d.String() {
			next = d
		}
	}
	if to != "" && to != next.String() {
		c.tell("/density takes compact, normal or verbose.")
		return nil
	}
	c.pane.ShowBy(next)
	c.tell("%s", map[render.Density]string{
		render.Normal:  "Density: normal",
		render.Verbose: "Density: verbose, everything up to " + text.Size(render.VerboseBytes) + " is shown whole",
		render.Compact: "Density: compact, a line for each step",
	}[next])
	return nil
}

// setTimes shows times in another way, or not.
func (c *navigator) setTimes(to string) tea.Cmd {
	times, ok := timesNamed(to)
	if to == "" {
		times, ok = (c.pane.Opts.Times+1)%(render.TimesFull+1), true
	}
	if !ok {
		c.tell("/timestamps takes off, clock, ago or full.")
		return nil
	}
	c.pane.Opts.Times = times
	c.tell("Times: %s", timesNames()[times])
	return nil
}

// timesNames are the ways to show times, by their number.
func timesNames() []string { return []string{"off", "clock", "ago", "full"} }

// timesNamed finds a way to show times by its name.
func timesNamed(name string) (render.Times, bool) {
	for i, n := range timesNames() {
		if n == name {
			return render.Times(i), true
		}
	}
	return 0, false
}
