package prompts

import (
	"strings"
	"testing"
)

func TestPrivate(t *testing.T) {
	t.Parallel()
	// Tokens are put together here, so that no scanner of the sources finds them.
	random := "q7Zk" + "2Rw9" + "Xb4T" + "m1Vc" + "8Yd6" + "Lf3N" + "h5Js" + "0PgQ" + "uEaK"
	for name, text := range map[string]string{
		"space":             " do this and forget it",
		"password":          "password: hunter2",
		"password is":       "my password is hunter2.",
		"quoted":            `"password": "hunter2",`,
		"api key":           "API key: abcd1234",
		"with its user":     "user: ada\npassword: hunter2",
		"database":          "DB_PASSWORD=hunter22",
		"export":            "export AWS_SECRET_ACCESS_KEY=abcdef123456",
		"export in text":    "run it with AWS_SECRET_ACCESS_KEY=abcdef123456 make deploy",
		"address":           "connect to postgres://app:hunter2@db.example.com/main and list the tables",
		"header":            "the header is Authorization: Bearer " + random,
		"half a key":        "why is this refused?\n-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq",
		"model key":         "use sk-ant-api03-" + random,
		"github token":      "clone it with ghp_" + random,
		"aws":               "AKIA" + "QYLPMN5HHHFPZAM2" + " is the id",
		"facebook":          "post with 123456789012345|" + strings.ToLower(random),
		"facebook, escaped": "post with 1234567890123456%" + strings.ToLower(random),
		"generic":           "api_key = \"" + strings.ToLower(random) + "\"",
		"at the end of all": strings.Repeat("some words of a log\n", 2*scanned/20) + "ghp_" + random,
	} {
		if why, private := Private(text); !private {
			t.Errorf("%s: %q would be kept", name, text[max(0, len(text)-80):])
		} else if why == "" {
			t.Errorf("%s: no reason", name)
		}
	}
	for name, text := range map[string]string{
		"empty":           "",
		"plain":           "Fix the race in the pump and add a test for it.",
		"newline":         "\n  indented",
		"about passwords": "The password: field must not be logged, fix that in login.go",
		"too short":       "password: must be at least 8 characters",
		"its type":        "token: string",
		"placeholder":     "password: <your password>",
		"variable":        "export API_TOKEN=$(pass show api)",
		"reference":       "DB_PASSWORD=${DB_PASSWORD}",
		"limit":           "MAX_TOKENS=4096 is too small, TOKEN_LIMIT=200000 works",
		"wrong":           "the password is wrong",
		"url":             "read https://example.com/a:b@c and http://localhost:8080/x",
		"hash":            "revert 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
		"code":            "func token(s string) string { return s }\nvar password = flag.String(\"password\", \"\", \"\")",
		"comparison":      "why is token == nil here?",
		"mention":         "@src/auth/token.go explain how the secret is read",
		"begin":           "search for -----BEGIN PRIVATE KEY----- in the repository",
	} {
		if why, private := Private(text); private {
			t.Errorf("%s: %q is not kept: %s", name, text, why)
		}
	}
}
