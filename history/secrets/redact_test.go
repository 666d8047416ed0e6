package secrets

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// random looks like what makes up a token. It is put together here, so that no
// scanner of the sources finds it.
var random = "q7Zk" + "2Rw9" + "Xb4T" + "m1Vc" + "8Yd6" + "Lf3N" + "h5Js" + "0PgQ" + "uEaK"

func scannedTexts(t testing.TB, texts ...string) *Redactor {
	t.Helper()
	r := &Redactor{}
	err := r.Scan(t.Context(), func(each func(int, string)) error {
		for i, text := range texts {
			each(i+1, text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFind: what is found, where, and under which name.
func TestFind(t *testing.T) {
	t.Parallel()
	github, aws := "ghp_"+random, "AKIA"+"QYLPMN5HHHFPZAM2"
	for _, c := range []struct{ text, want string }{
		{"nothing here", ""},
		{"clone it with " + github + " now", "github pat:" + github},
		{"export GITHUB_TOKEN=" + github, "github pat:" + github},
		{"a " + aws + "\nb " + aws, "aws access token:" + aws + " aws access token:" + aws},
		{"postgres://app:hunter2@db/main", "password in an address:hunter2"},
		{"user: ada\npassword: hunter2.\n", "password:hunter2"},
		{"DB_PASSWORD='hunter22' make", "environment variable:hunter22"},
		{"DB_PASSWORD=${DB_PASSWORD}", ""},
		{"use sk-ant-api03-" + random, "API key:ant-api03-" + random},
		{"DB_PASS=secret123; make", "environment variable:secret123"},
		{`(API_TOKEN=abc123def)`, "environment variable:abc123def"},
		{`{"env":"DB_PASSWORD=\"correct horse battery\" make"}`, "environment variable:correct horse battery"},
		{"password: 'hunter2'", "password:hunter2"},
		{"I set\n\n    password = \"swordfish\"\n\nin the file, as it was asked for.", "password:swordfish"},
		{"In code:\ndbPasswd := \"hunter2\"\nopen(dbPasswd)", "password:hunter2"},
		{"In code:\npassword = \"a b\"\nopen(password)", "password:a b"},
		{"In code:\npassword = 'ab12cd34ef56gh78 and more'\nopen(password)", "generic api key:ab12cd34ef56gh78 and more"},
		{"A call:\n{\"text\":\"passphrase = \\\"correct horse\\\"\"}\nand more", "password:correct horse"},
		{"A file:\n{\n  \"password\": \"correct horse 9\",\n  \"name\": \"x\"\n}", "password:correct horse 9"},
		{"user: ada\npassword: \"correct horse\"\n", "password:correct horse"},
		{"the password is 'correct horse'.", "password:correct horse"},
		{"A translation:\n\"name\": \"Name\",\n\"password\": \"Enter your password\",\n\"save\": \"Save\",\nand so on", ""},
		{"In code:\npassword = \"<your password>\"\nopen(password)", ""},
		{"In code:\nlet pwd: &str = 'hunter2';\nopen(pwd)", "password:hunter2"},
		{"In code:\ncfg[\"api_key\"] = \"abc123def\"\nuse(cfg)", "secret:abc123def"},
		{"A file:\n{\n  \"client_secret\": \"s3cr3tvalue\",\n  \"name\": \"x\"\n}", "secret:s3cr3tvalue"},
		{"A call:\n{\"text\":\"token = \\\"tok12345\\\"\"}\nand more", "secret:tok12345"},
		{"In code:\npassword = os.Getenv(\"DB_PASS1\")\nopen(password)", ""},
		{"In code:\npassword = \"\"\npassword = ''\nopen(password)", ""},
		{"In code:\nif password == \"hunter2\" {\nreturn\n}", ""},
		{"In code:\npassword = \"${DB_PASSWORD}\"\ntoken = \"<your-token-1>\"\nopen(password)", ""},
		{"A translation:\n\"name\": \"Name\",\n\"password\": \"Passwort\",\n\"save\": \"Sichern\",\nand so on", ""},
		{"In code:\ntoken_limit = \"40960000\"\ntoken = \"identifier\"\nopen()", ""},
		{"<input type=\"password\" name=\"hunter22\">\n<p>\n<p>", ""},
	} {
		found, err := Find(c.text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range found {
			got = append(got, s.Kind+":"+c.text[s.Span[0]:s.Span[1]])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// TestRedactForms: a secret that was found once is taken out wherever it stands,
// however it is escaped there.
func TestRedactForms(t *testing.T) {
	t.Parallel()
	signs := []rune(`abcXYZ0189_-+/.=&<>"'\%$!@:~*#é`)
	rapid.Check(t, func(t *rapid.T) {
		secret := "k" + string(rapid.SliceOfN(rapid.SampledFrom(signs), 12, 40).Draw(t, "signs")) + "9z"
		r := &Redactor{leaks: map[string]*Leak{secret: {Kind: "token"}}}
		quoted, _ := json.Marshal(secret)
		twice, _ := json.Marshal(string(quoted))
		var markdown strings.Builder
		for _, c := range secret {
			if strings.ContainsRune(`_-+.&<>"'\$!@:~*#`, c) {
				markdown.WriteByte('\\')
			}
			markdown.WriteRune(c)
		}
		for form, text := range map[string]string{
			"as it is": secret, "JSON": string(quoted), "JSON in JSON": string(twice), "HTML": html.EscapeString(secret),
			"a query": url.QueryEscape(secret), "markdown": markdown.String(), "among others": "x" + secret + "y",
		} {
			got := r.Redact(text)
			if !strings.Contains(got, "[redacted: token]") || strings.Contains(got, secret) || len(got) > len("[redacted: token]")+8 {
				t.Fatalf("%s: %q became %q", form, text, got)
			}
		}
	})
}

// TestRedactor: each secret is reported once, with the first turn that has it, and
// what repeats it in another text goes too.
func TestRedactor(t *testing.T) {
	t.Parallel()
	key := "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq" + random + "\n" + random + random + "\n" + random + "AbCd\n-----END RSA PRIVATE KEY-----"
	r := scannedTexts(t,
		"nothing", "GITHUB_TOKEN=ghp_"+random, "again ghp_"+random+" in an answer", "password: hunter2", key,
		strings.Repeat("a line of a log\n", 3*piece/16)+"AKIA"+"QYLPMN5HHHFPZAM2\n",
	)
	var got []string
	for _, l := range r.Found() {
		got = append(got, fmt.Sprintf("%d %s %s", l.Turn, l.Kind, l.Masked))
	}
	want := "2 github pat ghp_…, 4 password hu…, 5 private key ----…, 6 aws access token AKIA…"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	for _, text := range []string{"echo ghp_" + random, "log in with hunter2", "+" + random + random, "AKIA" + "QYLPMN5HHHFPZAM2"} {
		if got := r.Redact(text); !strings.Contains(got, "[redacted: ") || strings.Contains(got, random) {
			t.Errorf("%q became %q", text, got)
		}
	}
	for _, text := range []string{"", "hunter22 is another", "plain"} {
		if got := r.Redact(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestRedactorBound: beyond the bound nothing is looked at, and that is counted.
// Data is no text.
func TestRedactorBound(t *testing.T) {
	t.Parallel()
	r := scannedTexts(t, strings.Repeat("A", 1<<20))
	if r.searched != 0 || r.Unsearched() != 0 {
		t.Errorf("an image counts: %d, %d", r.searched, r.rest)
	}
	r.searched = MostSearched - 10
	if err := r.Scan(t.Context(), func(each func(int, string)) error { each(1, "password: hunter2"); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(r.Found()) != 0 || r.Unsearched() != len("password: hunter2") {
		t.Errorf("found %v, not searched %d", r.Found(), r.Unsearched())
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := new(Redactor).Scan(ctx, func(each func(int, string)) error { each(1, "x"); return nil }); err == nil {
		t.Error("a scan that was stopped says nothing")
	}
}

// TestRedactWords: a secret that is a plain word is taken out where it stands as
// one, and stays where it is but a word.
func TestRedactWords(t *testing.T) {
	t.Parallel()
	words := rapid.SampledFrom([]string{"test", "postgres", "guest", "my-app", "minioadmin", "12345678", "Hunter", "my dog"})
	forms := []string{
		"password: %s", "the password is %s.", "DB_PASSWORD=%s", `"password": "%s"`, "token => '%s'", `API_KEY="%s" make`,
		"redis://app:%s@db/0", "Authorization: Bearer %s\nHost: x", "my-api-key = `%s`",
	}
	rapid.Check(t, func(t *rapid.T) {
		word := words.Draw(t, "word")
		text := fmt.Sprintf(rapid.SampledFrom(forms).Draw(t, "form"), word)
		r := &Redactor{}
		if err := r.Scan(context.Background(), func(each func(int, string)) error { each(1, text); return nil }); err != nil {
			t.Fatal(err)
		}
		if len(r.Found()) == 0 {
			return // too short for this form
		}
		for _, secret := range []string{text, strings.ReplaceAll(text, `"`, `\"`), "see " + text, word, `"` + word + `"`} {
			if got := r.Redact(secret); strings.Contains(got, word) || !strings.Contains(got, "[redacted: ") {
				t.Fatalf("%q became %q", secret, got)
			}
		}
		for _, common := range []string{"run " + word + " now", word + ": passed", word + "://" + word + "/x", "a" + word + "s", "- " + word + "\n- other"} {
			if got := r.Redact(common); got != common {
				t.Fatalf("%q became %q", common, got)
			}
		}
	})
}

// TestRedactCutKey: of a private key whose end is not there all lines go, also
// behind the signs of a diff, or numbers.
func TestRedactCutKey(t *testing.T) {
	t.Parallel()
	lines := []string{random + random, random[5:] + random, random[9:] + random}
	for _, form := range []string{"\n", "\r\n", "\n+", "\n   ", `\n`, "\n 12\t", "\n  7. "} {
		text := "cat it" + form + "-----BEGIN RSA PRIVATE KEY-----" + form + strings.Join(lines, form)
		r := scannedTexts(t, text)
		for _, text := range append([]string{text}, lines...) {
			if got := r.Redact(text); !strings.Contains(got, "[redacted: private key]") || strings.Contains(got, random[9:]) {
				t.Errorf("%q became %q", text, got)
			}
		}
	}
}

// TestRedactMany: of many secrets side by side, which are looked for only around
// their letters, none is left and nothing else goes.
func TestRedactMany(t *testing.T) {
	t.Parallel()
	r := &Redactor{leaks: map[string]*Leak{}}
	var text strings.Builder
	for i := range 2000 {
		secret := fmt.Sprintf("ghp_%s%06d", random[:30], i)
		r.leaks[secret] = &Leak{Kind: "github pat"}
		text.WriteString(secret + "\n")
	}
	if got, want := r.Redact(text.String()), strings.Repeat("[redacted: github pat]\n", 2000); got != want {
		t.Errorf("got %.200q", got)
	}
}

func TestReplace(t *testing.T) {
	t.Parallel()
	token := "ghp_" + random[:36]
	got, err := Replace("a "+token+" b "+token+" c", func(kind string) string { return "<" + kind + ">" })
	if err != nil || got != "a <github pat> b <github pat> c" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestHide: what is shown of a text has no secret, and the rest as it is.
func TestHide(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "Mend the tide table": "Mend the tide table",
		"Use ghp_0123456789abcdefABCDEF0123456789abcd, please": "Use [github pat hidden], please",
	} {
		if got := Hide(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
