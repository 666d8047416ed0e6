// Package prompts keeps the prompts that users sent, so that they are found again.
package prompts

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/robustio"

	"parley/history/drafts"
	"parley/history/exactjson"
	"parley/session"
)

// Prompt is one prompt that was sent.
type Prompt struct {
	drafts.Draft
	Time       time.Time  `json:"time,omitzero"` // when it was sent; UTC when it comes from Prompts
	Session    session.ID `json:"session,omitzero"`
	Dir        string     `json:"dir,omitzero"`        // working directory
	Repository string     `json:"repository,omitzero"` // as in Place
}

// History is the prompts that were sent, by all windows: a file of JSON lines
// that is appended to, and cut to the newest when it has become long, and an index
// of it in memory. It is safe for concurrent use, also by several processes.
type History struct {
	file      string
	bounds    bounds
	loading   sync.Mutex // one Load at a time
	searching sync.Mutex // one search at a time: it signs texts

	mu     sync.RWMutex
	index  *index
	offset int64         // how far the file is in the index
	lines  int64         // how many lines that are
	read   fs.FileInfo   // the file that was read
	adding int           // prompts that are announced and not yet added
	added  chan struct{} // closed once all of them are added; nil before the first
}

// Open names the file of the prompts, which need not exist; Load reads
// it. Without a name they are kept in memory only.
func Open(file string) *History {
	return &History{file: file, bounds: usual(), index: newIndex()}
}

// DamagedError says that lines of the file of prompts could not be read. The
// others were.
type DamagedError struct {
	File  string
	Lines int
}

// Error implements error.
func (e *DamagedError) Error() string {
	if e.Lines == 1 {
		return fmt.Sprintf("one line of %s is damaged and was skipped", e.File)
	}
	return fmt.Sprintf("%d lines of %s are damaged and were skipped", e.Lines, e.File)
}

// Load reads what was added since the last Load, also by other processes.
// Damaged lines are skipped and reported once, as a *DamagedError; lines of a
// newer version are skipped, and a last line without its end is left for the
// next Load. What is there is searched while the rest is still read. A file that
// has become too long is cut to its newest lines.
func (p *History) Load() error {
	if p.file == "" {
		return nil
	}
	p.loading.Lock()
	defer p.loading.Unlock()
	damaged, err := p.load()
	if err == nil && p.over() {
		var cut bool
		if cut, err = p.compact(); cut && err == nil {
			_, err = p.load() // what is damaged in it was reported
		}
	}
	if err != nil {
		return fmt.Errorf("read the prompt history: %w", err)
	}
	if damaged > 0 {
		return &DamagedError{p.file, damaged}
	}
	return nil
}

// load reads what is new, and says how many lines of it are damaged.
func (p *History) load() (damaged int, err error) {
	f, err := p.open()
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	offset, added, err := p.begin(f)
	if err != nil {
		return 0, err
	}
	if damaged, err = p.readLines(f, offset); err != nil {
		return damaged, err
	}
	p.mu.Lock()
	p.index.added = slices.Delete(p.index.added, 0, added) // they were read again, from the file
	p.mu.Unlock()
	return damaged, nil
}

// open opens the file to read it. Windows refuses that while another process replaces it, which is done under the lock.
func (p *History) open() (*os.File, error) {
	f, err := os.Open(p.file)
	if !robustio.IsEphemeralError(err) || errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	unlock, err := p.lockFile()
	if err != nil {
		return nil, err
	}
	f, err = os.Open(p.file)
	return f, errors.Join(err, unlock())
}

// begin returns where to continue reading, and how many of the prompts that this
// process added are in the file for sure.
func (p *History) begin(f *os.File) (offset int64, added int, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.read != nil && (!os.SameFile(p.read, info) || info.Size() < p.offset) {
		p.index, p.offset, p.lines = newIndex(), 0, 0 // somebody replaced it
	}
	p.read = info
	return p.offset, len(p.index.added), nil
}

// readBuffer is how much of the file is read at a time, in bytes.
const readBuffer = 256 << 10

// readLines puts the lines from offset on into the index.
func (p *History) readLines(f *os.File, offset int64) (damaged int, err error) {
	in := bufio.NewReaderSize(io.NewSectionReader(f, offset, 1<<62-offset), readBuffer)
	var long []byte
	for {
		raw, length, err := readLine(in, &long)
		if errors.Is(err, io.EOF) {
			return damaged, nil
		}
		if err != nil {
			return damaged, err
		}
		prompt, err := decode(raw)
		if err != nil && len(raw) > 1 && !errors.Is(err, exactjson.ErrNewer) { // a line end alone is no line
			damaged++
		}
		p.mu.Lock()
		if err == nil {
			p.index.entries = append(p.index.entries, p.index.entry(prompt, prompt.Prompt(), p.offset, length))
		}
		p.offset += int64(length)
		p.lines++
		p.mu.Unlock()
	}
}

// readLine reads as far as the next line end, which it includes. Of a line that
// is too long it returns only some, which is no JSON, and its length.
func readLine(in *bufio.Reader, long *[]byte) (raw []byte, length int, err error) {
	raw, err = in.ReadSlice('\n')
	length = len(raw)
	if !errors.Is(err, bufio.ErrBufferFull) {
		return raw, length, err
	}
	*long = append((*long)[:0], raw...)
	for errors.Is(err, bufio.ErrBufferFull) {
		raw, err = in.ReadSlice('\n')
		if length += len(raw); length <= maxRecord {
			*long = append(*long, raw...)
		}
	}
	return *long, length, err
}

// Add keeps a prompt that was sent: the next search finds it, and so does every
// other process after its next Load. What Private keeps out is not kept, which
// is no error. If the file cannot be written, the prompt is kept in memory and
// the error says why.
func (p *History) Add(q Prompt) error {
	text := q.Prompt()
	if q.Empty() || secret(q.Draft, text) {
		return nil
	}
	q.Time, q.Draft = q.Time.UTC(), q.Clone()
	var err error
	if p.file != "" {
		if err = p.write(q); err != nil {
			err = fmt.Errorf("keep the prompt in the history: %w", err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.index.entry(q, text, 0, 0)
	if p.file != "" && err == nil {
		p.index.added = append(p.index.added, e)
	} else {
		p.index.entries = append(p.index.entries, e)
	}
	return err
}

// Adding announces a prompt: a search that begins from now on waits until the
// function that it returns, which must be called once, has added it as Add does.
func (p *History) Adding(q Prompt) func() error {
	p.mu.Lock()
	if p.adding == 0 {
		p.added = make(chan struct{})
	}
	p.adding++
	p.mu.Unlock()
	return func() error {
		defer func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.adding--; p.adding == 0 {
				close(p.added)
			}
		}()
		return p.Add(q)
	}
}

// awaitAdded waits until what was announced is added.
func (p *History) awaitAdded() {
	p.mu.RLock()
	added := p.added
	p.mu.RUnlock()
	if added != nil {
		<-added
	}
}

// secret reports whether a draft is not to be kept.
func secret(d drafts.Draft, text string) bool {
	_, private := Private(text)
	for _, c := range d.Chips {
		if c.Attachment != nil && c.Attachment.Text != "" && !private {
			_, private = Private(c.Attachment.Text)
		}
	}
	return private
}

// write appends one line, in one piece so that the lines of several processes
// do not mix.
func (p *History) write(q Prompt) (err error) {
	line, err := encode(q)
	if err != nil {
		return err
	}
	unlock, err := p.lockFile()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	f, err := os.OpenFile(p.file, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if unfinished(f) {
		line = slices.Insert(line, 0, '\n')
	}
	_, err = f.Write(line)
	return errors.Join(err, f.Close())
}

// unfinished reports whether the file ends in half a line, because a process
// died or the disk was full: what is appended to it would be lost with it.
func unfinished(f *os.File) bool {
	var last [1]byte
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	_, err = f.ReadAt(last[:], info.Size()-1)
	return err == nil && last[0] != '\n'
}

// prompts yields the prompts of what was found, by their place in it. One that
// was in the file and is not there anymore comes as its text, or not at all if
// only some of that is known.
func (p *History) prompts(found []find) iter.Seq2[int, Prompt] {
	return func(yield func(int, Prompt) bool) {
		var file *os.File
		defer func() { _ = file.Close() }() // closing nil is an error and nothing else
		for i, f := range found {
			q := Prompt{drafts.Draft{Text: f.text.s}, f.time, f.at.Session, f.at.Dir, f.at.Repository}
			switch {
			case f.draft != nil:
				q.Draft = f.draft.Clone()
			case f.size > 0:
				if file == nil {
					file, _ = os.Open(p.file) // without the file there are the texts
				}
				if stored, ok := stored(file, f); ok {
					q = stored
				} else if !f.text.whole {
					continue
				}
			}
			q.Draft = q.AtEnd()
			if !yield(i, q) {
				return
			}
		}
	}
}

// stored reads the prompt of an entry from the file, if it is there still.
func stored(file *os.File, f find) (Prompt, bool) {
	raw := make([]byte, f.size)
	if _, err := file.ReadAt(raw, f.off); err != nil {
		return Prompt{}, false
	}
	q, err := decode(raw)
	if err != nil {
		return Prompt{}, false
	}
	whole := q.Prompt()
	return q, whole[:min(len(whole), searched)] == f.text.s
}
