package prompts

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"parley/history/drafts"
	"parley/session"
	"parley/session/sessiontest"
)

// benchPrompts is how many prompts are measured, of 200 bytes to 2 KB each.
const benchPrompts = 100_000

// here is where the benchmarks ask from.
var here = Place{Session: "s7", Dir: "/w/p7", Repository: "/w/p7"}

// writer writes English-like prompts: 20,000 words, the frequent ones often.
type writer struct {
	rand  *rand.Rand
	zipf  *rand.Zipf
	words []string
}

func newWriter() *writer {
	r := rand.New(rand.NewPCG(1, 2))
	w := &writer{rand: r, zipf: rand.NewZipf(r, 1.1, 4, 19_999)}
	syllables := strings.Fields("the in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur")
	for range 20_000 {
		word := ""
		for range 1 + r.IntN(4) {
			word += syllables[r.IntN(len(syllables))]
		}
		w.words = append(w.words, word)
	}
	return w
}

func (w *writer) prompt(i int) Prompt {
	var b strings.Builder
	for want := 200 + w.rand.IntN(1800); b.Len() < want; {
		word := w.words[w.zipf.Uint64()]
		switch n := w.rand.IntN(400); {
		case n < 10:
			word = strings.ToUpper(word[:1]) + word[1:]
		case n < 20:
			word += ".\n"
		case n < 30:
			word = "`" + word + "()`"
		case n < 33:
			word = fmt.Sprintf("@src/%s/%s.go", word, w.words[w.rand.IntN(500)])
		}
		b.WriteString(word)
		b.WriteByte(' ')
	}
	number := w.rand.IntN(2000)
	dir := fmt.Sprintf("/w/p%d", number%50)
	return Prompt{
		Draft: drafts.Draft{Text: b.String()}, Time: time.Unix(1_700_000_000+int64(i)*60, 0).UTC(),
		Session: session.ID(fmt.Sprintf("s%d", number)), Dir: dir, Repository: dir,
	}
}

// benchFile writes a history of benchPrompts prompts.
func benchFile(b *testing.B) string {
	b.Helper()
	file := filepath.Join(b.TempDir(), "prompts.jsonl")
	f, err := os.Create(file)
	if err != nil {
		b.Fatal(err)
	}
	out, w := bufio.NewWriterSize(f, 1<<20), newWriter()
	for i := range benchPrompts {
		line, err := encode(w.prompt(i))
		if err != nil {
			b.Fatal(err)
		}
		_, _ = out.Write(line)
	}
	if err := out.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return file
}

func loaded(b *testing.B) *History {
	b.Helper()
	p := Open(benchFile(b))
	if err := p.Load(); err != nil {
		b.Fatal(err)
	}
	return p
}

// timed is how long f takes.
func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

// BenchmarkLoad100k reads the whole history: of 100,000 prompts what the first
// window to read it leaves.
func BenchmarkLoad100k(b *testing.B) {
	file := benchFile(b)
	cut := timed(func() {
		if err := Open(file).Load(); err != nil {
			b.Fatal(err)
		}
	})
	var took sessiontest.Samples
	var before, after runtime.MemStats
	var cpu time.Duration
	for b.Loop() {
		runtime.GC()
		from := sessiontest.CPU(b)
		runtime.ReadMemStats(&before)
		p := Open(file)
		took = append(took, timed(func() {
			if err := p.Load(); err != nil {
				b.Fatal(err)
			}
		}))
		cpu = sessiontest.CPU(b) - from
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(p)
	}
	info, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(sessiontest.Milliseconds(cut), "ms-that-cuts")
	b.ReportMetric(float64(info.Size())/(1<<20), "MB-file")
	b.ReportMetric(cpu.Seconds(), "cpu-s") // on a busy machine, this says more
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MB-memory")
	sessiontest.Figure(b, sessiontest.Milliseconds(took.Median()), "ms", 1000)
}

// BenchmarkFirstSearch100k searches for the first time, which reads and signs all
// that is kept: 32 MB.
func BenchmarkFirstSearch100k(b *testing.B) {
	file := benchFile(b)
	var took sessiontest.Samples
	for b.Loop() {
		p := Open(file)
		if err := p.Load(); err != nil {
			b.Fatal(err)
		}
		took = append(took, timed(func() { p.Search("~", Everywhere, here, 200) }))
	}
	sessiontest.Figure(b, sessiontest.Milliseconds(took.Median()), "ms", 500)
}

// BenchmarkSearch100k searches for what is typed, letter by letter, for what is
// rare, and for what is not there.
func BenchmarkSearch100k(b *testing.B) {
	p := loaded(b)
	p.Search("~", Everywhere, here, 200)
	for _, c := range []struct {
		name, query string
		scope       Scope
	}{
		{"all", "", Everywhere},
		{"one-letter", "e", Everywhere},
		{"rare-byte", "~", Everywhere},
		{"rare-pair", "zq", Everywhere},
		{"odd-letter", "ß", Everywhere},
		{"common", "the", Everywhere},
		{"not-there", "gopher", Everywhere},
		{"triple-not-there", "xth", Everywhere},
		{"words", "re the tion", Everywhere},
		{"words-not-there", "the inthe erstoz", Everywhere},
		{"capitals-not-there", "THE", Everywhere},
		{"capitals", "The", Everywhere},
		{"session", "the", InSession},
		{"repository", "the", InRepository},
		{"repository-all", "", InRepository},
	} {
		b.Run(c.name, func(b *testing.B) {
			var took sessiontest.Samples
			hits := 0
			for b.Loop() {
				took = append(took, timed(func() { hits = len(p.Search(c.query, c.scope, here, 200)) }))
			}
			b.ReportMetric(float64(hits), "hits")
			sessiontest.Figure(b, sessiontest.Milliseconds(took.Median()), "ms", 100)
		})
	}
}

// BenchmarkSearchWorst100k searches for the same letter again and again, which is
// not there, although it begins everywhere.
func BenchmarkSearchWorst100k(b *testing.B) {
	p := loaded(b)
	p.Search("~", Everywhere, here, 200)
	var took sessiontest.Samples
	for b.Loop() {
		took = append(took, timed(func() { p.Search("eeeeeee", Everywhere, here, 200) }))
	}
	sessiontest.Figure(b, sessiontest.Milliseconds(took.Median()), "ms", 100)
}

// BenchmarkOlder100k goes back, from the newest and from far behind it.
func BenchmarkOlder100k(b *testing.B) {
	p := loaded(b)
	for _, c := range []struct {
		name, prefix string
		n            int
	}{{"newest", "", 0}, {"far", "", 10_000}, {"prefix", "the", 3}, {"prefix-not-there", "the prefix that is nowhere", 0}} {
		b.Run(c.name, func(b *testing.B) {
			var took sessiontest.Samples
			for b.Loop() {
				took = append(took, timed(func() { p.Older(c.prefix, here, c.n) }))
			}
			sessiontest.Figure(b, sessiontest.Milliseconds(took.Median()), "ms", 10)
		})
	}
}

// BenchmarkMentions100k ranks what the prompts of a repository mention.
func BenchmarkMentions100k(b *testing.B) {
	p := loaded(b)
	var took sessiontest.Samples
	for b.Loop() {
		took = append(took, timed(func() { p.Mentions(here, time.Unix(1_800_000_000, 0)) }))
	}
	sessiontest.Figure(b, sessiontest.Milliseconds(took.Median()), "ms", 20)
}

// BenchmarkAdd is one prompt more, as its file and the index take it, and what
// looking for secrets in it takes beside.
func BenchmarkAdd(b *testing.B) {
	p := loaded(b)
	w := newWriter()
	var took, private sessiontest.Samples
	for i := 0; b.Loop(); i++ {
		q := w.prompt(i)
		private = append(private, timed(func() { Private(q.Prompt()) }))
		took = append(took, timed(func() {
			if err := p.Add(q); err != nil {
				b.Fatal(err)
			}
		}))
	}
	b.ReportMetric(sessiontest.Milliseconds(private.Median()), "ms-private")
	sessiontest.Figure(b, sessiontest.Milliseconds(took.Median()), "ms", 20)
}

// BenchmarkPrivateLong looks for secrets in a paste of 2 MB.
func BenchmarkPrivateLong(b *testing.B) {
	w := newWriter()
	var text strings.Builder
	for text.Len() < 2<<20 {
		text.WriteString(w.prompt(0).Text)
	}
	var took sessiontest.Samples
	for b.Loop() {
		took = append(took, timed(func() { Private(text.String()) }))
	}
	sessiontest.Figure(b, sessiontest.Milliseconds(took.Median()), "ms", 1000)
}
