//go:build unix

package lines

// What tests ask a terminal for its settings, and give them, with.
const GetTermios, SetTermios = getTermios, setTermios

// Resume is what follows when the process continues.
func Resume(l *Letters) { l.resume() }
