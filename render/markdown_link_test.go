package render

import (
	"strings"
	"testing"

	"parley/theme"
)

// TestOddHosts: of a link to a host with letters beyond ASCII both forms of its
// name are shown, with these letters marked, wherever the label leads one to
// believe that it goes.
func TestOddHosts(t *testing.T) {
	t.Parallel()
	th := theme.Plain()
	for source, want := range map[string]string{
		"<https://gith\u0443b.com/a>":            "https://gith\u0443b.com/a (gith\u0443b.com = xn--githb-hze.com)",
		"see https://gith\u0443b.com/a, there":   "see https://gith\u0443b.com/a (gith\u0443b.com = xn--githb-hze.com), there",
		"https://github.\u0441om":                "https://github.\u0441om (github.\u0441om = github.xn--om-nmc)",
		"https://github.com/a\u89c1\u6b64":       "https://github.com/a\u89c1\u6b64",
		"https://github.com\u89c1\u6b64":         "https://github.com\u89c1\u6b64",
		"[GitHub](https://gith\u0443b.com)":      "GitHub https://gith\u0443b.com (gith\u0443b.com = xn--githb-hze.com)",
		"[github.com](https://xn--gthub-n4a.co)": "github.com https://xn--gthub-n4a.co (g\u0131thub.co = xn--gthub-n4a.co)",
		"![a](https://gith\u0443b.com/a.png)":    "[image: a] https://gith\u0443b.com/a.png (gith\u0443b.com = xn--githb-hze.com)",
		"<https://github.com/\u00e4>":            "https://github.com/\u00e4",
		"<https://xn--99999999.com>":             "https://xn--99999999.com (xn--99999999.com = xn--99999999.com)",
	} {
		lines := DrawBlock(Block{Kind: Prose, Source: source}, 200, th)
		if got := strings.TrimSpace(strings.Join(lines, "\n")); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", source, got, want)
		}
	}
}
