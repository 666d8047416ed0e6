package files

import (
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Match is a file or folder that a query found.
type Match struct {
	// Path is relative to the folder of the index, or starts as the query did:
	// with "./", "../", "~/" or "/". It is exact, and so not safe to show as it
	// is. A folder's has no slash at its end.
	Path string
	Dir  bool
	// Spans are the parts of Path that the query matched, as byte offsets.
	Spans [][2]int
}

// maxQuery is how long a query may be, in runes; a longer one finds nothing.
const maxQuery = 250

// Find returns what a query means, best first and at most limit.
//
// The letters of a query match in their order, with others between them; case
// counts if one of them is upper case. It is better when those after the last
// slash all match in the last element of a path, and when a path has a
// frecency: the keys are as in Match.Path, more is better, up to a bound. Among
// equals the shallower comes first. The query "" lists the most frecent, then
// the shallowest. One that ends in a slash lists that folder, and one that
// starts with "./", "../", "~/" or "/", or a drive on Windows, lists what is there on the disk. A
// folder that is left out of the index is listed from the disk as well once it
// is named.
func (x *Index) Find(query string, frecency map[string]float64, limit int) []Match {
	if limit <= 0 || utf8.RuneCountInString(query) > maxQuery {
		return nil
	}
	folder, name := cutLast(query)
	switch {
	case outside(query):
		return x.list(query, frecency, limit)
	case folder != "" && name == "":
		if found := x.folder(folder, frecency, limit); found != nil {
			return found
		}
		if found := x.list(query, frecency, limit); found != nil {
			return found
		}
	}
	s := x.search(query, frecency, limit)
	found := s.run()
	switch {
	case len(found) == 0 && folder != "":
		return x.list(query, frecency, limit)
	case len(found) == 0:
		return nil
	}
	out := make([]Match, len(found))
	for i, r := range found {
		out[i] = s.match(r)
	}
	return out
}

// outside reports whether a query names a place on the disk.
func outside(query string) bool {
	return query == "~" || query == ".." || strings.HasPrefix(query, "/") || filepath.IsAbs(query) || strings.HasPrefix(query, "~/") ||
		strings.HasPrefix(query, "./") || strings.HasPrefix(query, "../")
}
