package terminal

import (
	"bytes"
	"os"
	"time"
	"unicode/utf16"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	xwindows "github.com/charmbracelet/x/windows"
	"github.com/muesli/cancelreader"
	"golang.org/x/sys/windows"
)

// Device is a console that is read. In the mode that Bubble Tea sets
// (ENABLE_VIRTUAL_TERMINAL_INPUT), its records of keys carry what a terminal would send, in
// UTF-16. os.File is not used to read them: it takes ctrl+z for the end, and drops changes of
// the size, for which Windows has no signal.
//
// It has no method Name. With one, Ultraviolet reads the console itself, past Input, which
// would neither keep pastes exact nor know when a key was read.
type Device struct {
	file *os.File
	left windows.Handle // an event: another program has the console
	text bytes.Buffer   // not read yet
	high rune           // the first half of a letter of two
}

// NewDevice returns a console that is read, by nobody else.
func NewDevice(file *os.File) *Device {
	left, _ := windows.CreateEvent(nil, 1, 0, nil) // without one, waiting for it fails
	return &Device{file: file, left: left}
}

// Fd is the handle of the console.
func (d *Device) Fd() uintptr { return d.file.Fd() }

// Write implements io.Writer.
func (d *Device) Write(p []byte) (int, error) { return d.file.Write(p) }

// Close implements io.Closer.
func (d *Device) Close() error { return d.file.Close() }

// Leave has nobody read while another program has the console: who waits for input ends with
// cancelreader.ErrCanceled.
func (d *Device) Leave() { _ = windows.SetEvent(d.left) }

// Return ends Leave.
func (d *Device) Return() { _ = windows.ResetEvent(d.left) }

// Read implements io.Reader.
func (d *Device) Read(p []byte) (int, error) {
	var mode uint32
	if err := windows.GetConsoleMode(windows.Handle(d.Fd()), &mode); err != nil {
		return d.file.Read(p) // it is a file or a pipe
	}
	if mode&windows.ENABLE_WINDOW_INPUT == 0 { // Bubble Tea restores what was before
		_ = windows.SetConsoleMode(windows.Handle(d.Fd()), mode|windows.ENABLE_WINDOW_INPUT)
	}
	for d.text.Len() == 0 {
		if err := d.wait(windows.INFINITE); err != nil {
			return 0, err
		}
	}
	return d.text.Read(p)
}

// Follows reports whether there is more to read within some time. A record that is no text,
// as of a key that is released, is no input.
func (d *Device) Follows(within time.Duration) bool {
	for end := time.Now().Add(within); d.text.Len() == 0; {
		left := (time.Until(end) + time.Millisecond - 1).Milliseconds()
		if left <= 0 {
			return false
		}
		if err := d.wait(uint32(left)); err != nil {
			return true // Read returns it
		}
	}
	return true
}

// wait waits for records and reads them.
func (d *Device) wait(milliseconds uint32) error {
	console := windows.Handle(d.Fd())
	event, err := windows.WaitForMultipleObjects([]windows.Handle{d.left, console}, false, milliseconds)
	switch {
	case err != nil:
		return err
	case event == windows.WAIT_OBJECT_0:
		return cancelreader.ErrCanceled
	case event == uint32(windows.WAIT_TIMEOUT):
		return nil
	}
	var records [256]xwindows.InputRecord
	var n uint32
	if err := xwindows.ReadConsoleInput(console, &records[0], uint32(len(records)), &n); err != nil {
		return err
	}
	for _, r := range records[:n] {
		d.take(r)
	}
	return nil
}

// take adds what a terminal sends for a record.
func (d *Device) take(r xwindows.InputRecord) {
	switch r.EventType {
	case xwindows.KEY_EVENT:
		key := r.KeyEvent()
		switch {
		case !key.KeyDown, key.Char == 0 && key.VirtualKeyCode != 0: // a key that sends nothing, such as Shift
		case d.high == 0 && utf16.IsSurrogate(key.Char):
			d.high = key.Char
		case d.high != 0:
			d.text.WriteRune(utf16.DecodeRune(d.high, key.Char))
			d.high = 0
		default:
			for range max(1, key.RepeatCount) {
				d.text.WriteRune(key.Char)
			}
		}
	case xwindows.WINDOW_BUFFER_SIZE_EVENT: // it has the size of the buffer, of which a part is shown
		if width, height, err := term.GetSize(os.Stdout.Fd()); err == nil {
			d.text.WriteString(ansi.WindowOp(8, height, width)) // as a terminal reports it (XTWINOPS)
		}
	}
}
