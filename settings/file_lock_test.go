package settings_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/session/sessiontest"
	"parley/settings"
)

// refused checks that no file of a path is read or written, and why.
func refused(t *testing.T, path, want string) {
	t.Helper()
	if _, err := settings.Load(path); err == nil || !strings.Contains(err.Error(), path+": the file cannot be read: ") || !strings.Contains(err.Error(), want) {
		t.Errorf("settings: %v", err)
	}
	if _, err := settings.LoadKeys(path); err == nil || !strings.Contains(err.Error(), path+": the file cannot be read: ") || !strings.Contains(err.Error(), want) {
		t.Errorf("keys: %v", err)
	}
	if err := settings.Put(t.Context(), path, "vim", true); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("put: %v", err)
	}
}

// TestLargeFile: what is longer than a file of settings can be is not read, and nothing is put in its place.
func TestLargeFile(t *testing.T) {
	t.Parallel()
	refused(t, write(t, strings.Repeat("# x\n", 300_000)), "longer than")
}

// TestOddFiles: what is no file is not waited for, and nothing is put in its
// place.
func TestOddFiles(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "pipes in folders and links")
	dir := t.TempDir()
	pipe, null, endless := filepath.Join(dir, "pipe"), filepath.Join(dir, "null"), filepath.Join(dir, "zero")
	for _, err := range []error{sessiontest.Mkfifo(pipe), os.Symlink(os.DevNull, null), os.Symlink("/dev/zero", endless)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{pipe, endless} {
		refused(t, path, "a pipe or a device")
	}
	if _, err := settings.Load(null); err != nil {
		t.Errorf("nothing: %v", err)
	}
	if err := settings.Put(t.Context(), null, "vim", true); err == nil {
		t.Error("nothing took a setting")
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode()&os.ModeDevice == 0 {
		t.Fatalf("%s is gone: %v, %v", os.DevNull, info, err)
	}
	if err := os.Rename(pipe, filepath.Join(dir, "settings.toml")); err != nil {
		t.Fatal(err)
	}
	if settings.Stamped(dir) == "" {
		t.Error("a folder with a pipe has no stamp")
	}
}

// TestPutLeavesAReadOnlyFile as it is, also for one who may write to it.
func TestPutLeavesAReadOnlyFile(t *testing.T) {
	t.Parallel()
	path := write(t, "vim = false\n")
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := settings.Put(t.Context(), path, "vim", true); err == nil || !strings.Contains(err.Error(), "it is read-only") {
		t.Error(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "vim = false\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestPutIsNotHeldUp: who waits for another writer stops with the context.
func TestPutIsNotHeldUp(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "settings.toml")
	held := settings.FolderLock(filepath.Dir(path))
	if err := held.Lock(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := settings.Put(ctx, path, "vim", true); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it was written: %v", err)
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	if err := settings.Put(t.Context(), path, "vim", true); err != nil {
		t.Error(err)
	}
}

// TestPutAtTheSameTime: of several that write at once, none undoes another.
func TestPutAtTheSameTime(t *testing.T) {
	t.Parallel()
	for round := range 20 {
		path := filepath.Join(t.TempDir(), strconv.Itoa(round), "settings.toml")
		values := map[string]any{
			"vim": true, "motion": "none", "times": "off", "mouse.wheel": false, "mouse.click": false, "notify.after": 7, "theme": "light",
		}
		var all sync.WaitGroup
		for name, value := range values {
			all.Go(func() {
				if err := settings.Put(t.Context(), path, name, value); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		f, err := settings.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range values {
			if s, _ := settings.Find(name); s.Value(f.Settings) != want {
				t.Fatalf("%s was undone: %v", name, s.Value(f.Settings))
			}
		}
	}
}
