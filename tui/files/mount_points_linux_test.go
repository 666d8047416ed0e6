package files

import (
	"maps"
	"testing"
)

func TestMountPoints(t *testing.T) {
	t.Parallel()
	got := mountPoints("22 28 0:20 / /proc rw,nosuid - proc proc rw\n" +
		`36 35 98:0 /mnt1 /media/my\040disk\134x rw,noatime master:1 - ext3 /dev/root rw` + "\nshort line\n\n")
	if want := map[string]bool{"/proc": true, `/media/my disk\x`: true}; !maps.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if !mounts()["/proc"] {
		t.Error("/proc is no mount here")
	}
}
