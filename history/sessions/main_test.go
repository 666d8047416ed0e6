package sessions

import (
	"testing"

	"parley/session/sessiontest"
)

// TestMain lets the test binary be another process, which can be killed.
func TestMain(m *testing.M) {
	sessiontest.Main(m, sessiontest.Roles{"index": playIndex, "mark": playMark, "take": playTake, "claim": playClaim})
}
