package composer

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/history/drafts"
	"parley/session"
	"parley/tui/files"
)

// disk is what is there: paths of files, and of folders with a slash.
type disk []string

func (d disk) stat(path string) (folder, ok bool) {
	path = filepath.ToSlash(path)
	folder = slices.Contains(d, path+"/")
	return folder, folder || slices.Contains(d, path)
}

func TestResolveMentions(t *testing.T) {
	t.Parallel()
	there := disk{"/work/a.go", "/work/src/", "/work/two words", "/home/ada/x", "/home/ada/", "/etc/hosts", "/work/é"}
	file := func(path, name string) session.Attachment {
		return session.Attachment{Type: "file", Path: filepath.FromSlash(path), DisplayName: name}
	}
	lines := func(a session.Attachment, start, end int) session.Attachment {
		a.LineRange = &session.LineRange{Start: start, End: end}
		return a
	}
	for _, c := range []struct {
		text string
		want []session.Attachment
	}{
		{"nothing", nil},
		{"@a.go", []session.Attachment{file("/work/a.go", "a.go")}},
		{"@./a.go.", []session.Attachment{file("/work/a.go", "./a.go")}},
		{"@src/../a.go", []session.Attachment{file("/work/a.go", "src/../a.go")}},
		{"@/work/a.go", []session.Attachment{file("/work/a.go", "/work/a.go")}},
		{"@missing and ada@a.go", nil},
		{"@a.go/ is no folder", nil},
		{"@a.go:10-20", []session.Attachment{lines(file("/work/a.go", "a.go"), 10, 20)}},
		{"@a.go @a.go @./a.go", []session.Attachment{file("/work/a.go", "a.go")}},
		{"@a.go @a.go:1 @a.go:1-1", []session.Attachment{file("/work/a.go", "a.go"), lines(file("/work/a.go", "a.go"), 1, 1)}},
		{"@src @src/:3", []session.Attachment{{Type: "directory", Path: filepath.FromSlash("/work/src"), DisplayName: "src"}}},
		{`@"two words"`, []session.Attachment{file("/work/two words", "two words")}},
		{"@~/x", []session.Attachment{file("/home/ada/x", "~/x")}},
		{"@/etc/hosts", []session.Attachment{file("/etc/hosts", "/etc/hosts")}},
		{"@é", []session.Attachment{file("/work/é", "é")}},
		{`@"\xff" @"a\x00"`, nil},
	} {
		got := attachments(drafts.Draft{Text: c.text}, "/work", "/home/ada", there.stat)
		if !slices.EqualFunc(got, c.want, sameAttachment) {
			t.Errorf("%q: got %+v, want %+v", c.text, got, c.want)
		}
	}
	if got := attachments(drafts.Draft{Text: "@~/x"}, "/work", "", there.stat); got != nil {
		t.Errorf("without a home: %+v", got)
	}
}

func sameAttachment(a, b session.Attachment) bool {
	return a.Type == b.Type && a.DisplayName == b.DisplayName && a.MIMEType == b.MIMEType && a.Data == b.Data &&
		attachmentKey(a) == attachmentKey(b)
}

func TestResolveMentionsBounds(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range 5000 {
		many.WriteString(" @f" + strings.Repeat("x", i%500))
	}
	looked := 0
	got := attachments(drafts.Draft{Text: many.String()}, "/", "", func(string) (bool, bool) {
		looked++
		return false, true
	})
	if len(got) != maxAttachments || looked > maxLooked {
		t.Errorf("%d attachments, looked %d times", len(got), looked)
	}
	looked = 0
	attachments(drafts.Draft{Text: many.String()}, "/", "", func(string) (bool, bool) {
		looked++
		return false, false
	})
	if looked > maxLooked {
		t.Errorf("looked %d times", looked)
	}
}

func TestDraftAttachments(t *testing.T) {
	t.Parallel()
	there := disk{"/work/a.go", "/work/b.go"}
	blob := session.Attachment{Type: "blob", DisplayName: "image-1.png", Data: "AAAA", MIMEType: "image/png"}
	other := session.Attachment{Type: "blob", DisplayName: "image-2.png", Data: "BBBB", MIMEType: "image/png"}
	chip := chipFor(files.Description{Path: filepath.FromSlash("/work/a.go")})
	d := drafts.Draft{Text: "@a.go @b.go", Chips: []drafts.Chip{
		{Attachment: &blob}, {Attachment: &other}, {Paste: "@c.go"}, chip,
	}}
	got := attachments(d, "/work", "", there.stat)
	want := []session.Attachment{blob, other, *chip.Attachment, {Type: "file", Path: filepath.FromSlash("/work/b.go"), DisplayName: "b.go"}}
	if !slices.EqualFunc(got, want, sameAttachment) {
		t.Errorf("got %+v", got)
	}
}

func TestPastedPaths(t *testing.T) {
	t.Parallel()
	type paste struct {
		name, text string
		want       []string
	}
	pastes := []paste{
		{"nothing", " \n", nil},
		{"plain", "/a/b.png", []string{"/a/b.png"}},
		{"with a space behind", "/a/b.png ", []string{"/a/b.png"}},
		{"home", "~/b.png", []string{"~/b.png"}},
		{"several", "/a /b\n~/c", []string{"/a", "/b", "~/c"}},
		{"addresses", "file:///a/My%20File.png\r\nFILE://localhost/b\r\n", []string{"/a/My File.png", "/b"}},
		{"lines with spaces", "/a/My File.png\n/b/Other File.png", []string{"/a/My File.png", "/b/Other File.png"}},
		{"an apostrophe", "/a/it's.png", []string{"/a/it's.png"}},
		{"a line break in quotes", "'/a\nb'", []string{"/a\nb"}},
		{"a sentence", "see /a/b.png", nil},
		{"one that is no path", "/a b", []string{"/a b"}}, // the disk decides
		{"relative", "a/b.png", nil},
		{"path and more", "/a\nhello", nil},
		{"another host", "file://example.org/a", nil},
		{"broken address", "file:///a%zz", nil},
		{"address without a path", "file://", nil},
		{"web", "https://example.org/a", nil},
		{"the root", "/", nil},
		{"the home itself", "~/", nil},
		{"someone else's home", "~ada/x", nil},
		{"zero byte", "/a\x00", nil},
		{"zero byte in an address", "file:///a%00", nil},
		{"open quote", "'/a", nil},
		{"too many", strings.Repeat("/a\n", maxAttachments+1), nil},
		{"too long", "/" + strings.Repeat("a", maxPastedPaths), nil},
	}
	if filepath.Separator == '/' {
		pastes = append(pastes, []paste{
			{"backslashes", `/a/My\ File\ \(1\).png /b`, []string{"/a/My File (1).png", "/b"}},
			{"single quotes", `'/a/My File.png' '/it'\''s'`, []string{"/a/My File.png", "/it's"}},
			{"double quotes", `"/a/My \"File\".png" "/b\c"`, []string{`/a/My "File".png`, `/b\c`}},
		}...)
	}
	for _, c := range pastes {
		if got := pastedPaths(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPastedPathsOfWindows: paths begin with a drive, in quotes as Explorer copies them, and no
// backslash is an escape.
func TestPastedPathsOfWindows(t *testing.T) {
	t.Parallel()
	if filepath.Separator != '\\' {
		t.Skip("no path begins with a drive here")
	}
	for text, want := range map[string][]string{
		`C:\Users\me\a.png`:             {`C:\Users\me\a.png`},
		`"C:\Users\me\a b.png" D:/c.go`: {`C:\Users\me\a b.png`, "D:/c.go"},
		`"C:\a"` + "\r\n" + `"C:\b c\"`: {`C:\a`, `C:\b c\`},
		`C:\My Files\new.png`:           {`C:\My Files\new.png`},
		`\\host\share\a.png`:            {`\\host\share\a.png`},
		`~\a.png ~/b.png /c.png`:        {`~\a.png`, "~/b.png", "/c.png"},
		"file:///C:/Users/me/a%20b.png": {"C:/Users/me/a b.png"},
		"file:///c.png":                 {"/c.png"},
		`C:\`:                           nil,
		`C:a.png`:                       nil,
		`a\b.png`:                       nil,
		`~\`:                            nil,
	} {
		if got := pastedPaths(text); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// TestPastedPathsAreFound: however a terminal writes the paths of files that
// are dropped on it, they are found again as they are.
func TestPastedPathsAreFound(t *testing.T) {
	t.Parallel()
	quotes := map[string]func(string) string{
		"backslashes": func(s string) string {
			var b strings.Builder
			for _, c := range []byte(s) {
				if strings.IndexByte(" \t\"'\\()[]{}&;|<>*?!$`#~", c) >= 0 {
					b.WriteByte('\\')
				}
				b.WriteByte(c)
			}
			return b.String()
		},
		"single": func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" },
		"double": func(s string) string {
			return `"` + strings.NewReplacer(`"`, `\"`, `\`, `\\`, "$", `\$`, "`", "\\`").Replace(s) + `"`
		},
		"address": func(s string) string { return (&url.URL{Scheme: "file", Path: s}).String() },
	}
	folder, letters, ways := "/x/", "ab.é漢 '\"\\()&$`~#%*[]-", []string{"backslashes", "single", "double", "address"}
	if filepath.Separator == '\\' { // Explorer quotes a path, which cannot have a quote in it
		folder, letters, ways = "C:/x/", "ab.é漢 '()&$`~#%[]-", []string{"double", "address"}
		quotes["double"] = func(s string) string { return `"` + filepath.FromSlash(s) + `"` }
		quotes["address"] = func(s string) string { return (&url.URL{Scheme: "file", Path: "/" + s}).String() }
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOfN(rapid.SampledFrom([]rune(letters)), 1, 10, -1)
		paths := rapid.SliceOfN(rapid.Map(name, func(n string) string { return folder + n }), 1, 4).Draw(t, "paths")
		how := rapid.SampledFrom(ways).Draw(t, "how")
		between := rapid.SampledFrom([]string{" ", "\n", "\r\n"}).Draw(t, "between")
		var words []string
		for _, p := range paths {
			words = append(words, quotes[how](p))
		}
		text := strings.Join(words, between) + rapid.SampledFrom([]string{"", " ", "\n"}).Draw(t, "end")
		got := pastedPaths(text)
		for i := range got {
			got[i] = filepath.ToSlash(got[i])
		}
		if !slices.Equal(got, paths) {
			t.Fatalf("%q: got %q, want %q", text, got, paths)
		}
	})
}

func FuzzPastedPaths(f *testing.F) {
	for _, seed := range []string{"/a b", `/a\ b '/c d'`, "file:///a%20b\n", "~/x", `"/a\"`, "/a\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range pastedPaths(text) {
			slashed := filepath.ToSlash(p)
			if !filepath.IsAbs(p) && !strings.HasPrefix(slashed, "/") && !strings.HasPrefix(slashed, "~/") || strings.Contains(p, "\x00") {
				t.Errorf("%q gives %q", text, p)
			}
		}
	})
}

func TestChipFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d      files.Description
		want   session.Attachment
		detail string
	}{
		{files.Description{Path: "/a/b.txt", Size: 812}, session.Attachment{Type: "file", Path: "/a/b.txt", DisplayName: "b.txt"}, "812 bytes"},
		{files.Description{Path: "/a/b", Kind: files.Folder}, session.Attachment{Type: "directory", Path: "/a/b", DisplayName: "b/"}, ""},
		{
			files.Description{Path: "/a/b.png", Kind: files.Image, Size: 4300, MIME: "image/png", Width: 640, Height: 480},
			session.Attachment{Type: "file", Path: "/a/b.png", DisplayName: "b.png"},
			"640x480, 4 kB",
		},
		{files.Description{Path: "/", Kind: files.Folder}, session.Attachment{Type: "directory", Path: "/", DisplayName: "/"}, ""},
	} {
		chip := chipFor(c.d)
		if chip.Attachment == nil || !sameAttachment(*chip.Attachment, c.want) {
			t.Errorf("%s: %+v", c.d.Path, chip.Attachment)
		}
		if got := chipDetail(c.d); got != c.detail {
			t.Errorf("%s: %q, want %q", c.d.Path, got, c.detail)
		}
	}
}

func TestImageChip(t *testing.T) {
	t.Parallel()
	var shot bytes.Buffer
	if err := png.Encode(&shot, image.NewGray(image.Rect(0, 0, 80, 60))); err != nil {
		t.Fatal(err)
	}
	var d drafts.Draft
	for _, want := range []string{"image-1.png", "image-2.png"} {
		chip, err := imageChip(shot.Bytes(), d)
		if err != nil {
			t.Fatal(err)
		}
		a := *chip.Attachment
		data, err := base64.StdEncoding.DecodeString(a.Data)
		if err != nil || !bytes.Equal(data, shot.Bytes()) || a.Type != "blob" || a.MIMEType != "image/png" || a.DisplayName != want {
			t.Errorf("%+v, %v", a, err)
		}
		if chip.Width != 80 || chip.Height != 60 {
			t.Errorf("%s is %dx%d", want, chip.Width, chip.Height)
		}
		d.Chips = append(d.Chips, chip)
	}
	d.Chips = d.Chips[1:]
	if chip, err := imageChip(shot.Bytes(), d); err != nil || chip.Attachment.DisplayName != "image-1.png" {
		t.Errorf("%+v, %v", chip.Attachment, err)
	}
	for name, data := range map[string][]byte{"text": []byte("hello"), "nothing": nil, "too large": make([]byte, files.MaxImage+1)} {
		if _, err := imageChip(data, d); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
