package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// TestArchive packs a folder in each form: in the order of the names, of one time, with the
// programs executable; a second time, when the files are younger, with the same bytes.
func TestArchive(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "parley_1")
	if err := errors.Join(
		os.MkdirAll(filepath.Join(folder, "man"), 0o700), os.WriteFile(filepath.Join(folder, "parley"), []byte("program"), 0o700),
		os.WriteFile(filepath.Join(folder, "man", "parley.1"), []byte("page"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"parley_1/ drwxr-xr-x 1700000000", "parley_1/man/ drwxr-xr-x 1700000000", "parley_1/man/parley.1 -rw-r--r-- 1700000000 page",
		"parley_1/parley -rwxr-xr-x 1700000000 program",
	}
	if runtime.GOOS == "windows" { // no file has a mode that it can be run by
		want[3] = "parley_1/parley -rw-r--r-- 1700000000 program"
	}
	for form, list := range map[string]func(*testing.T, []byte) []string{"a.tar.gz": listTar, "a.zip": listZip} {
		packed := pack(t, form, folder)
		if got := list(t, packed); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", form, got, want)
		}
		later := time.Unix(1800000000, 0)
		if err := os.Chtimes(filepath.Join(folder, "parley"), later, later); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(pack(t, form, folder), packed) {
			t.Errorf("%s is not the same again", form)
		}
	}
	for _, args := range [][]string{{}, {"a.zip"}, {filepath.Join(t.TempDir(), "a.zip"), filepath.Join(folder, "none")}} {
		if run(args, "1700000000") == nil {
			t.Errorf("%q is packed", args)
		}
	}
	if run([]string{filepath.Join(t.TempDir(), "a.zip"), folder}, "") == nil {
		t.Error("it is packed without a time")
	}
}

func pack(t *testing.T, form, folder string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), form)
	if err := run([]string{file, folder}, "1700000000"); err != nil {
		t.Fatal(err)
	}
	packed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

func listTar(t *testing.T, packed []byte) (entries []string) {
	t.Helper()
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	for archive := tar.NewReader(unpacked); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return entries
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Uname != "root" || header.Uid != 0 {
			t.Errorf("%s is of %s", header.Name, header.Uname)
		}
		entries = append(entries, entry(t, header.Name, header.FileInfo(), archive))
	}
}

func listZip(t *testing.T, packed []byte) (entries []string) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.File {
		content, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, entry(t, file.Name, file.FileInfo(), content))
	}
	return entries
}

func entry(t *testing.T, name string, info os.FileInfo, content io.Reader) string {
	t.Helper()
	text, err := io.ReadAll(content)
	if err != nil {
		t.Fatal(err)
	}
	described := fmt.Sprintf("%s %s %d", name, info.Mode(), info.ModTime().Unix())
	if len(text) > 0 {
		described += " " + string(text)
	}
	return described
}
