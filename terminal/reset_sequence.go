package terminal

import "github.com/charmbracelet/x/ansi"

// ResetSequence is the sequence that resets all that a window sets in a terminal, but for
// the title: for a window that was killed. It is safe to write if nothing is set.
func (e Environment) ResetSequence() string {
	progress := ""
	if e.Prefer.Progress = true; e.ShowsProgress() { // it may have been shown before that was switched off
		progress = ansi.ResetProgressBar
	}
	leave := ansi.ResetModeAltScreenSaveCursor
	if e.Inline { // on the terminal's own screen, which a saved place must not be of another time
		leave = "\r\n" + ansi.SaveCursor + leave + ansi.EraseScreenBelow
	}
	return ansi.ResetModeSynchronizedOutput +
		ansi.PopKittyKeyboard(1) + ansi.ResetModifyOtherKeys +
		ansi.ResetMode(
			ansi.ModeMouseNormal, ansi.ModeMouseButtonEvent, ansi.ModeMouseAnyEvent, ansi.ModeMouseExtSgr,
			ansi.ModeFocusEvent, ansi.ModeBracketedPaste, ansi.ModeLightDark, ansi.ModeUnicodeCore, ansi.ModeCursorKeys,
		) +
		progress + leave +
		ansi.SetMode(ansi.ModeTextCursorEnable, ansi.ModeAutoWrap) + ansi.SetCursorStyle(0) + ansi.ResetStyle
}

// resetTitle gives the terminal the title back that it had before the window's, if the
// window sets one.
func (e Environment) resetTitle() string {
	if !e.Prefer.Title {
		return ""
	}
	return ansi.SetWindowTitle("") + ansi.WindowOp(giveTitle, windowTitle)
}
