package corpus

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// What sessions are about.
var (
	repositories = []string{"demo/tide-clock", "demo/parser", "demo/cafe-menu", "demo/garden", "acme/shop", "acme/ledger", ""}
	branches     = []string{"main", "main", "fix/slow-parser", "feature/table", "build/no-c"}
	models       = []string{"gpt-5.4", "claude-sonnet-5", "gpt-5.4-mini"}
)

// log is one session while it is written.
type log struct {
	r          *rand.Rand
	text       *text
	session    string
	repository string
	dir        string
	branch     string
	model      string
	prompt     []byte // the first one
	at         time.Time
	last       string // id of the event before
	out        *bufio.Writer
	line       []byte
	written    int64
	in, reply  int
	calls      int
	cost       float64
}

func newLog(seed uint64, i int, words *text) *log {
	l := &log{r: rand.New(rand.NewPCG(seed, uint64(i)+16)), text: words} // #nosec G404 G115 -- as above; it is not negative
	l.session = l.id()
	l.repository = repositories[l.r.IntN(len(repositories))]
	l.dir = "/home/ada/" + l.repository
	if l.repository == "" {
		l.dir = "/home/ada/notes"
	}
	l.branch = branches[l.r.IntN(len(branches))]
	l.model = models[l.r.IntN(len(models))]
	return l
}

// id is an identifier in the form of the runtime's.
func (l *log) id() string {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], l.r.Uint64())
	binary.LittleEndian.PutUint64(b[8:], l.r.Uint64())
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:]
}

func (l *log) workspace(used time.Time) []byte {
	git := ""
	if l.repository != "" {
		git = fmt.Sprintf("git_root: %s\nbranch: %s\n", l.dir, l.branch)
	}
	name, _, _ := strings.Cut(string(l.prompt), `\n`) // it is the text of a JSON string
	return fmt.Appendf(nil, "id: %s\ncwd: %s\n%sclient_name: parley\nname: '%s'\nuser_named: false\nsummary_count: 0\nfork_count: 0\n"+
		"created_at: %s\nupdated_at: %s\n", l.session, l.dir, git, name[:min(len(name), 40)], stamp(used), stamp(used))
}

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// event writes a line; what has the data appends it.
func (l *log) event(kind string, data func(b []byte) []byte) {
	id := l.id()
	l.at = l.at.Add(time.Duration(l.r.IntN(4000)) * time.Millisecond)
	b := append(l.line[:0], `{"type":"`...)
	b = append(b, kind...)
	b = append(b, `","data":`...)
	b = data(b)
	b = append(b, `,"id":"`...)
	b = append(b, id...)
	b = append(b, `","timestamp":"`...)
	b = l.at.UTC().AppendFormat(b, "2006-01-02T15:04:05.000Z")
	if b = append(b, `","parentId":`...); l.last == "" {
		b = append(b, "null}\n"...)
	} else {
		b = append(b, '"')
		b = append(b, l.last...)
		b = append(b, "\"}\n"...)
	}
	l.last, l.line = id, b
	n, _ := l.out.Write(b) // Flush has the error
	l.written += int64(n)
}

// words fills a format in which %t is text of a length, %q an id and %d a number;
// it is for lines too many for fmt.
func (l *log) words(b []byte, format string, lengths ...int) []byte {
	next := 0
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b = append(b, format[i])
			continue
		}
		i++
		switch format[i] {
		case 't':
			b = append(b, l.text.cut(l.r, lengths[next])...)
			next++
		case 'o':
			b = l.text.output(b, l.r, lengths[next])
			next++
		case 'd':
			b = strconv.AppendInt(b, int64(lengths[next]), 10)
			next++
		case 'q':
			b = append(b, l.id()...)
		case 'm':
			b = append(b, l.model...)
		}
	}
	return b
}

func (l *log) add(kind, format string, lengths ...int) {
	l.event(kind, func(b []byte) []byte { return l.words(b, format, lengths...) })
}

// length is a length around most, seldom much more.
func (l *log) length(most, limit int) int { return min(limit, 20+int(l.r.ExpFloat64()*float64(most))) }
