package text

import (
	"net/url"
	"strings"
)

// SafeURL reports whether a terminal may be asked to follow an address: http,
// https or mailto, printable ASCII, of a sane length, and without user data
// before the host, which only serves to hide it.
func SafeURL(s string) bool {
	if len(s) > 2048 || strings.ContainsFunc(s, func(r rune) bool { return r <= 0x20 || r >= 0x7f }) {
		return false
	}
	u, err := url.Parse(s)
	if err != nil || u.User != nil {
		return false
	}
	switch u.Scheme {
	case "http", "https":
		return u.Host != "" && !strings.Contains(s[:len(u.Scheme)+3+len(u.Host)], "%")
	case "mailto":
		return u.Opaque != ""
	}
	return false
}
