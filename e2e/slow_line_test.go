package e2e

import (
	"testing"
	"time"
)

// TestLowBandwidthByItself: a terminal that answers late has little written to it, and the screen says
// so. Time passes eight times as fast for the program that journeys drive.
func TestLowBandwidthByItself(t *testing.T) {
	t.Parallel()
	s := start(t, launch{args: []string{"--agent", "demo"}, answers: late(1300 * time.Millisecond)})
	s.wait(textReady, "low-bandwidth mode is on", "/settings terminal.low_bandwidth off")
}
