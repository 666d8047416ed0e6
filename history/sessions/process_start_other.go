//go:build !linux && !darwin

package sessions

import "time"

// processStart is when a process began. It cannot be known here.
func processStart(int) (at time.Time, ok bool) { return at, false }
