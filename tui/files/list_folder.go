package files

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxFolder is how many entries of a folder on the disk are looked at.
const maxFolder = 50_000

// listed is an entry of a folder with what it is ordered by.
type listed struct {
	Match
	name     string
	score    int
	frecency float64
	link     bool // a symbolic link, to something that is not known yet
}

// best puts the entries in order: the best match first, then the most frecent,
// then folders, then by name, and what is hidden last.
func best(entries []listed, limit int) []listed {
	rank := func(e listed) int {
		switch {
		case strings.HasPrefix(e.name, "."):
			return 2
		case !e.Dir:
			return 1
		}
		return 0
	}
	slices.SortFunc(entries, func(a, b listed) int {
		return cmp.Or(b.score-a.score, cmp.Compare(b.frecency, a.frecency), rank(a)-rank(b), strings.Compare(a.name, b.name))
	})
	return entries[:min(limit, len(entries))]
}

// folder lists a folder of the index, which ends in a slash; nil if the index
// has no such folder, or nothing in it.
func (x *Index) folder(folder string, frecency map[string]float64, limit int) []Match {
	from, to := x.children(strings.TrimSuffix(folder, "/"))
	entries := make([]listed, 0, to-from)
	for i := from; i < to; i++ {
		_, base := x.split(i)
		path := folder + string(base)
		entries = append(entries, listed{
			Match: Match{Path: path, Dir: x.isFolder(i), Spans: [][2]int{{0, len(folder)}}},
			name:  string(base), frecency: frecency[path],
		})
	}
	return matches(best(entries, limit))
}

// list lists what is on the disk where a query points to; nil if there is
// nothing.
func (x *Index) list(query string, frecency map[string]float64, limit int) []Match {
	if query == "~" || query == ".." {
		query += "/"
	}
	folder, name := cutLast(query)
	place, ok := Absolute(folder, x.dir, x.home)
	if !ok {
		return nil
	}
	dir, err := os.Open(place)
	if err != nil {
		return nil
	}
	defer dir.Close()
	found, err := dir.ReadDir(maxFolder)
	if err != nil && len(found) == 0 {
		return nil
	}
	p, slab := newPattern(name), newSlab()
	var entries []listed
	for _, f := range found {
		score, ok := p.score([]byte(f.Name()), slab)
		if !ok || f.Name() == ".git" && name != f.Name() {
			continue
		}
		path := folder + f.Name()
		entries = append(entries, listed{
			Match: Match{Path: path, Dir: f.IsDir(), Spans: p.spans([][2]int{{0, len(folder)}}, []byte(f.Name()), len(folder))},
			name:  f.Name(), score: score, frecency: frecency[path], link: f.Type()&fs.ModeSymlink != 0,
		})
	}
	entries = best(entries, limit)
	for i, e := range entries {
		if e.link {
			entries[i].Dir, _ = Stat(filepath.Join(place, e.name))
		}
	}
	return matches(entries)
}

func matches(entries []listed) []Match {
	if len(entries) == 0 {
		return nil
	}
	out := make([]Match, len(entries))
	for i, e := range entries {
		out[i] = e.Match
	}
	return out
}
