package sessions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/robustio"
	"go.yaml.in/yaml/v3"

	"parley/session"
)

// recordWriter is the place of one session in a Store. It implements
// session.Record.
type recordWriter struct {
	dir    string
	claims *Claims

	mu     sync.Mutex
	about  session.Stored
	named  bool
	early  [][]byte  // lines from before anything was said
	events *os.File  // nil until something was said
	claim  io.Closer // nil until it is this process that writes it
	torn   bool      // a line was not written whole
	closed bool
}

// Append implements session.Record. A line is written whole, or what is left of
// it is cut off when it is read.
func (r *recordWriter) Append(ev session.Event) error {
	line, err := session.Encode(ev)
	if err != nil {
		return fmt.Errorf("write an event: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.learn(ev.Body); err != nil {
		return err
	}
	line = append(line, '\n')
	_, said := ev.Body.(session.UserMessage)
	switch {
	case r.closed:
		return errors.New("it was closed")
	case r.events == nil && !said:
		r.early = append(r.early, line)
		return nil
	case r.events == nil:
		if err := r.begin(); err != nil {
			return err
		}
		line = append(bytes.Join(r.early, nil), line...)
		r.early = nil
	}
	if r.torn {
		line = append([]byte{'\n'}, line...)
	}
	_, err = r.events.Write(line)
	if r.torn = err != nil; r.torn {
		return fmt.Errorf("write an event: %w", err)
	}
	return nil
}

// learn takes the agent's own id of the session from an event that has it.
func (r *recordWriter) learn(b session.Body) error {
	id := session.AgentSessionIDOf(b)
	if id == "" || r.closed || id == r.about.AgentSessionID {
		return nil
	}
	if r.about.AgentSessionID = id; r.events == nil {
		return nil // it is written with the first event
	}
	return r.describe()
}

// Describe implements session.Record.
func (r *recordWriter) Describe(title string, named bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.about.Title == title && r.named == named {
		return nil
	}
	r.about.Title, r.named = title, named
	if r.events == nil {
		return nil // it is written with the first event
	}
	return r.describe()
}

// Close implements session.Record.
func (r *recordWriter) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	r.closed = true
	var errs []error
	if r.events != nil {
		errs = append(errs, r.events.Sync(), r.events.Close())
	}
	if r.claim != nil {
		errs = append(errs, r.claim.Close())
	}
	return errors.Join(errs...)
}

// begin makes the place of a session in which nothing was said before. What it
// waits for is bounded.
func (r *recordWriter) begin() error {
	if r.claim == nil {
		if err := r.lock(context.Background()); err != nil {
			return err
		}
	}
	return r.open()
}

// lock makes this process the one that writes the session.
func (r *recordWriter) lock(ctx context.Context) (err error) {
	r.claim, err = r.claims.Claim(ctx, r.about.ID)
	return err
}

// open opens the folder of the session, which is held, to write to it.
func (r *recordWriter) open() (err error) {
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return fmt.Errorf("make a folder for the session: %w", err)
	}
	r.events, err = os.OpenFile(filepath.Join(r.dir, eventsFile), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("open its events: %w", err)
	}
	if err := trim(r.events); err != nil {
		return fmt.Errorf("mend its events: %w", err)
	}
	return r.describe()
}

// trim ends a file of lines: what stands behind the last line end was not
// written whole, unless it is an event.
func trim(f *os.File) error {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	const step = 64 << 10
	var rest []byte
	for at := end; at > 0; {
		n := min(at, step)
		at -= n
		part := make([]byte, n)
		if _, err := f.ReadAt(part, at); err != nil {
			return err
		}
		i := bytes.LastIndexByte(part, '\n')
		rest = append(part[i+1:], rest...)
		if i >= 0 {
			break
		}
	}
	if len(rest) == 0 {
		return nil
	}
	if u, broken := session.Decode(rest).Body.(session.Unknown); broken && errors.Is(u.Reason, session.ErrEnvelope) {
		return f.Truncate(end - int64(len(rest)))
	}
	_, err = f.WriteString("\n")
	return err
}

// describe writes what there is to know of the session, beside what was there
// and then in its place.
func (r *recordWriter) describe() error {
	about := workspace{
		ID: string(r.about.ID), Dir: r.about.Dir, Repository: r.about.Repository, Branch: r.about.Branch, Client: r.about.Client,
		Agent: r.about.Agent, AgentID: r.about.AgentSessionID, Name: r.about.Title, Named: r.named,
		Created: r.about.Started.UTC().Format(time.RFC3339Nano), Updated: time.Now().UTC().Format(time.RFC3339Nano),
	}
	for _, text := range []*string{&about.Dir, &about.Repository, &about.Branch, &about.Client, &about.Agent, &about.AgentID, &about.Name} {
		*text = strings.ToValidUTF8(*text, "�")
	}
	content, err := yaml.Marshal(about)
	if err != nil {
		return fmt.Errorf("describe the session: %w", err)
	}
	name := filepath.Join(r.dir, workspaceFile)
	if err := os.WriteFile(name+".new", content, 0o600); err != nil {
		return fmt.Errorf("describe the session: %w", err)
	}
	if err := robustio.Rename(name+".new", name); err != nil {
		return fmt.Errorf("describe the session: %w", err)
	}
	return nil
}
