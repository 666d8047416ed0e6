package overlay

// Request is something that an overlay asks the window for. What any overlay may ask
// for is here; what only one asks for is declared beside it.
type Request interface{ OverlayRequest() }

type (
	// Close closes the overlay.
	Close struct{}
	// Copy puts a text on the clipboard.
	Copy struct{ Text string }
	// OpenAddress shows an address in the browser, if it is one of the web.
	OpenAddress struct{ URL string }
	// OpenPlace opens a file in the user's own editor, at a line and a column from 1; a column
	// of 0 is not known.
	OpenPlace struct {
		Path         string
		Line, Column int
	}
	// OpenInEditor shows a text in the user's own editor. Name is the name of its file.
	OpenInEditor struct{ Text, Name string }
	// Help shows the keys, those of a context of the table first. The overlay is there again
	// once that is closed.
	Help struct{ Context string }
	// Comment closes the overlay and begins a comment in the draft with a text.
	Comment struct{ Text string }
)

// OverlayRequest implements Request.
func (Close) OverlayRequest() {}

// OverlayRequest implements Request.
func (Copy) OverlayRequest() {}

// OverlayRequest implements Request.
func (OpenAddress) OverlayRequest() {}

// OverlayRequest implements Request.
func (OpenPlace) OverlayRequest() {}

// OverlayRequest implements Request.
func (OpenInEditor) OverlayRequest() {}

// OverlayRequest implements Request.
func (Help) OverlayRequest() {}

// OverlayRequest implements Request.
func (Comment) OverlayRequest() {}
