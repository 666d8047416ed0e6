package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// JSON strings are UTF-8 (RFC 8259, section 8.1), and what is pasted need not
// be. Files of this package hold such a text as an object instead, so that every
// string comes back byte for byte. What else is not UTF-8, the key of a map, is
// mended instead of failing.

// foreign stands for a string.
type foreign struct {
	Bytes []byte `json:"base64,omitzero"`
	File  string `json:"file,omitzero"` // the name of the file that holds it
}

// written and asWritten are the options under which strings are written and read
// in one file.
var (
	written   = sync.OnceValue(func() json.Options { return writing(func(string) string { return "" }) })
	asWritten = sync.OnceValue(func() json.Options {
		return reading(func(string) (string, error) { return "", session.ValueError("a text in another file cannot be here") })
	})
)

// writing are the options under which strings are written. Those for which file
// returns a name are left to that file.
func writing(file func(string) string) json.Options {
	return json.JoinOptions(jsontext.AllowInvalidUTF8(true), json.WithMarshalers(json.MarshalToFunc(
		func(enc *jsontext.Encoder, s string) error {
			if name := file(s); name != "" {
				return json.MarshalEncode(enc, foreign{File: name})
			}
			if utf8.ValidString(s) {
				return errors.ErrUnsupported // as any other string
			}
			return json.MarshalEncode(enc, foreign{Bytes: []byte(s)})
		},
	)))
}

// reading are the options under which strings are read, those in other files by
// get.
func reading(get func(name string) (string, error)) json.Options {
	return json.WithUnmarshalers(json.UnmarshalFromFunc(
		func(dec *jsontext.Decoder, s *string) error {
			switch dec.PeekKind() {
			case '"':
				raw, err := dec.ReadValue()
				if err == nil {
					*s, err = unquote(raw)
				}
				return err
			case '{':
			default:
				return errors.ErrUnsupported
			}
			var f foreign
			err := json.UnmarshalDecode(dec, &f)
			switch {
			case err != nil:
				return err
			case f.File != "":
				*s, err = get(f.File)
				return err
			}
			*s = string(f.Bytes)
			return nil
		},
	))
}

// unquote is the text of a valid JSON string. It copies what is between escapes
// in one piece, which is what most of the time to load a history went into.
func unquote(raw []byte) (string, error) {
	rest := raw[1 : len(raw)-1]
	next := bytes.IndexByte(rest, '\\')
	if next < 0 {
		return string(rest), nil
	}
	var b strings.Builder
	b.Grow(len(rest))
	for ; next >= 0; next = bytes.IndexByte(rest, '\\') {
		b.Write(rest[:next])
		i := strings.IndexByte(escaped, rest[next+1])
		if i < 0 { // \u, which is rare
			text, err := jsontext.AppendUnquote(nil, raw)
			return string(text), err
		}
		b.WriteByte(escapes[i])
		rest = rest[next+2:]
	}
	b.Write(rest)
	return b.String(), nil
}

// escaped are the letters that stand for the escapes (RFC 8259, section 7).
const escaped, escapes = `"\/bfnrt`, "\"\\/\b\f\n\r\t"

// longText is from how many bytes on a text has a file of its own in a journal, so
// that it is written once and not with every letter that is typed beside it.
const longText = 64 << 10

// apart are the options under which long texts are collected in long, by the
// name of the file that they go to, which is their SHA-256.
func apart(long map[string]string) json.Options {
	return writing(func(s string) string {
		if len(s) < longText {
			return ""
		}
		hash := sha256.Sum256([]byte(s))
		name := hex.EncodeToString(hash[:])
		long[name] = s
		return name
	})
}

// together are the options under which long texts are read from folder.
func together(folder string) json.Options {
	return reading(func(name string) (string, error) {
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
