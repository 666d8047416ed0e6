package timeline

import (
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of places in files.
const (
	maxPathBytes  = 1024
	maxLineDigits = 7
)

// filePlaces appends the places in files that a text names as path:line or
// path:line:column, as compilers and searches write them, in order. Whether there is
// such a file is not known here. It is linear: no path goes back over a colon.
func filePlaces(out []Link, text string) []Link {
	for at := 0; ; {
		i := strings.IndexByte(text[at:], ':')
		if i < 0 {
			return out
		}
		path := pathBefore(text[at : at+i])
		start := at + i - len(path)
		if drive := driveBefore(text[:start], path); drive != "" {
			start -= len(drive)
			path = drive + path
		}
		at += i + 1
		line, n := lineNumber(text[at:])
		if line == 0 || path == "" {
			continue
		}
		at += n
		column := 0
		if rest, ok := strings.CutPrefix(text[at:], ":"); ok {
			if column, n = lineNumber(rest); column > 0 {
				at += 1 + n
			}
		}
		out = append(out, Link{Text: text[start:at], Path: path, Line: line, Column: column})
	}
}

// pathBefore is the path at the end of s; "" if what stands there is no path, such as the
// hour of a time.
func pathBefore(s string) string {
	s = s[max(0, len(s)-maxPathBytes-1):]
	start := len(s)
	for start > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:start])
		if !inPath(r) {
			break
		}
		start -= n
	}
	path := s[start:]
	if !strings.Contains(path, "]") {
		path = strings.TrimLeft(path, "[")
	}
	first, _ := utf8.DecodeRuneInString(path)
	named := strings.ContainsAny(filepath.ToSlash(path), "./") || unicode.IsUpper(first) // a file, as in Makefile:3
	if len(path) > maxPathBytes || !named || !strings.ContainsFunc(path, unicode.IsLetter) {
		return ""
	}
	return path
}

// ofWindows reports whether a path may have backslashes, and begin with a drive.
const ofWindows = filepath.Separator == '\\'

// driveBefore is the drive at the end of s that a path is on, as in C:; "" for none.
func driveBefore(s, path string) string {
	drive := s[max(0, len(s)-2):]
	if !ofWindows || path == "" || !strings.ContainsRune(`\/`, rune(path[0])) || filepath.VolumeName(drive) == "" {
		return ""
	}
	if before, _ := utf8.DecodeLastRuneInString(s[:len(s)-2]); len(s) > 2 && inPath(before) {
		return ""
	}
	return drive
}

// inPath reports whether r can stand in a path that is recognised in a text.
func inPath(r rune) bool {
	return strings.ContainsRune("._-/+@~$[]", r) || ofWindows && r == '\\' ||
		inAddress(r) && (r >= utf8.RuneSelf || unicode.IsLetter(r) || unicode.IsDigit(r))
}

// lineNumber is the number from 1 at the start of s and its length; 0 if s begins with no number, or
// letters follow it.
func lineNumber(s string) (number, length int) {
	for length < len(s) && s[length] >= '0' && s[length] <= '9' {
		length++
	}
	if next, _ := utf8.DecodeRuneInString(s[length:]); length > maxLineDigits || unicode.IsLetter(next) {
		return 0, 0
	}
	number, _ = strconv.Atoi(s[:length]) // 0 for none
	return number, length
}
