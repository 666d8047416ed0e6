//go:build !linux && !darwin

package sessions

import "time"

// started is when a process began. It cannot be known here.
func started(int) (at time.Time, ok bool) { return at, false }
