package terminal

import "os"

// CrashRestore gives the terminal back after a fatal error of Go's runtime. Windows has no
// shell that could wait for it and no stty: nothing is restored here, and parley doctor says so.
type CrashRestore struct{}

// NewCrashRestore is for a window whose terminal is still as it was before.
func NewCrashRestore(_, _, _ *os.File, _ Environment) *CrashRestore { return &CrashRestore{} }

// Start does nothing.
func (*CrashRestore) Start() {}

// Stop does nothing.
func (*CrashRestore) Stop() {}
