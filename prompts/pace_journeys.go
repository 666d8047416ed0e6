//go:build journeys

package prompts

// Pace is how many times as fast as a user the times of consent run.
const Pace = 8
