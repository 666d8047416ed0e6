package render

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/timeline"
)

// ErrNoLog says that the events of a session cannot be had.
var ErrNoLog = errors.New("the log of this session is not on this machine, and without it there are no events to write")

// exportEvents writes the stored events that are in the range, one line each,
// as they are but for what is redacted. Lines that are no JSON are left out and
// counted.
func exportEvents(w *bufio.Writer, t *timeline.Timeline, o ExportOptions) (unreadable int, err error) {
	err = eachLine(t, o, func(_ int, line []byte) error {
		if o.Redact != nil {
			edited, err := session.EditStrings(line, func(_, s string) string { return o.redacted(s) })
			if err != nil {
				unreadable++
				return nil //nolint:nilerr // it is counted
			}
			line = edited
		}
		if valid := jsontext.Value(line); !valid.IsValid(jsontext.AllowDuplicateNames(true)) {
			line = bytes.ToValidUTF8(line, []byte("\uFFFD"))
			if valid = line; !valid.IsValid(jsontext.AllowDuplicateNames(true)) {
				unreadable++
				return nil
			}
		}
		_, _ = w.Write(line) // the writer keeps its first error for Flush
		return w.WriteByte('\n')
	})
	return unreadable, err
}

// memberTexts gives each string of a JSON text to each, and those that are a
// member of an object also behind its name: what says that it is a secret may be
// that alone. A name that ends in Id is of something that is named, and no secret.
func memberTexts(v jsontext.Value, each func(text string)) {
	_, _ = session.EditStrings(v, func(name, s string) string { // what is no JSON is not written either
		each(s)
		named := name != "" && !strings.HasSuffix(name, "Id")
		if named && len(s) >= 6 && len(s) < 1<<10 && strings.Trim(s, asciiLetters) != "" {
			each(name + ": " + s)
		}
		return s
	})
}

const asciiLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// eachLine gives the lines of the log that are in the range to do, with how many
// prompts there were so far. A line is only good until do returns.
func eachLine(t *timeline.Timeline, o ExportOptions, do func(prompt int, line []byte) error) error {
	if o.Log == nil {
		return ErrNoLog
	}
	starts := map[session.EventID]bool{}
	for i := range t.Len() {
		if e := t.At(i); prompt(e) && len(e.Origin) > 0 {
			starts[e.Origin[0]] = true
		}
	}
	within, err := o.Range.in(len(starts))
	if err != nil {
		return err
	}
	log, err := o.Log()
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	defer log.Close()
	prompts := 0
	for line, err := range session.ReadLines(log) {
		if err != nil {
			return fmt.Errorf("read the log: %w", err)
		}
		if kind, _ := session.Peek(line); kind == session.KindUserMessage && starts[session.Decode(line).ID] {
			prompts++
		}
		if within.has(prompts) {
			if err := do(prompts, line); err != nil {
				return err
			}
		}
	}
	return nil
}
