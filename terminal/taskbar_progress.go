package terminal

import (
	"strconv"
	"strings"
)

// ShowsProgress reports whether the terminal is known to show progress in its
// tab or task bar (OSC 9;4; conemu.github.io/en/AnsiEscapeCodes.html). Others
// take it for a notification, and a multiplexer does not pass it on.
func (e Environment) ShowsProgress() bool {
	program, version := e.Get("TERM_PROGRAM"), e.Get("TERM_PROGRAM_VERSION")
	vte, _ := strconv.Atoi(e.Get("VTE_VERSION"))
	switch {
	case !e.Prefer.Progress || e.Multiplexer() != "":
		return false
	case e.Get("WT_SESSION") != "" || e.Get("ConEmuANSI") == "ON":
		return true
	case program == "ghostty" || e.Get("TERM") == "xterm-ghostty":
		return true
	case program == "WezTerm":
		return version >= "20250101" // dates; the release of 2024 shows a notification
	case program == "iTerm.app":
		return since(version, 3, 6, 6)
	case e.Get("LC_TERMINAL") == "iTerm2":
		return since(e.Get("LC_TERMINAL_VERSION"), 3, 6, 6)
	}
	return vte >= 7900
}

// since reports whether a version such as "3.6.6" is at least another one.
func since(version string, least ...int) bool {
	parts := strings.Split(version, ".")
	for i, n := range least {
		have := 0
		if i < len(parts) {
			digits, _, _ := strings.Cut(parts[i], "-")
			var err error
			if have, err = strconv.Atoi(digits); err != nil {
				return false
			}
		}
		if have != n {
			return have > n
		}
	}
	return true
}
