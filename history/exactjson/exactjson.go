// Package exactjson writes and reads the JSON of the files in which history keeps
// what a user wrote: every string comes back byte for byte. JSON strings are UTF-8
// (RFC 8259, section 8.1), and what is pasted need not be, so a string that is not
// UTF-8 is written as an object. A key of a map that is not UTF-8 is changed
// instead of failing.
package exactjson

import (
	"errors"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// object is a string that is no JSON string.
type object struct {
	Bytes []byte `json:"base64,omitzero"`
	File  string `json:"file,omitzero"` // the name of the file that holds it
}

// Version is the version of the files. A file, or a line, of a newer one is left
// alone.
const Version = 1

// ErrNewer is why content of a newer version is not read.
var ErrNewer = errors.New("it is of a newer version")

// The options of files that refer to no other.
var (
	writing = sync.OnceValue(func() json.Options { return Marshalers(func(string) string { return "" }) })
	reading = sync.OnceValue(func() json.Options {
		return Unmarshalers(func(string) (string, error) {
			return "", session.ValueError("a text in another file cannot be here")
		})
	})
)

// Marshal returns v as JSON.
func Marshal(v any) ([]byte, error) { return json.Marshal(v, writing()) }

// Unmarshal reads into v what Marshal wrote.
func Unmarshal(content []byte, v any) error { return json.Unmarshal(content, v, reading()) }

// Error returns, for an error of reading content, ErrNewer if content is of a newer
// version, whatever shape the rest of it has, and else err in words for the user.
func Error(content []byte, err error) error {
	var v struct {
		Version int `json:"version"`
	}
	if Unmarshal(content, &v) == nil && v.Version > Version {
		return ErrNewer
	}
	return errors.New(session.JSONProblem(err))
}

// Marshalers are the options under which strings are written. One for which file
// returns a name is written as that name.
func Marshalers(file func(string) string) json.Options {
	return json.JoinOptions(jsontext.AllowInvalidUTF8(true), json.WithMarshalers(json.MarshalToFunc(
		func(enc *jsontext.Encoder, s string) error {
			if name := file(s); name != "" {
				return json.MarshalEncode(enc, object{File: name})
			}
			if utf8.ValidString(s) {
				return errors.ErrUnsupported // as any other string
			}
			return json.MarshalEncode(enc, object{Bytes: []byte(s)})
		},
	)))
}

// Unmarshalers are the options under which strings are read. get returns the one
// that was written as a name.
func Unmarshalers(get func(name string) (string, error)) json.Options {
	buffers := sync.Pool{New: func() any { return new([]byte) }} // of strings without their escapes
	return json.WithUnmarshalers(json.UnmarshalFromFunc(
		func(dec *jsontext.Decoder, s *string) error {
			switch dec.PeekKind() {
			case jsontext.KindBeginObject:
			case jsontext.KindString:
				raw, err := dec.ReadValue()
				if err != nil {
					return err
				}
				buf, _ := buffers.Get().(*[]byte)
				*buf, err = jsontext.AppendUnquote((*buf)[:0], raw)
				*s = string(*buf)
				buffers.Put(buf)
				return err
			default:
				return errors.ErrUnsupported // as any other string
			}
			var f object
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
