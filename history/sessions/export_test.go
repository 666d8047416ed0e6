package sessions

// Session is a session by what was read of its log, as the index shows it.
func (d *Digest) Session(log Log) Session {
	r := recordOf(log, d)
	return r.session(log)
}
