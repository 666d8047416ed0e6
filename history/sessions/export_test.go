package sessions

import "parley/session"

// Get is what is noted about a session.
func (m *Marks) Get(id session.ID) Mark {
	m.mu.Lock()
	defer m.mu.Unlock()
	_ = m.load() // All returns the error
	return m.known.Sessions[id].clone()
}

// Session is a session by what was read of its log, as the index shows it.
func (d *Digest) Session(log Log) Session {
	r := recordOf(log, d)
	return r.session(log)
}
