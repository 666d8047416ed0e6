package sessions

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// processStart is when a process began; not ok where that cannot be known. The system
// reports it in hundredths of a second since it was started itself (proc(5)).
func processStart(pid int) (at time.Time, ok bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return at, false
	}
	const field, first = 22, 3 // the third follows the name of the program, which ends in the last bracket
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= field-first {
		return at, false
	}
	ticks, err := strconv.ParseInt(string(fields[field-first]), 10, 64)
	if err != nil {
		return at, false
	}
	system, err := os.ReadFile("/proc/stat")
	if err != nil {
		return at, false
	}
	for line := range strings.Lines(string(system)) {
		if seconds, is := strings.CutPrefix(line, "btime "); is {
			boot, err := strconv.ParseInt(strings.TrimSpace(seconds), 10, 64)
			return time.Unix(boot, 0).Add(time.Duration(ticks) * 10 * time.Millisecond), err == nil
		}
	}
	return at, false
}
