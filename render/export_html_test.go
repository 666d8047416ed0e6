package render_test

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"parley/render"
	"parley/session"
)

// htmlGoldens are the logs whose pages are compared in full.
var htmlGoldens = []string{"perm_write_edit_session", "hand/subagents", "hand/notices", "subagent_failed"}

var style = regexp.MustCompile(`(?s)<style>.*?</style>|sha256-[^']*`)

// styleless is a page without its style, which is the same in all.
func styleless(page string) string { return style.ReplaceAllString(page, "…") }

// elements are those of a page, and the attributes that each may have.
var elements = map[string]string{
	"html": "lang", "head": "", "meta": "charset http-equiv content name", "title": "", "style": "", "body": "",
	"header": "", "h1": "", "dl": "", "dt": "", "dd": "", "nav": "aria-label", "main": "", "footer": "",
	"section": "class", "div": "class", "h2": "id", "h3": "", "h4": "", "h5": "", "h6": "", "details": "open", "summary": "",
	"p": "", "pre": "class", "code": "", "span": "class", "b": "", "em": "", "strong": "", "del": "", "br": "", "hr": "",
	"blockquote": "", "ul": "", "ol": "start", "li": "", "table": "", "thead": "", "tbody": "", "tr": "", "th": "class", "td": "class", "a": "href rel",
}

// checkPage reads a page as a browser does: it has our elements alone, each
// closed where it was opened and where a browser leaves it, links to follow with
// care and nothing to fetch.
func checkPage(t rapid.TB, page string) {
	body := page[strings.Index(page, "<body>"):]
	var open, inOrder []string
	for z := html.NewTokenizer(strings.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			if len(open) > 0 {
				t.Fatalf("not closed: %v\n%s", open, body)
			}
			sameTree(t, page, inOrder)
			return
		case html.StartTagToken:
			tok := z.Token()
			allowed, ours := elements[tok.Data]
			if !ours {
				t.Fatalf("<%s> in\n%s", tok.Data, body)
			}
			for _, a := range tok.Attr {
				if !slices.Contains(strings.Fields(allowed), a.Key) {
					t.Fatalf("<%s %s> in\n%s", tok.Data, a.Key, body)
				}
			}
			inOrder = append(inOrder, tok.Data)
			checkTag(t, tok)
			if !slices.Contains([]string{"meta", "br", "hr"}, tok.Data) {
				open = append(open, tok.Data)
			}
		case html.EndTagToken:
			name := z.Token().Data
			if len(open) == 0 || open[len(open)-1] != name {
				t.Fatalf("</%s> closes %v\n%s", name, open, body)
			}
			open = open[:len(open)-1]
		case html.CommentToken, html.SelfClosingTagToken:
			t.Fatalf("%q in\n%s", z.Token().String(), body)
		default: // text
		}
	}
}

// checkTag holds the attributes of an element to what they may say.
func checkTag(t rapid.TB, tok html.Token) {
	for _, a := range tok.Attr {
		switch {
		case a.Key == "href" && strings.HasPrefix(a.Val, "#turn-"), a.Key != "href" && a.Key != "class":
		case a.Key == "href":
			scheme, _, _ := strings.Cut(strings.ToLower(a.Val), ":")
			if !slices.Contains([]string{"http", "https", "mailto"}, scheme) || !slices.Contains(tok.Attr, html.Attribute{Key: "rel", Val: "noopener noreferrer nofollow"}) {
				t.Fatalf("a link %v", tok.Attr)
			}
		case !regexp.MustCompile(`^[a-z ]+$`).MatchString(a.Val):
			t.Fatalf("a class %q", a.Val)
		}
	}
}

// sameTree compares the elements that a browser makes of a page with those that
// are written.
func sameTree(t rapid.TB, page string, want []string) {
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			got = append(got, n.Data)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("a browser reads other elements:\n%v\n%v\n%s", got, want, page[strings.Index(page, "<body>"):])
	}
}

// answerPage is the page of one answer, from its section.
func answerPage(text string) string {
	tl := reduced([]session.Event{{ID: "1", Body: session.AssistantMessage{MessageID: "m", Content: text}}})
	page := render.Export(tl, render.ExportOptions{Format: render.ExportHTML})
	_, page, _ = strings.Cut(page, "<section class=\"message\">\n")
	page, _, _ = strings.Cut(page, "\n</section>")
	return page
}

// TestExportHTMLAnswers: what markdown becomes.
func TestExportHTMLAnswers(t *testing.T) {
	t.Parallel()
	const rel = ` rel="noopener noreferrer nofollow"`
	for _, c := range []struct{ name, text, want string }{
		{"words", "a **b** *c* ~~d~~ `e<f>`\ng  \nh", "<p>a <strong>b</strong> <em>c</em> <del>d</del> <code>e&lt;f&gt;</code>\ng<br>\nh</p>"},
		{"heading", "# A\n###### B", "<h3>A</h3>\n<h6>B</h6>"},
		{"HTML", "<div onclick=x>\n\na <b>c</b><br>d", "<pre>&lt;div onclick=x&gt;\n</pre>\n<p>a &lt;b&gt;c&lt;/b&gt;<br>d</p>"},
		{"link", "[a](https://example.org/?a=1&b)", `<p><a href="https://example.org/?a=1&amp;b"` + rel + ">a</a></p>"},
		{"a link that pretends", "[https://good.example](https://bad.example)", `<p><a href="https://bad.example"` + rel + ">https://good.example</a> <code>https://bad.example</code></p>"},
		{"a link that runs", "[a](javascript:b) [c](java&#115;cript:d) <javascript:e>", "<p>a <code>javascript:b</code> c <code>javascript:d</code> javascript:e</p>"},
		{"data", "[a](data:text/html,b)", "<p>a <code>data:text/html,b</code></p>"},
		{"an image", "![a](https://example.org/b.png) [![c](d.png)](https://example.org)", `<p><a href="https://example.org/b.png"` + rel + `>[image: a]</a> <a href="https://example.org"` + rel + ">[image: c]</a></p>"},
		{"hidden", "a&#x202E;b \u202ec \x1b[31md", "<p>a⟦U+202E⟧b ⟦U+202E⟧c d</p>"},
		{"code", "```go\nreturn \"<b>\"\n```", "<pre><code><span class=\"sk\">return</span> <span class=\"ss\">&#34;&lt;b&gt;&#34;</span>\n</code></pre>"},
		{"a diff", "```diff\ndiff --git a b\nindex 1\n--- a\n+++ b\n@@ -1 +1 @@\n--- x\n+++\n c\n```", "<pre><span class=\"hunk\">diff --git a b\n</span><span class=\"hunk\">index 1\n</span><span class=\"hunk\">--- a\n</span><span class=\"hunk\">+++ b\n</span><span class=\"hunk\">@@ -1 +1 @@\n</span><span class=\"del\">--- x\n</span><span class=\"add\">+++\n</span> c\n</pre>"},
		{"list", "3. a\n4. b\n\n- [x] c", "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>\n<ul>\n<li>☑ c</li>\n</ul>"},
		{"table", "|a|b|\n|-|-:|\n|<i>|2|", "<table>\n<thead>\n<tr>\n<th>a</th>\n<th class=\"right\">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>&lt;i&gt;</td>\n<td class=\"right\">2</td>\n</tr>\n</tbody>\n</table>"},
		{"definitions", strings.Repeat("[a]: b\n", 5000), "<pre>" + strings.Repeat("[a]: b\n", 4999) + "[a]: b</pre>"},
	} {
		if got := answerPage(c.text); got != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, got, c.want)
		}
	}
}

// TestExportHTMLStyle: the page allows its own style by its hash, and no other.
func TestExportHTMLStyle(t *testing.T) {
	t.Parallel()
	page := render.Export(reduced([]session.Event{{ID: "1", Body: session.UserMessage{Content: "go"}}}), exported(render.ExportHTML))
	_, css, _ := strings.Cut(page, "<style>")
	css, _, _ = strings.Cut(css, "</style>")
	sum := sha256.Sum256([]byte(css))
	policy := `content="default-src 'none'; style-src 'sha256-` + base64.StdEncoding.EncodeToString(sum[:]) + `'; base-uri 'none'; form-action 'none'"`
	if !strings.Contains(page, policy) {
		t.Error("the policy does not fit the style")
	}
	for _, want := range []string{"--text: #1f2328", "--text: #e6edf3", "prefers-color-scheme: dark", "@media print"} {
		if !strings.Contains(css, want) {
			t.Errorf("no %q in the style", want)
		}
	}
	if strings.Contains(css, "url(") || strings.Contains(css, "@import") || strings.Contains(css, "<") {
		t.Error("the style fetches something")
	}
	for _, name := range regexp.MustCompile(`var\((--[a-z-]+)\)`).FindAllStringSubmatch(css, -1) {
		if strings.Count(css, name[1]+": #") != 2 {
			t.Errorf("%s is no colour of both palettes", name[1])
		}
	}
}
