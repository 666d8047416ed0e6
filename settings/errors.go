package settings

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"parley/settings/didyoumean"
)

// MistakeError is what is wrong in a file of the user's, in one line.
type MistakeError struct {
	Path string
	Line int // from 1; 0 where it is about the whole file
	What string
}

// Error implements error.
func (m *MistakeError) Error() string {
	if m.Line == 0 {
		return m.Path + ": " + m.What
	}
	return fmt.Sprintf("%s, line %d: %s", m.Path, m.Line, m.What)
}

// Mistakes are the errors that errors.Join put together, one by one; of another
// error, it alone.
func Mistakes(err error) []error {
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		return []error{err}
	}
	var all []error
	var lines []string
	for _, e := range joined.Unwrap() {
		all = append(all, Mistakes(e)...)
		lines = append(lines, e.Error())
	}
	if err.Error() != strings.Join(lines, "\n") {
		return []error{err} // it says something of them all
	}
	return all
}

// meant asks for the nearest of the names, at the end of a sentence.
func meant(typed string, names []string) string {
	if name := didyoumean.Nearest(typed, names); name != "" {
		return fmt.Sprintf("; did you mean %q?", name)
	}
	return ""
}

// clip shortens what a file says, to be shown in a line.
func clip(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "..."
}
