package text

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// longestHost is the most bytes of a host name (RFC 1035, section 2.3.4).
const longestHost = 255

// OddHost returns the host of an address with letters beyond ASCII, which may
// look like others: in these letters, safe to show on one line, and in the xn--
// form that the network uses. Ok is false for any other address.
func OddHost(address string) (letters, ascii string, ok bool) {
	u, err := url.Parse(address)
	if err != nil {
		return "", "", false
	}
	host := strings.ToLower(u.Hostname())
	if len(host) > longestHost || !strings.ContainsFunc(host, beyondASCII) && !strings.Contains("."+host, ".xn--") {
		return "", "", false
	}
	// Where a form cannot be made, the host stays as it is.
	letters, _ = idna.Punycode.ToUnicode(host)
	ascii, _ = idna.Punycode.ToASCII(host)
	return SanitizeShowHidden(strings.ReplaceAll(letters, "\n", " ")), SanitizeShowHidden(ascii), true
}

func beyondASCII(r rune) bool { return r >= utf8.RuneSelf }
