package tui

import "github.com/charmbracelet/x/ansi"

// LeaveTerminal is the sequence that takes back all that a window sets in a
// terminal: for one that was killed and could not. It is safe to write where
// nothing is set.
func LeaveTerminal() string {
	return ansi.ResetModeSynchronizedOutput +
		ansi.PopKittyKeyboard(1) + ansi.ResetModifyOtherKeys +
		ansi.ResetMode(
			ansi.ModeMouseNormal, ansi.ModeMouseButtonEvent, ansi.ModeMouseAnyEvent, ansi.ModeMouseExtSgr,
			ansi.ModeFocusEvent, ansi.ModeBracketedPaste, ansi.ModeLightDark, ansi.ModeUnicodeCore, ansi.ModeCursorKeys,
		) +
		ansi.ResetProgressBar + ansi.ResetModeAltScreenSaveCursor +
		ansi.SetMode(ansi.ModeTextCursorEnable, ansi.ModeAutoWrap) + ansi.SetCursorStyle(0) + ansi.ResetStyle
}
