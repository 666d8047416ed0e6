// Command archive packs a folder into a .tar.gz or a .zip: archive FILE FOLDER. The same files
// give the same bytes: in the order of their names, owned by root, and of $SOURCE_DATE_EPOCH.
package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		fmt.Fprintln(os.Stderr, "archive:", err)
		os.Exit(1)
	}
}

func run(args []string, epoch string) error {
	if len(args) != 2 {
		return errors.New("usage: archive FILE FOLDER")
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	file, err := os.Create(args[0])
	if err != nil {
		return err
	}
	pack := tarball
	if strings.HasSuffix(args[0], ".zip") {
		pack = zipped
	}
	return errors.Join(pack(file, args[1], time.Unix(seconds, 0).UTC()), file.Close())
}

// tarball writes a folder as a .tar.gz.
func tarball(w io.Writer, folder string, at time.Time) error {
	compressed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	err = each(folder, func(name string, mode fs.FileMode, content []byte) error {
		header := &tar.Header{
			Name: name, Mode: int64(mode.Perm()), Size: int64(len(content)), ModTime: at, Typeflag: tar.TypeReg,
			Uname: "root", Gname: "root",
		}
		if mode.IsDir() {
			header.Typeflag = tar.TypeDir
		}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		_, err := archive.Write(content)
		return err
	})
	return errors.Join(err, archive.Close(), compressed.Close())
}

// zipped writes a folder as a .zip.
func zipped(w io.Writer, folder string, at time.Time) error {
	archive := zip.NewWriter(w)
	err := each(folder, func(name string, mode fs.FileMode, content []byte) error {
		header := &zip.FileHeader{Name: name, Modified: at, Method: zip.Deflate}
		header.SetMode(mode)
		entry, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		_, err = entry.Write(content)
		return err
	})
	return errors.Join(err, archive.Close())
}

// each visits a folder and what is in it, in the order of the names; that of a folder ends in a
// slash. Only whether a file can be run is taken of its mode.
func each(folder string, visit func(name string, mode fs.FileMode, content []byte) error) error {
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(filepath.Dir(folder), path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(below)
		if d.IsDir() {
			return visit(name+"/", fs.ModeDir|0o755, nil)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return visit(name, mode, content)
	})
}
