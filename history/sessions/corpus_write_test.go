package sessions_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"
)

// corpusConfig says which corpus is written: session folders like those of the
// Copilot CLI, as many and as large as a benchmark wants, the same for the same seed.
//
// What is in a log was measured on logs of the real runtime (version 1.0.102): per
// model call 0.28 system messages of 24 KB, a usage record of 1.2 KB, a message, a
// start and an end of the turn; a tool call in every other call of the model, with
// a permission question of 1.2 KB for most; a shutdown of 2.2 KB now and then. The
// scripted model of those logs says little, so the lengths of answers and outputs
// are wider here: outputs go up to the 20 KB at which the runtime cuts them.
type corpusConfig struct {
	Seed     uint64
	Sessions int
	Bytes    int64     // of all logs together, about
	Now      time.Time // the newest session was used then, the oldest 18 months before
}

// corpusAge is the time that the sessions are spread over.
const corpusAge = 18 * 30 * 24 * time.Hour

// corpusGeneration is another one whenever what is written for a corpusConfig is.
const corpusGeneration = 3

// corpusHome returns a folder with such sessions, in the place of COPILOT_HOME. It stays
// in the folder for temporary files, and is used again.
func corpusHome(tb testing.TB, c corpusConfig) string {
	tb.Helper()
	//nolint:usetesting // it outlives the test
	home := filepath.Join(os.TempDir(), fmt.Sprintf("parley-corpus-%d-%d-%d-%d-%d", corpusGeneration, c.Seed, c.Sessions, c.Bytes, c.Now.Unix()))
	done := filepath.Join(home, "complete")
	if _, err := os.Stat(done); err == nil {
		return home
	} else if !errors.Is(err, fs.ErrNotExist) {
		tb.Fatal(err)
	}
	if err := os.RemoveAll(home); err != nil {
		tb.Fatal(err)
	}
	if err := writeCorpus(home, c); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(done, nil, 0o600); err != nil {
		tb.Fatal(err)
	}
	return home
}

// writeCorpus writes the sessions below a folder.
func writeCorpus(home string, c corpusConfig) error {
	words := newCorpusText(c.Seed)
	weights, all := make([]float64, c.Sessions), 0.0
	sizes := rand.New(rand.NewPCG(c.Seed, 1)) // #nosec G404 -- a corpus is to be the same each time
	for i := range weights {
		weights[i] = 0.2 + sizes.ExpFloat64()*sizes.ExpFloat64() // a few are large
		all += weights[i]
	}
	errs := make([]error, c.Sessions)
	var work sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		work.Go(func() {
			for i := w; i < c.Sessions; i += workers {
				errs[i] = writeCorpusSession(home, c, i, int64(float64(c.Bytes)*weights[i]/all), words)
			}
		})
	}
	work.Wait()
	return errors.Join(errs...)
}

// writeCorpusSession writes one session, the i-th newest.
func writeCorpusSession(home string, c corpusConfig, i int, size int64, words *corpusText) (err error) {
	used := c.Now.Add(-corpusAge / time.Duration(max(1, c.Sessions)) * time.Duration(i))
	l := newCorpusLog(c.Seed, i, words)
	dir := filepath.Join(home, "session-state", l.session)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	path := filepath.Join(dir, "events.jsonl")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<20)
	l.write(out, used, size)
	if err := errors.Join(out.Flush(), f.Close()); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "workspace.yaml"), l.workspace(used), 0o600); err != nil {
		return err
	}
	return os.Chtimes(path, used, used)
}
