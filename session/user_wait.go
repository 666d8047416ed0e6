package session

import "time"

// UserWait is how long an agent waited for the user: for permissions, and for the answers
// to calls that ask. Both are in a stored log; a question of an MCP server is not, and
// counts as time of its call. Waits that overlap count once.
type UserWait struct {
	Total time.Duration   `json:"total,omitzero"`
	Since time.Time       `json:"since,omitzero"` // when the first of the open ones began
	Open  map[string]bool `json:"open,omitzero"`  // by the ids of requests and calls
}

// Requested notes that a permission is asked for.
func (w *UserWait) Requested(id RequestID, at time.Time) { w.begin(string(id), at) }

// Completed notes that it was answered.
func (w *UserWait) Completed(id RequestID, at time.Time) { w.end(string(id), at) }

// Started notes that a call began, which is a wait if its tool asks the user.
func (w *UserWait) Started(call *ToolExecutionStart, at time.Time) {
	f := FamilyOf(call.ToolName)
	if call.McpServerName == "" && (f == AskUser || f == ExitPlan) {
		w.begin(string(call.ToolCallID), at)
	}
}

// Ended notes that a call ended.
func (w *UserWait) Ended(call CallID, at time.Time) { w.end(string(call), at) }

// Stop ends all that is open.
func (w *UserWait) Stop(at time.Time) {
	for id := range w.Open {
		w.end(id, at)
	}
}

// Forget drops what is open, for a time that is not counted at all.
func (w *UserWait) Forget() { w.Open = nil }

func (w *UserWait) begin(id string, at time.Time) {
	const most = 256 // of a log that is not an agent's
	if len(w.Open) == 0 {
		w.Since, w.Open = at, map[string]bool{}
	}
	if len(w.Open) < most {
		w.Open[id] = true
	}
}

func (w *UserWait) end(id string, at time.Time) {
	if !w.Open[id] {
		return
	}
	delete(w.Open, id)
	if len(w.Open) == 0 {
		w.Total, w.Open = max(w.Total, w.Total+at.Sub(w.Since)), nil
	}
}
