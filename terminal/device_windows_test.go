package terminal

import (
	"encoding/binary"
	"testing"
	"time"
	"unicode/utf16"

	xwindows "github.com/charmbracelet/x/windows"
)

// keyRecord is what a console records of a key.
func keyRecord(down bool, repeat, key, char uint16) xwindows.InputRecord {
	r := xwindows.InputRecord{EventType: xwindows.KEY_EVENT}
	if down {
		r.Event[0] = 1
	}
	binary.LittleEndian.PutUint16(r.Event[4:], repeat)
	binary.LittleEndian.PutUint16(r.Event[6:], key)
	binary.LittleEndian.PutUint16(r.Event[10:], char)
	return r
}

// typedRecords are those of a text that a console in VT input mode has made itself.
func typedRecords(text string) (all []xwindows.InputRecord) {
	for _, char := range utf16.Encode([]rune(text)) {
		all = append(all, keyRecord(true, 1, 0, char), keyRecord(false, 1, 0, char))
	}
	return all
}

// TestConsoleRecords: what a terminal would send comes of the records of a console.
func TestConsoleRecords(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		records []xwindows.InputRecord
		want    string
	}{
		"a letter":            {[]xwindows.InputRecord{keyRecord(true, 1, 'A', 'a'), keyRecord(false, 1, 'A', 'a')}, "a"},
		"held":                {[]xwindows.InputRecord{keyRecord(true, 3, 'A', 'a')}, "aaa"},
		"a modifier":          {[]xwindows.InputRecord{keyRecord(true, 1, xwindows.VK_SHIFT, 0)}, ""},
		"ctrl+space":          {typedRecords("\x00"), "\x00"},
		"ctrl+z":              {[]xwindows.InputRecord{keyRecord(true, 1, 'Z', 0x1a)}, "\x1a"},
		"an arrow":            {typedRecords("\x1b[A"), "\x1b[A"},
		"of two UTF-16 codes": {typedRecords("a😀é"), "a😀é"},
		"a paste":             {typedRecords("\x1b[200~one\r\ntwo\x1b[201~"), "\x1b[200~one\r\ntwo\x1b[201~"},
		"the mouse":           {[]xwindows.InputRecord{{EventType: xwindows.MOUSE_EVENT}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var d Device
			for _, r := range tt.records {
				d.take(r)
			}
			if got := d.text.String(); got != tt.want {
				t.Errorf("%q, not %q", got, tt.want)
			}
			if d.text.Len() > 0 && !d.Follows(time.Second) {
				t.Error("nothing follows")
			}
		})
	}
}
