package sse

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// plainJSON is JSON without the comments and the commas before a closing bracket
// that agents copy from examples. What is JSON, or is none without them either, is
// returned as it is.
func plainJSON(data []byte) []byte {
	if isJSON(data) {
		return data
	}
	for _, inLine := range []bool{false, true} {
		if plain := uncommented(data, inLine); isJSON(plain) {
			return plain
		}
	}
	return data
}

func isJSON(data []byte) bool {
	return jsontext.Value(data).IsValid(lenient())
}

// uncommented is a text without comments outside of strings and without commas
// before a closing bracket. A comment ends with its line. Where all is in one line
// it ends before the next string or bracket.
func uncommented(data []byte, inLine bool) []byte {
	ends := "\n"
	if inLine {
		ends = "\n\"{}[]"
	}
	out := make([]byte, 0, len(data))
	for len(data) > 0 {
		n := 1
		switch {
		case data[0] == '"':
			n = stringEnd(data)
			out = append(out, data[:n]...)
		case bytes.HasPrefix(data, []byte("//")):
			if n = bytes.IndexAny(data, ends); n < 0 {
				n = len(data)
			}
		case data[0] == '}' || data[0] == ']':
			if before, comma := bytes.CutSuffix(bytes.TrimRight(out, " \t\r\n"), []byte(",")); comma {
				out = before
			}
			out = append(out, data[0])
		default:
			out = append(out, data[0])
		}
		data = data[n:]
	}
	return out
}

// stringEnd is the length of the string that data begins with.
func stringEnd(data []byte) int {
	for i := 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}
