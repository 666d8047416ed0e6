package browser

import (
	"parley/history/sessions"
	"parley/session"
)

// The requests of a browser, in addition to those of any overlay.
type (
	// Start starts a new session.
	Start struct{}
	// Resume continues a session.
	Resume struct{ Session sessions.Session }
	// Read shows a session that is not continued.
	Read struct{ ID session.ID }
	// Fork continues a copy of a session.
	Fork struct{ ID session.ID }
	// Export writes a session, or turns of it, to a file; To is what the user wrote.
	Export struct {
		Session sessions.Session
		To      string
	}
	// Rename gives a session that is open in the window a name.
	Rename struct {
		ID   session.ID
		Name string
	}
	// Marked reports that something was noted about a session.
	Marked struct{}
	// Failed reports that something could not be noted. It comes from a browser that is
	// closed: one that is open shows it itself.
	Failed struct {
		What string // such as "pin the session"
		Err  error
	}
)

// OverlayRequest implements overlay.Request.
func (Start) OverlayRequest() {}

// OverlayRequest implements overlay.Request.
func (Resume) OverlayRequest() {}

// OverlayRequest implements overlay.Request.
func (Read) OverlayRequest() {}

// OverlayRequest implements overlay.Request.
func (Fork) OverlayRequest() {}

// OverlayRequest implements overlay.Request.
func (Export) OverlayRequest() {}

// OverlayRequest implements overlay.Request.
func (Rename) OverlayRequest() {}

// OverlayRequest implements overlay.Request.
func (Marked) OverlayRequest() {}

// OverlayRequest implements overlay.Request.
func (Failed) OverlayRequest() {}
