package settings

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"parley/session/sessiontest"
)

// patience is how long a test waits before it fails; it is never waited out when
// things go well.
const patience = 20 * time.Second

// deeds are what may happen to files.
type deeds struct {
	t   *testing.T
	dir string // of the settings
}

func (d deeds) path(name string) string { return filepath.Join(d.dir, name) }

func (d deeds) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d deeds) write(name, text string) { d.must(os.WriteFile(d.path(name), []byte(text), 0o600)) }
func (d deeds) mkdir(name string)       { d.must(os.MkdirAll(d.path(name), 0o700)) }

func (d deeds) link(to, name string) {
	d.t.Helper()
	sessiontest.UnixOnly(d.t, "links")
	d.must(os.Symlink(to, d.path(name)))
}

// changes are what a user does to their files, after what was there before.
var changes = []struct {
	name           string
	before, change func(d deeds)
}{
	{"the folder comes", nil, func(d deeds) { d.mkdir("."); d.write("settings.toml", "vim = true") }},
	{"a file comes", func(d deeds) { d.mkdir(".") }, func(d deeds) { d.write("keys.toml", "x") }},
	{"a file changes", func(d deeds) { d.mkdir("."); d.write("settings.toml", "a") }, func(d deeds) { d.write("settings.toml", "b") }},
	{"a file goes", func(d deeds) { d.mkdir("."); d.write("settings.toml", "a") }, func(d deeds) { d.must(os.Remove(d.path("settings.toml"))) }},
	{"a file takes its place", func(d deeds) { d.mkdir("."); d.write("settings.toml", "a") }, func(d deeds) {
		d.write("4913", "b")
		d.must(os.Rename(d.path("4913"), d.path("settings.toml")))
	}},
	{"what a link leads to changes", func(d deeds) {
		d.mkdir(".")
		d.mkdir("../dotfiles")
		d.write("../dotfiles/p.toml", "a")
		d.link("../dotfiles/p.toml", "settings.toml")
	}, func(d deeds) { d.write("../dotfiles/p.toml", "b") }},
	{"what a link leads to comes", func(d deeds) {
		d.mkdir(".")
		d.link("../dotfiles/p.toml", "settings.toml")
	}, func(d deeds) { d.mkdir("../dotfiles"); d.write("../dotfiles/p.toml", "b") }},
	{"a theme comes", func(d deeds) { d.mkdir("themes") }, func(d deeds) { d.write("themes/mine.toml", "a") }},
	{"a style of markdown comes", func(d deeds) { d.mkdir("themes") }, func(d deeds) { d.write("themes/mine.json", "a") }},
	{"the themes come", func(d deeds) { d.mkdir(".") }, func(d deeds) { d.mkdir("themes"); d.write("themes/mine.toml", "a") }},
	{"the folder goes", func(d deeds) { d.mkdir("."); d.write("settings.toml", "a") }, func(d deeds) { d.must(os.RemoveAll(d.dir)) }},
	{"the folder above is another one", nil, func(d deeds) {
		sessiontest.UnixOnly(d.t, "to see that a folder that is watched has another name")
		d.must(os.Rename(filepath.Dir(d.dir), filepath.Dir(d.dir)+".old"))
		d.mkdir(".")
		d.write("settings.toml", "b")
	}},
	{"the folder is another one", func(d deeds) {
		d.mkdir("../one")
		d.mkdir("../two")
		d.write("../two/settings.toml", "b")
		d.link("one", ".")
	}, func(d deeds) {
		d.must(os.Remove(d.dir))
		d.link("two", ".")
	}},
}

// newDeeds is a folder of settings that is not there, in one that is.
func newDeeds(t *testing.T) deeds {
	t.Helper()
	return deeds{t, filepath.Join(t.TempDir(), "config", "parley")}
}

func (d deeds) begin(before func(d deeds)) {
	d.t.Helper()
	d.must(os.MkdirAll(filepath.Dir(d.dir), 0o700))
	if before != nil {
		before(d)
	}
}

// TestWatch returns after each change of the files, once it is over.
func TestWatch(t *testing.T) {
	t.Parallel()
	for _, c := range changes {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := newDeeds(t)
			d.begin(c.before)
			were := Stamped(d.dir)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			ended := make(chan error, 1)
			go func() { ended <- Watch(ctx, d.dir, were) }()
			c.change(d)
			if err := <-ended; err != nil {
				t.Fatal(err)
			}
			if Stamped(d.dir) == were {
				t.Error("nothing has changed")
			}
		})
	}
}

// TestAttend: of each change an event comes that counts, while one waits for it.
// Watch itself may see a change before it waits.
func TestAttend(t *testing.T) {
	t.Parallel()
	for _, c := range changes {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := newDeeds(t)
			d.begin(c.before)
			w, err := fsnotify.NewWatcher()
			d.must(err)
			defer w.Close()
			s, err := attend(w, d.dir)
			d.must(err)
			c.change(d)
			late := time.After(patience)
			for counted := false; !counted; {
				select {
				case e := <-w.Events:
					counted = s.counts(e.Name)
				case <-late:
					t.Fatal("no event of it counts")
				}
			}
		})
	}
}

// TestWatchIsAtOnce where the files have changed since they were read.
func TestWatchIsAtOnce(t *testing.T) {
	t.Parallel()
	d := newDeeds(t)
	d.begin(func(d deeds) { d.mkdir("."); d.write("settings.toml", "a") })
	were := Stamped(d.dir)
	d.write("settings.toml", "b")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := Watch(ctx, d.dir, were); err != nil {
		t.Error(err)
	}
}

// TestWatchEnds with its context.
func TestWatchEnds(t *testing.T) {
	t.Parallel()
	d := newDeeds(t)
	d.begin(nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Watch(ctx, d.dir, Stamped(d.dir)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestWhatCounts: what happens to other files is none of ours, and the same text
// again is no change.
func TestWhatCounts(t *testing.T) {
	t.Parallel()
	d := newDeeds(t)
	d.begin(func(d deeds) { d.mkdir("themes"); d.write("settings.toml", "a") })
	were := Stamped(d.dir)
	d.write("settings.toml", "a")
	d.write("other.toml", "x")
	d.write("themes/notes.txt", "x")
	if Stamped(d.dir) != were {
		t.Error("another file is a change")
	}
	_, s := places(d.dir)
	for name, want := range map[string]bool{
		"settings.toml": true, "keys.toml": true, "themes": true, "themes/a.toml": true, ".": true,
		"other.toml": false, "themes/a.txt": false, ".settings-123": false, "../other": false,
	} {
		if got := s.counts(d.path(name)); got != want {
			t.Errorf("%s counts: %t", name, got)
		}
	}
}
