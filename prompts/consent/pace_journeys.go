//go:build journeys

package consent

// Pace is how many times as fast as a user the times of consent run.
const Pace = 8
