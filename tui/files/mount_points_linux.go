package files

import (
	"strings"
)

// mounts are the folders in which other file systems begin, as the system reports:
// to look at one that does not answer would take for ever.
func mounts() map[string]bool {
	return mountPoints(string(readStart("/proc/self/mountinfo", maxIgnoreFile)))
}

// mountPoints reads a table of mounts (proc(5), mountinfo): the fifth field is where,
// with blanks as octal codes.
func mountPoints(table string) map[string]bool {
	plain := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	points := map[string]bool{}
	for line := range strings.Lines(table) {
		const where = 4
		if fields := strings.Fields(line); len(fields) > where {
			points[plain.Replace(fields[where])] = true
		}
	}
	return points
}
