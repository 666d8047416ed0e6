package drafts

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"

	"github.com/go-json-experiment/json"

	"parley/history/exactjson"
	"parley/session"
)

// longText is from how many bytes on a text has a file of its own in a journal, so
// that it is written once and not with every letter that is typed beside it.
const longText = 64 << 10

// separateLongTexts are the options under which long texts are collected in long, by the
// name of the file that they go to, which is their SHA-256.
func separateLongTexts(long map[string]string) json.Options {
	return exactjson.Marshalers(func(s string) string {
		if len(s) < longText {
			return ""
		}
		hash := sha256.Sum256([]byte(s))
		name := hex.EncodeToString(hash[:])
		long[name] = s
		return name
	})
}

// readLongTexts are the options under which long texts are read from folder.
func readLongTexts(folder string) json.Options {
	return exactjson.Unmarshalers(func(name string) (string, error) {
		if _, err := hex.DecodeString(name); err != nil || len(name) != 2*sha256.Size {
			return "", session.ValueError(strconv.Quote(name) + " is no name of a text")
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return "", session.ValueError(err.Error())
		}
		if hash := sha256.Sum256(text); hex.EncodeToString(hash[:]) != name {
			return "", session.ValueError("the text in " + name + " is damaged")
		}
		return string(text), nil
	})
}
