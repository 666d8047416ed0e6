// Package packaging has what make release packs Parley with; its test installs what comes of it.
package packaging

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// packed are the files of a package, where the completions of zsh are in a folder that is given.
func packed(zsh string) []string {
	return []string{
		"/usr/bin/parley", "/usr/share/bash-completion/completions/parley", "/usr/share/doc/parley/CHANGELOG.md",
		"/usr/share/doc/parley/README.md", "/usr/share/doc/parley/THIRD-PARTY-LICENSES.txt", "/usr/share/doc/parley/copyright",
		"/usr/share/fish/vendor_completions.d/parley.fish", "/usr/share/man/man1/parley-sessions.1.gz",
		"/usr/share/man/man1/parley.1.gz", "/usr/share/man/man5/parley.toml.5.gz", "/usr/share/man/man7/parley-keys.7.gz",
		"/usr/share/parley/parley.ps1", "/usr/share/zsh/" + zsh + "/_parley",
	}
}

// TestPackages builds what users of this processor's Linux install, twice with the same bytes, and
// once as a later version. The .deb is installed, run, upgraded and removed, in a folder that dpkg
// takes for a system. make package runs it; it takes a minute or two.
func TestPackages(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("dpkg"); err != nil || runtime.GOOS != "linux" {
		t.Skip("needs Linux and dpkg")
	}
	old := release(t, "")
	for name, sum := range sums(t, release(t, "")) {
		if was := sums(t, old)[name]; was != sum {
			t.Errorf("%s is not the same in two runs: %s, %s", name, was, sum)
		}
	}
	say(t, old, nil, "sha256sum", "--quiet", "-c", "SHA256SUMS")
	version := between(t, readFile(t, "../cli/process/version.go"), "Release = \"", "\"")
	t.Run("archive", func(t *testing.T) { checkArchive(t, old, version) })
	t.Run("apk", func(t *testing.T) {
		if got := tarred(t, one(t, old, ".apk")); !slices.Equal(got, packed("site-functions")) {
			t.Errorf("it holds %q", got)
		}
	})
	t.Run("rpm", func(t *testing.T) {
		if _, err := exec.LookPath("rpm"); err != nil {
			t.Skip("rpm is not installed, and has not read it")
		}
		listed := say(t, old, nil, "rpm", "-qlp", "--dbpath", t.TempDir(), one(t, old, ".rpm"))
		if got := strings.Fields(listed); !slices.Equal(got, packed("site-functions")) {
			t.Errorf("it holds %q", got)
		}
	})
	t.Run("deb", func(t *testing.T) { checkDeb(t, one(t, old, ".deb"), one(t, release(t, later), ".deb"), version) })
}

// later is the version of the package that is an upgrade.
const later = "99.1.0"

// checkDeb installs, runs, upgrades and removes a package.
func checkDeb(t *testing.T, old, upgrade, version string) {
	t.Helper()
	root, home := t.TempDir(), t.TempDir()
	for _, folder := range []string{"info", "updates", "triggers"} {
		if err := os.MkdirAll(filepath.Join(root, "var/lib/dpkg", folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, filepath.Join(root, "var/lib/dpkg/status"), "")
	dpkg := []string{"dpkg", "--root=" + root, "--log=" + os.DevNull, "--force-not-root"}
	if os.Getuid() != 0 {
		if _, err := exec.LookPath("fakeroot"); err != nil {
			t.Skip("needs root or fakeroot: the files of a package are root's")
		}
		dpkg = append([]string{"fakeroot"}, dpkg...)
	}
	with := func(args ...string) string { return say(t, root, nil, append(slices.Clone(dpkg), args...)...) }
	env := []string{"HOME=" + home, "PATH=" + filepath.Join(root, "usr/bin") + ":/usr/bin:/bin", "TERM=dumb"}
	program := filepath.Join(root, "usr/bin/parley")
	installed := func() []string {
		var files []string
		err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
			if !d.IsDir() && !strings.HasPrefix(name, "var/lib/dpkg/") {
				files = append(files, "/"+name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return files
	}

	with("-i", old)
	if got := installed(); !slices.Equal(got, packed("vendor-completions")) {
		t.Errorf("it installs %q", got)
	}
	commit := strings.TrimSpace(say(t, "..", nil, "git", "rev-parse", "--short=12", "HEAD"))
	if got := say(t, home, env, program, "--version"); !strings.HasPrefix(got, "parley "+version+" ("+commit) {
		t.Errorf("the version is %q, of commit %s", got, commit)
	}
	if got := say(t, home, env, program, "--agent", "demo", "-p", "hello"); len(got) < 20 {
		t.Errorf("the demo answers %q", got)
	}
	settings := filepath.Join(home, ".config/parley/settings.toml")
	if got := strings.TrimSpace(say(t, home, env, program, "config", "path")); got != settings {
		t.Errorf("settings are in %s", got)
	}
	const mine = "density = \"compact\" # mine\n"
	writeFile(t, settings, mine)

	with("-i", upgrade)
	if got := say(t, home, env, program, "--version"); !strings.HasPrefix(got, "parley "+later+" (") {
		t.Errorf("after the upgrade the version is %q", got)
	}
	if got := say(t, home, env, program, "config", "show"); !strings.Contains(got, "density = \"compact\"") {
		t.Errorf("after the upgrade the settings are\n%s", got)
	}
	if _, err := exec.LookPath("man"); err == nil {
		for _, page := range [][]string{{"1", "parley"}, {"1", "parley-sessions"}, {"5", "parley.toml"}, {"7", "parley-keys"}} {
			say(t, home, env, "man", "-M", filepath.Join(root, "usr/share/man"), "-w", page[0], page[1])
		}
	}

	with("-P", "parley")
	if got := installed(); len(got) > 0 {
		t.Errorf("what stays is %q", got)
	}
	if got := readFile(t, settings); got != mine {
		t.Errorf("the settings are %q now", got)
	}
}

// checkArchive looks at what is in the archive, and at the list of what the program is made of.
func checkArchive(t *testing.T, dist, version string) {
	t.Helper()
	archive := one(t, dist, ".tar.gz")
	folder := t.TempDir()
	say(t, folder, nil, "tar", "-xzf", archive)
	folder = filepath.Join(folder, strings.TrimSuffix(filepath.Base(archive), ".tar.gz"))
	for _, name := range []string{
		"README.md", "LICENSE", "CHANGELOG.md", "man/parley.1", "man/parley-sessions.1", "man/parley.toml.5", "man/parley-keys.7",
		"completions/parley.bash", "completions/_parley", "completions/parley.fish", "completions/parley.ps1",
	} {
		if readFile(t, filepath.Join(folder, name)) == "" {
			t.Errorf("%s is empty", name)
		}
	}
	info, err := buildinfo.ReadFile(filepath.Join(folder, "parley"))
	if err != nil {
		t.Fatal(err)
	}
	licences := readFile(t, filepath.Join(folder, "THIRD-PARTY-LICENSES.txt"))
	var bom struct {
		Metadata   struct{ Component struct{ Version string } }
		Components []struct{ Name, Version string }
	}
	if err := json.Unmarshal([]byte(readFile(t, one(t, dist, ".cdx.json"))), &bom, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	if bom.Metadata.Component.Version != "v"+version {
		t.Errorf("the list of parts is of version %q", bom.Metadata.Component.Version)
	}
	parts := map[string]bool{}
	for _, c := range bom.Components {
		parts[c.Name+" "+c.Version] = true
	}
	if len(info.Deps) < 20 {
		t.Errorf("the program has only %d modules", len(info.Deps))
	}
	for _, module := range info.Deps {
		name := module.Path + " " + module.Version
		if !strings.Contains(licences, "\n"+name+": ") {
			t.Errorf("there is no licence of %s", name)
		}
		if !parts[name] {
			t.Errorf("%s is not in the list of parts", name)
		}
	}
}

// TestManifests fills the formula and the manifest in, beside archives that are there.
func TestManifests(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("needs bash")
	}
	dist := t.TempDir()
	for _, place := range []string{"darwin_arm64.tar.gz", "darwin_amd64.tar.gz", "linux_arm64.tar.gz", "linux_amd64.tar.gz"} {
		writeFile(t, filepath.Join(dist, "parley_1.2.3_"+place), place)
	}
	say(t, ".", nil, "./manifests.sh", dist, "1.2.3", "https://example.org/r")
	if _, err := os.Stat(filepath.Join(dist, "parley.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the manifest of Scoop is there without archives for Windows: %v", err)
	}
	for _, place := range []string{"windows_arm64.zip", "windows_amd64.zip"} {
		writeFile(t, filepath.Join(dist, "parley_1.2.3_"+place), place)
	}
	say(t, ".", nil, "./manifests.sh", dist, "1.2.3", "https://example.org/r")
	formula := readFile(t, filepath.Join(dist, "parley.rb"))
	manifest := readFile(t, filepath.Join(dist, "parley.json"))
	archives, err := filepath.Glob(filepath.Join(dist, "parley_*"))
	if err != nil || len(archives) != 6 {
		t.Fatal(archives, err)
	}
	for _, archive := range archives {
		sum := sha256.Sum256([]byte(readFile(t, archive)))
		in := formula
		if strings.HasSuffix(archive, ".zip") {
			in = manifest
		}
		_, after, found := strings.Cut(in, "\"https://example.org/r/"+filepath.Base(archive)+"\"")
		next, _, _ := strings.Cut(strings.TrimLeft(after, ",\n "), "\n")
		if !found || !strings.Contains(next, hex.EncodeToString(sum[:])) {
			t.Errorf("%s and its checksum are not in\n%s", filepath.Base(archive), in)
		}
	}
	if !strings.Contains(formula, `version "1.2.3"`) || strings.Contains(manifest, "@") {
		t.Errorf("%s\n%s", formula, manifest)
	}
	var scoop struct {
		Version, Bin string
		Architecture map[string]struct{ URL, Hash string }
	}
	err = json.Unmarshal([]byte(manifest), &scoop, json.MatchCaseInsensitiveNames(true))
	if err != nil || scoop.Version != "1.2.3" || scoop.Bin != "parley.exe" || len(scoop.Architecture) != 2 {
		t.Errorf("%v: %+v", err, scoop)
	}
	if _, err := exec.LookPath("ruby"); err == nil {
		say(t, dist, nil, "ruby", "-c", "parley.rb")
	}
}

// release builds for this system alone, as the version of the tree or another, and returns where it is.
func release(t *testing.T, version string) string {
	t.Helper()
	dist := filepath.Join(t.TempDir(), "dist")
	env := append(os.Environ(), "DIST="+dist, "RELEASE_URL=https://example.org", "VERSION="+version)
	say(t, "..", env, "make", "release", "TARGETS=linux/"+runtime.GOARCH)
	return dist
}

// say runs a command and returns what it writes to its standard output; that it fails is fatal.
func say(t *testing.T, folder string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir, cmd.Env = folder, env
	var wrong strings.Builder
	cmd.Stderr = &wrong
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%q: %v\n%s%s", args, err, out, wrong.String())
	}
	return string(out)
}

// tarred are the names of the files in a .apk, which is two archives in one.
func tarred(t *testing.T, file string) []string {
	t.Helper()
	unpacked, err := gzip.NewReader(strings.NewReader(readFile(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for archive := tar.NewReader(unpacked); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			slices.Sort(names)
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Typeflag == tar.TypeReg && !strings.HasPrefix(path.Base(header.Name), ".") {
			names = append(names, "/"+header.Name)
		}
	}
}

// sums are the checksums of the files in a folder.
func sums(t *testing.T, dist string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dist, "*"))
	if err != nil || len(files) < 6 {
		t.Fatalf("%q, %v", files, err)
	}
	all := map[string]string{}
	for _, file := range files {
		sum := sha256.Sum256([]byte(readFile(t, file)))
		all[filepath.Base(file)] = hex.EncodeToString(sum[:])
	}
	return all
}

// one is the file in a folder whose name ends so.
func one(t *testing.T, dist, ending string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dist, "parley*"+ending))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %q, %v", ending, files, err)
	}
	return files[0]
}

func between(t *testing.T, text, begin, end string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, begin)
	inner, _, ends := strings.Cut(rest, end)
	if !found || !ends {
		t.Fatalf("nothing is between %q and %q", begin, end)
	}
	return inner
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(content), 0o600)); err != nil {
		t.Fatal(err)
	}
}
