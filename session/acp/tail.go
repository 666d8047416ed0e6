package acp

import (
	"io"
	"strings"
	"sync"
)

// tail keeps the end of what is written.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

var _ io.Writer = (*tail)(nil)

// tailLimit is how many bytes of the error output are kept.
const tailLimit = 4 << 10

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	t.buf = t.buf[max(0, len(t.buf)-tailLimit):]
	return len(b), nil
}

// last returns up to n last lines that are not blank.
func (t *tail) last(n int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.FieldsFunc(strings.ToValidUTF8(string(t.buf), "\uFFFD"), func(r rune) bool { return r == '\n' || r == '\r' })
	return strings.TrimSpace(strings.Join(lines[max(0, len(lines)-n):], "\n"))
}
