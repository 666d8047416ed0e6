package doctor

import (
	"cmp"
	"os"
	"slices"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"parley/terminal"
)

// terminalPatience is how long a terminal may take to answer; a far one needs
// its time.
const terminalPatience = 1500 * time.Millisecond

// setClipboard is the capability of terminfo that sets the clipboard (OSC 52).
const setClipboard = "Ms"

// questions are what the doctor asks a terminal. Every terminal answers the last
// one, so that nothing comes after that answer.
const questions = ansi.RequestBackgroundColor + ansi.RequestNameVersion + ansi.RequestKittyKeyboard +
	ansi.RequestModeSynchronizedOutput + ansi.RequestModeUnicodeCore + ansi.RequestModeFocusEvent

// askTerminal asks the terminal what it is and can. Its answers are read with
// the echo off and up to the last. The echo stays off until over is called: what
// the terminal says too late is dropped then, and so is what was typed meanwhile.
// Keys that end or stop a program do so all the while.
func askTerminal(in, out *os.File) (heard terminal.Heard, over func()) {
	unanswered := terminal.Heard{Unanswered: true}
	tty, over, ok := quiet(in)
	if !ok {
		return unanswered, func() {}
	}
	if _, err := out.WriteString(questions + ansi.RequestTermcap(setClipboard) + ansi.RequestPrimaryDeviceAttributes); err != nil {
		return unanswered, over
	}
	var said []byte
	var took time.Duration
	asked := time.Now()
	heard = unanswered
	buffer := make([]byte, 4<<10)
	for end, done := time.Now().Add(terminalPatience), false; !done && tty.Follows(time.Until(end)); {
		n, err := tty.Read(buffer)
		took = cmp.Or(took, time.Since(asked))
		said = append(said, buffer[:n]...)
		heard, done = readAnswers(said)
		done = done || err != nil || n == 0
	}
	if !heard.Unanswered {
		heard.RoundTrip = took
	}
	return heard, over
}

// readAnswers reads what a terminal has answered so far. done is true when the
// last answer is among it.
func readAnswers(said []byte) (heard terminal.Heard, done bool) {
	var decoder uv.EventDecoder
	none := true
	is := func(yes bool) terminal.Known {
		none = false
		if yes {
			return terminal.Yes
		}
		return terminal.No
	}
	for len(said) > 0 {
		n, event := decoder.Decode(said)
		said = said[max(1, n):]
		switch e := event.(type) {
		case uv.TerminalVersionEvent:
			heard.Version, none = e.Name, false
		case uv.BackgroundColorEvent:
			heard.Dark = is(e.IsDark())
		case uv.KeyboardEnhancementsEvent:
			heard.Keys = is(true)
		case uv.CapabilityEvent:
			heard.Clipboard = max(heard.Clipboard, is(e.Content != "" && e.Content[0] == setClipboard[0]))
		case uv.ModeReportEvent:
			has := is(e.Value != ansi.ModeNotRecognized)
			switch e.Mode {
			case ansi.ModeSynchronizedOutput:
				heard.Sync = has
			case ansi.ModeUnicodeCore:
				heard.Graphemes = has
			case ansi.ModeFocusEvent:
				heard.FocusEvents = has
			}
		case uv.PrimaryDeviceAttributesEvent:
			done = true
			if slices.Contains(e, 52) { // it sets the clipboard, as newer terminals say
				heard.Clipboard = terminal.Yes
			}
		}
	}
	if done {
		heard.Keys = max(heard.Keys, is(false)) // whoever speaks the protocol has answered by now
	}
	heard.Unanswered = none
	return heard, done
}
