package doctor

import (
	"cmp"
	"os"
	"slices"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"

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
	if front, err := unix.IoctlGetInt(int(in.Fd()), unix.TIOCGPGRP); err != nil || front != unix.Getpgrp() {
		return unanswered, func() {} // in the background it is not ours to ask
	}
	before, err := term.GetState(in.Fd())
	if err != nil {
		return unanswered, func() {}
	}
	quiet := *before
	quiet.Lflag &^= unix.ICANON | unix.ECHO
	quiet.Cc[unix.VMIN], quiet.Cc[unix.VTIME] = 1, 0
	if err := term.SetState(in.Fd(), &quiet); err != nil {
		return unanswered, func() {}
	}
	over = func() {
		terminal.DiscardInput(in)
		_ = term.Restore(in.Fd(), before)
	}
	if _, err := out.WriteString(questions + ansi.RequestTermcap(setClipboard) + ansi.RequestPrimaryDeviceAttributes); err != nil {
		return unanswered, over
	}
	var said []byte
	var took time.Duration
	asked := time.Now()
	heard = unanswered
	buffer := make([]byte, 4<<10)
	for end, done := time.Now().Add(terminalPatience), false; !done && readable(in, time.Until(end)); {
		n, err := in.Read(buffer)
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

// readable waits until a terminal can be read from.
func readable(in *os.File, wait time.Duration) bool {
	fd := int(in.Fd())
	for end := time.Now().Add(wait); wait > 0; wait = time.Until(end) {
		var set unix.FdSet
		set.Set(fd)
		left := unix.NsecToTimeval(wait.Nanoseconds())
		if n, err := unix.Select(fd+1, &set, nil, nil, &left); err != unix.EINTR {
			return err == nil && n > 0
		}
	}
	return false
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
