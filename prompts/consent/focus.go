package consent

import "time"

// HasFocus reports whether the card has the focus.
func (c *Guard[M]) HasFocus() bool { return c.focused }

// WasFocused reports whether it was the user who moved the focus to the card.
func (c *Guard[M]) WasFocused() bool { return c.deliberate }

// Focus moves the focus to the card on the user's wish.
func (c *Guard[M]) Focus(at time.Time) {
	c.focused, c.deliberate = true, true
	c.aside, c.back = false, time.Time{}
	c.focusIn = Later(c.focusIn, at)
}

// PutAside takes the focus from the card because the user asked for it.
func (c *Guard[M]) PutAside() {
	c.blur()
	c.aside, c.back = true, time.Time{}
}

// blur takes the focus from the card; it stays pending.
func (c *Guard[M]) blur() {
	c.giveBack()
	c.focused, c.deliberate = false, false
}

// Draft notes whether there is an unsent draft. A draft that came to be behind
// the card's back takes the focus away, unless the user had put it here. Once
// the draft is empty again the focus comes back after the quiet time, unless the
// user had taken it away.
func (c *Guard[M]) Draft(empty bool, at time.Time) {
	was := c.drafted
	c.drafted = !empty
	switch {
	case !empty:
		c.back = time.Time{}
		if c.focused && !c.deliberate {
			c.blur()
		}
	case was && c.open && !c.focused && !c.aside:
		c.back = Later(at, c.elsewhere).Add(Quiet)
	}
}

// Window follows the focus of the terminal's window. Coming back, after a lock
// screen or a suspension, counts as a beginning.
func (c *Guard[M]) Window(focused bool, at time.Time) {
	c.giveBack()
	c.away = !focused
	if focused {
		c.focusIn = Later(c.focusIn, at)
	}
}
