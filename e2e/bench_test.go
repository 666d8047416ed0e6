package e2e

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"parley/session/sessiontest"
)

// The benchmarks of this file measure Parley's own process in a terminal. The
// agent is in it: the demo, or the replay of a log that the benchmark wrote.
// Processor time is the whole process's from its start, so that the reading of
// the log is in it too.

// The size of the terminal that is measured.
const benchWidth, benchHeight = 120, 40

// doneMark ends an answer that is measured.
const doneMark = "MEASURED-TO-HERE"

// metered is a program in a terminal that only notes when it wrote what. Its
// screen is put together when it is asked for, so that a model of a terminal
// does not compete with the program that is measured.
type metered struct {
	tb      testing.TB
	cmd     *exec.Cmd
	master  *os.File
	started time.Time
	read    chan struct{} // closed when the program has written its last
	stop    func()        // ends the program

	mu     sync.Mutex
	chunks []chunk

	emu   *vt.Emulator
	drawn int // chunks that the emulator has seen
}

// chunk is what one read gave.
type chunk struct {
	at   time.Time
	text []byte
}

// meter starts a program in a terminal. It runs until stop, or to the end of
// the benchmark.
func meter(tb testing.TB, program string, args ...string) *metered {
	tb.Helper()
	return meterAt(tb, tb.TempDir(), program, args...)
}

// meterAt is meter with a home of the user's.
func meterAt(tb testing.TB, home, program string, args ...string) *metered {
	tb.Helper()
	x := &metered{tb: tb, read: make(chan struct{}), emu: vt.NewEmulator(benchWidth, benchHeight)}
	go func() { _, _ = io.Copy(io.Discard, x.emu) }() // what a terminal answers
	x.cmd = exec.CommandContext(context.Background(), program, args...)
	x.cmd.Dir = tb.TempDir()
	x.cmd.Env = []string{
		"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home, "TMPDIR=" + tb.TempDir(), "TZ=UTC", "LANG=C.UTF-8",
		"TERM=xterm-256color", "COLORTERM=truecolor",
	}
	master, slave, err := pty.Open()
	if err != nil {
		tb.Fatal(err)
	}
	x.master = master
	if err := pty.Setsize(master, &pty.Winsize{Rows: benchHeight, Cols: benchWidth}); err != nil {
		tb.Fatal(err)
	}
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = slave, slave, slave
	x.cmd.SysProcAttr = sessiontest.OwnTerminal()
	go x.note()
	x.started = time.Now()
	if err := x.cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	_ = slave.Close()
	x.stop = sync.OnceFunc(x.end)
	tb.Cleanup(x.stop)
	return x
}

// note keeps what the program writes.
func (x *metered) note() {
	defer close(x.read)
	b := make([]byte, 64<<10)
	for {
		n, err := x.master.Read(b)
		if n > 0 {
			at := time.Now()
			x.mu.Lock()
			x.chunks = append(x.chunks, chunk{at, bytes.Clone(b[:n])})
			x.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

func (x *metered) end() {
	_ = x.cmd.Process.Kill()
	_ = x.cmd.Wait()
	<-x.read
	_ = x.master.Close()
	_ = x.emu.InputPipe().(io.Closer).Close()
}

// draw draws one more chunk and returns when it came; false if no more comes.
func (x *metered) draw() (at time.Time, more bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.drawn == len(x.chunks) {
		return time.Time{}, false
	}
	c := x.chunks[x.drawn]
	x.drawn++
	_, _ = x.emu.Write(c.text)
	return c.at, true
}

// shows reports whether text stands on the screen as drawn so far.
func (x *metered) shows(text string) bool {
	for y := range benchHeight {
		var line strings.Builder
		for col := range benchWidth {
			if c := x.emu.CellAt(col, y); c != nil && c.Content != "" {
				line.WriteString(c.Content)
			} else {
				line.WriteByte(' ')
			}
		}
		if strings.Contains(line.String(), text) {
			return true
		}
	}
	return false
}

// when returns the time at which text came to the screen. It waits for it, and
// fails the benchmark when it does not come.
func (x *metered) when(text string) time.Time {
	x.tb.Helper()
	for deadline := time.Now().Add(2 * patience); ; time.Sleep(20 * time.Millisecond) {
		for at, more := x.draw(); more; at, more = x.draw() {
			if x.shows(text) {
				return at
			}
		}
		if time.Now().After(deadline) {
			x.tb.Fatalf("waited %v for %q", 2*patience, text)
		}
	}
}

// cpu is the processor time that the program has used so far: the scheduler's
// own account of all its threads.
func (x *metered) cpu() time.Duration {
	x.tb.Helper()
	return processorTime(x.tb, x.cmd.Process.Pid)
}

// processorTime is what a process has used so far.
func processorTime(tb testing.TB, pid int) time.Duration {
	tb.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(files) == 0 {
		tb.Skipf("the kernel does not account for processor time: %v", err)
	}
	var sum time.Duration
	for _, f := range files {
		account, err := os.ReadFile(f)
		if err != nil {
			continue // a thread that ended just now
		}
		used, _, _ := strings.Cut(string(account), " ")
		n, err := strconv.ParseInt(used, 10, 64)
		if err != nil {
			tb.Fatal(err)
		}
		sum += time.Duration(n)
	}
	return sum
}

// memory is a field of the kernel's account of the program's memory, in MB.
func (x *metered) memory(field string) float64 {
	x.tb.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", x.cmd.Process.Pid))
	if err != nil {
		x.tb.Skipf("the kernel does not account for memory: %v", err)
	}
	_, rest, _ := strings.Cut(string(status), "\n"+field+":")
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		x.tb.Fatal(err)
	}
	return float64(kilobytes) / 1024
}

// typeWords types words of n letters in all, a key at a time, and returns when
// each was pressed and what the composer showed after it.
func (x *metered) typeWords(n int, gap time.Duration) (pressed []time.Time, words []string) {
	x.tb.Helper()
	const longest = 80
	word := ""
	for i := range n {
		if len(word) == longest {
			x.key("\x15") // ctrl+u
			time.Sleep(200 * time.Millisecond)
			word = ""
		}
		letter := string(rune('a' + (i*7+len(words)/longest)%26))
		word += letter
		pressed, words = append(pressed, time.Now()), append(words, word)
		x.key(letter)
		time.Sleep(gap + time.Duration(rand.IntN(30)-15)*time.Millisecond)
	}
	time.Sleep(300 * time.Millisecond)
	return pressed, words
}

func (x *metered) key(s string) {
	x.tb.Helper()
	if _, err := io.WriteString(x.master, s); err != nil {
		x.tb.Fatal(err)
	}
}

// latencies are the times from keys to the screen.
func (x *metered) latencies(pressed []time.Time, words []string) sessiontest.Samples {
	x.tb.Helper()
	var all sessiontest.Samples
	var at time.Time
	for i, word := range words {
		for !x.shows("❯ " + word) {
			var more bool
			if at, more = x.draw(); !more {
				x.tb.Fatalf("%q never came to the screen", word)
			}
		}
		all = append(all, at.Sub(pressed[i]))
	}
	return all
}

// replayed starts Parley on the log of a workload.
func replayed(b *testing.B, w *sessiontest.Workload, speed int, args ...string) *metered {
	b.Helper()
	path := filepath.Join(b.TempDir(), "log.jsonl")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	out := bufio.NewWriter(file)
	_, err = w.WriteTo(out)
	if err := errors.Join(err, out.Flush(), file.Close()); err != nil {
		b.Fatal(err)
	}
	return meter(b, parley(b), append(args, "--agent", "replay:"+path, "--speed", strconv.Itoa(speed))...)
}

// BenchmarkFirstFrame is the time from the start of the process until its
// prompt is on the screen.
func BenchmarkFirstFrame(b *testing.B) {
	program := parley(b)
	var all sessiontest.Samples
	for b.Loop() {
		for range 15 {
			x := meter(b, program, "--agent", "demo")
			all = append(all, x.when(textReady).Sub(x.started))
			x.stop()
		}
	}
	b.ReportMetric(sessiontest.Milliseconds(all.Quantile(0)), "ms-best")
	sessiontest.Figure(b, sessiontest.Milliseconds(all.Median()), "ms", 40)
}

// BenchmarkMemoryAtPrompt is what the process holds when it has waited two seconds for
// its first prompt, and the processor time that it took until then.
func BenchmarkMemoryAtPrompt(b *testing.B) {
	var held float64
	var used sessiontest.Samples
	for b.Loop() {
		x := meter(b, parley(b), "--agent", "demo")
		x.when(textReady)
		time.Sleep(2 * time.Second)
		held = x.memory("VmRSS")
		used = append(used, x.cpu())
		x.stop()
	}
	sessiontest.Figure(b, sessiontest.Milliseconds(used.Median()), "cpu-ms", 70)
	sessiontest.Figure(b, held, "MB", 42)
}

// BenchmarkMemoryOfTranscript is the most that the process holds while it
// loads a transcript of 10 MB, and what it holds then.
func BenchmarkMemoryOfTranscript(b *testing.B) {
	var w sessiontest.Workload
	w.Entries(3*(10<<20)/(2*4000), 4000)
	w.Say(doneMark)
	var held, most float64
	for b.Loop() {
		x := replayed(b, &w, 0)
		x.when(doneMark)
		time.Sleep(time.Second)
		held, most = x.memory("VmRSS"), x.memory("VmHWM")
		x.stop()
	}
	b.ReportMetric(held, "MB-after")
	sessiontest.Figure(b, most, "MB", 120)
}

// BenchmarkStream is an answer in deltas of 12 bytes, as fast as it is taken.
func BenchmarkStream(b *testing.B) {
	for _, c := range []struct {
		name       string
		size       int
		clock, cpu float64
	}{{"200KB", 200 << 10, 0.6, 0.8}, {"1MB", 1 << 20, 1.5, 4}} {
		b.Run(c.name, func(b *testing.B) {
			var w sessiontest.Workload
			w.Stream(sessiontest.Answer(c.size), 12, 0)
			streamedWhole(b, &w, 0, c.clock, c.cpu)
		})
	}
}

// BenchmarkPaced is an answer of 20 KB in 100 deltas a second.
func BenchmarkPaced(b *testing.B) {
	var w sessiontest.Workload
	w.Stream(sessiontest.Answer(20<<10), 12, 10*time.Millisecond)
	streamedWhole(b, &w, 1, 0, 2.2)
}

// BenchmarkInline is what an inline conversation takes of what the full window does: an answer of 20 KB in 100 deltas a second, the
// time from a key to the screen, and the bytes for an answer that is twice as long as another of what that takes.
func BenchmarkInline(b *testing.B) {
	inline := [][]string{{}, {"--inline"}}
	var used, keys [2]sessiontest.Samples
	var written [2]int
	for b.Loop() {
		for i, args := range inline {
			var w sessiontest.Workload
			w.Stream(sessiontest.Answer(20<<10), 12, 10*time.Millisecond)
			w.Say(doneMark)
			x := replayed(b, &w, 1, args...)
			x.when(doneMark)
			used[i] = append(used[i], x.cpu())
			x.stop()
			x = meter(b, parley(b), append(args, "--agent", "demo")...)
			x.when(textReady)
			time.Sleep(time.Second)
			keys[i] = append(keys[i], x.latencies(x.typeWords(240, 40*time.Millisecond))...)
			x.stop()
		}
		for i, size := range []int{20 << 10, 40 << 10} {
			var w sessiontest.Workload
			w.Stream(sessiontest.Answer(size), 12, 10*time.Millisecond)
			w.Say(doneMark)
			x := replayed(b, &w, 1, inline[1]...)
			x.when(doneMark)
			written[i] = x.wrote()
			x.stop()
		}
	}
	b.ReportMetric(used[1].Median().Seconds(), "cpu-s")
	b.ReportMetric(float64(written[0])/(20<<10), "bytes/byte")
	sessiontest.Figure(b, used[1].Median().Seconds()/used[0].Median().Seconds(), "cpu-of-full", 1.2)
	sessiontest.Figure(b, keys[1].Median().Seconds()/keys[0].Median().Seconds(), "key-of-full", 1.2)
	sessiontest.Figure(b, float64(written[1])/float64(written[0]), "bytes-of-half", 2.2)
}

// wrote is how many bytes the program has written so far.
func (x *metered) wrote() (n int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, c := range x.chunks {
		n += len(c.text)
	}
	return n
}

// BenchmarkToolOutput is a tool that writes 100,000 lines, in chunks of 1 KB.
func BenchmarkToolOutput(b *testing.B) {
	var w sessiontest.Workload
	w.Output(100_000, 1024)
	streamedWhole(b, &w, 0, 0, 0.3)
}

// streamedWhole reports when all of w is shown, and what the process has used by then,
// both in seconds, next to the most that they should be.
func streamedWhole(b *testing.B, w *sessiontest.Workload, speed int, clock, cpu float64) {
	b.Helper()
	w.Say(doneMark)
	var used, took sessiontest.Samples
	for b.Loop() {
		x := replayed(b, w, speed)
		took = append(took, x.when(doneMark).Sub(x.started))
		used = append(used, x.cpu())
		x.stop()
	}
	sessiontest.Figure(b, took.Median().Seconds(), "s", clock)
	sessiontest.Figure(b, used.Median().Seconds(), "cpu-s", cpu)
}

// BenchmarkKey is the time from a key to the screen.
func BenchmarkKey(b *testing.B) {
	b.Run("idle", func(b *testing.B) {
		var all, least sessiontest.Samples
		typed := func(x *metered, ready string) sessiontest.Samples {
			defer x.stop()
			x.when(ready)
			time.Sleep(time.Second)
			return x.latencies(x.typeWords(960, 40*time.Millisecond))
		}
		bare := bareProgram(b)
		for b.Loop() {
			all = append(all, typed(meter(b, parley(b), "--agent", "demo"), textReady)...)
			least = append(least, typed(meter(b, bare), "bare")...)
		}
		b.ReportMetric(sessiontest.Milliseconds(least.Median()), "ms-bare")
		b.ReportMetric(sessiontest.Milliseconds(all.Quantile(0.99)), "ms-p99")
		sessiontest.Figure(b, sessiontest.Milliseconds(all.Median()), "ms-median", 6)
	})
	b.Run("streaming", func(b *testing.B) {
		var w sessiontest.Workload
		w.Entries(100_000, 40)
		w.Say(doneMark)
		w.Pause(2 * time.Second)
		w.Stream(sessiontest.Answer(12*2000*22), 12, time.Second/2000)
		var all sessiontest.Samples
		for b.Loop() {
			x := replayed(b, &w, 1)
			x.when(doneMark)
			time.Sleep(3 * time.Second)
			all = append(all, x.latencies(x.typeWords(240, 60*time.Millisecond))...)
			x.stop()
		}
		b.ReportMetric(sessiontest.Milliseconds(all.Quantile(0.95)), "ms-p95")
		sessiontest.Figure(b, sessiontest.Milliseconds(all.Median()), "ms-median", 10)
		sessiontest.Figure(b, sessiontest.Milliseconds(all.Quantile(0.99)), "ms-p99", 20)
	})
}

// BenchmarkTyping is what a key costs of nine in a second, beside the same in a bare Bubble
// Tea program: processor time, and how often the process was woken for it.
func BenchmarkTyping(b *testing.B) {
	const keys = 90
	var used [2]sessiontest.Samples
	var woken [2]int
	typed := func(i int, ready, program string, args ...string) {
		x := meter(b, program, args...)
		defer x.stop()
		x.when(ready)
		time.Sleep(2 * time.Second)
		before := x.account()
		for n := range keys {
			x.key(string(rune('a' + n%26)))
			time.Sleep(time.Second / 9)
		}
		now := x.account()
		used[i] = append(used[i], (now.cpu-before.cpu)/keys)
		woken[i] += now.switches - before.switches
	}
	bare := bareProgram(b)
	for b.Loop() {
		typed(0, textReady, parley(b), "--agent", "demo")
		typed(1, "bare", bare)
	}
	percent := func(i int) float64 { return 9 * 100 * used[i].Median().Seconds() }
	b.ReportMetric(percent(1), "%-bare")
	b.ReportMetric(float64(woken[1])/float64(b.N*keys), "switches/key-bare")
	sessiontest.Figure(b, float64(woken[0])/float64(b.N*keys), "switches/key", 90)
	sessiontest.Figure(b, percent(0)/percent(1), "of-bare", 1)
	sessiontest.Figure(b, percent(0), "%", 2)
}

// BenchmarkPageUp is a page up in a conversation of 200 KB: through what was not drawn yet, and
// through the same pages again.
func BenchmarkPageUp(b *testing.B) {
	const pages = 40
	var w sessiontest.Workload
	w.Stream(sessiontest.Answer(200<<10), 4000, 0)
	w.Say(doneMark)
	var used [2]sessiontest.Samples
	for b.Loop() {
		x := replayed(b, &w, 0)
		x.when(doneMark)
		time.Sleep(2 * time.Second)
		for i := range used {
			before := x.cpu()
			for range pages {
				x.key("\x1b[5~")
				time.Sleep(100 * time.Millisecond)
			}
			used[i] = append(used[i], (x.cpu()-before)/pages)
			x.key("\x1b[1;5F") // ctrl+end
			time.Sleep(time.Second)
		}
		x.stop()
	}
	b.ReportMetric(sessiontest.Milliseconds(used[1].Median()), "cpu-ms-again")
	sessiontest.Figure(b, sessiontest.Milliseconds(used[0].Median()), "cpu-ms", 2)
}

// BenchmarkPacedAfterHistory is what an answer of 100 deltas a second takes of the processor
// when 200 KB were said before, and how often the process is woken for it.
func BenchmarkPacedAfterHistory(b *testing.B) {
	const watched = 8 * time.Second
	var w sessiontest.Workload
	w.Stream(sessiontest.Answer(200<<10), 4000, 0)
	w.Say(doneMark)
	w.Pause(3 * time.Second)
	w.Stream(sessiontest.Answer(12*100*15), 12, 10*time.Millisecond)
	var used sessiontest.Samples
	woken := 0
	for b.Loop() {
		x := replayed(b, &w, 1)
		x.when(doneMark)
		time.Sleep(5 * time.Second)
		before := x.account()
		time.Sleep(watched)
		now := x.account()
		used = append(used, now.cpu-before.cpu)
		woken += now.switches - before.switches
		x.stop()
	}
	b.ReportMetric(float64(woken)/float64(b.N)/watched.Seconds(), "switches/s")
	sessiontest.Figure(b, 100*used.Median().Seconds()/watched.Seconds(), "%", 7)
}

// bareProgram builds the least that a Bubble Tea program at Parley's frame rate
// does.
func bareProgram(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "bare")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", path, "./testdata/bench/bare").CombinedOutput(); err != nil {
		b.Fatalf("build bare: %v\n%s", err, out)
	}
	return path
}

// idleStates are those of a window in which nothing happens: the keys that lead there, and
// what is on the screen then.
var idleStates = []struct{ name, keys, shows string }{
	{"prompt", "", textReady},
	{"answered", "long\r", "That is all."},
	{"card", "write\r", textOnce},
	{"sessions", "\x18s", textPast},
}

// account is what a program has cost so far.
type account struct {
	cpu             time.Duration
	switches, bytes int
}

func (x *metered) account() account {
	x.tb.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", x.cmd.Process.Pid))
	if err != nil || len(files) == 0 {
		x.tb.Skipf("the kernel does not account for context switches: %v", err)
	}
	a := account{cpu: x.cpu()}
	for _, f := range files {
		status, err := os.ReadFile(f)
		if err != nil {
			continue // a thread that ended just now
		}
		for line := range strings.Lines(string(status)) {
			if name, n, _ := strings.Cut(line, ":"); strings.HasSuffix(name, "ctxt_switches") {
				count, _ := strconv.Atoi(strings.TrimSpace(n))
				a.switches += count
			}
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, c := range x.chunks {
		a.bytes += len(c.text)
	}
	return a
}

// BenchmarkIdle is what a window costs in which nothing happens, in each state in which it
// can be left alone, with motion and without, beside a bare Bubble Tea program at the same
// frame rate. They run side by side, so that all meet the same noise: for ten seconds, and
// for ten minutes with PARLEY_SOAK=long.
func BenchmarkIdle(b *testing.B) {
	watched := time.Duration(sessiontest.Soak(b, 10, 600)) * time.Second
	program := parley(b)
	var names []string
	var windows []*metered
	for _, s := range idleStates {
		for _, motion := range []string{"full", "none"} {
			home := b.TempDir()
			dir := filepath.Join(home, ".config", "parley")
			err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "settings.toml"), fmt.Appendf(nil, "motion = %q\n", motion), 0o600))
			if err != nil {
				b.Fatal(err)
			}
			names, windows = append(names, s.name+"/"+motion), append(windows, meterAt(b, home, program, "--agent", "demo"))
		}
	}
	names, windows = append(names, "bare"), append(windows, meter(b, bareProgram(b)))
	for i, x := range windows[:len(windows)-1] {
		s := idleStates[i/2]
		x.when(textReady)
		for key := range strings.SplitSeq(s.keys, "") {
			x.key(key)
			time.Sleep(50 * time.Millisecond) // keys that come at once are a paste
		}
		x.when(s.shows)
	}
	time.Sleep(5 * time.Second) // what the keys began is over
	before := make([]account, len(windows))
	for i, x := range windows {
		before[i] = x.account()
	}
	time.Sleep(watched)
	for i, x := range windows {
		now := x.account()
		x.stop()
		b.Run(names[i], func(b *testing.B) {
			b.ReportMetric(float64(now.switches-before[i].switches)/watched.Seconds(), "switches/s")
			if names[i] == "bare" {
				b.ReportMetric(100*float64(now.cpu-before[i].cpu)/float64(watched), "%-cpu")
				b.ReportMetric(0, "ns/op")
				return
			}
			sessiontest.Figure(b, float64(now.bytes-before[i].bytes), "bytes", 1)
			sessiontest.Figure(b, 100*float64(now.cpu-before[i].cpu)/float64(watched), "%-cpu", 0.1)
		})
	}
}
