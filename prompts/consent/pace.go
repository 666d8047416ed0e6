//go:build !journeys

package consent

// Pace is how many times as fast as a user the times of consent run. They are
// constants: no flag, variable or setting of the program changes them. Only the
// program that tests drive in a terminal is built with another pace, so that a test
// need not wait as long as a user would.
const Pace = 1
