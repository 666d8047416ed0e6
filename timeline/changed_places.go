package timeline

import "sort"

// changedPlaces says where entries changed, as far back as it may matter: the places
// grow with the versions, since a change at an earlier place covers those behind.
type changedPlaces struct {
	list    []changedPlace
	dropped uint64 // of what is older nothing is known any more
}

type changedPlace struct {
	version uint64
	pos     int
}

// maxChangedPlaces bounds the places that are remembered.
const maxChangedPlaces = 4096

// note notes that entries from pos on are others since version.
func (c *changedPlaces) note(version uint64, pos int) {
	n := len(c.list)
	for n > 0 && c.list[n-1].pos >= pos {
		n--
	}
	c.list = append(c.list[:n], changedPlace{version, pos})
	if n >= maxChangedPlaces {
		half := n / 2
		c.dropped = c.list[half-1].version
		c.list = append(c.list[:0], c.list[half:]...)
	}
}

// Stable returns how many of the oldest entries are what and where they were at a
// version. It may return fewer, for a version that is long ago.
func (t *Timeline) Stable(version uint64) int {
	c := &t.moved
	if version < c.dropped {
		return 0
	}
	i := sort.Search(len(c.list), func(i int) bool { return c.list[i].version > version })
	if i == len(c.list) {
		return len(t.entries)
	}
	return c.list[i].pos
}
