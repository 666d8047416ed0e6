package timeline

import (
	"slices"
	"strings"

	"parley/session"
)

// unknown decides about an event that Parley does not know or cannot read. A
// user wants to know that a stored conversation holds something they do not
// see, once for each type and not once for each event. They do not want to know
// of types that only keep the runtime's books, nor of ephemeral events, which
// are not stored anyway.
func (ns *notices) unknown(ev session.Event, b session.Unknown) ApplyResult {
	if ev.Ephemeral || bookkeeping(b.Type) {
		return Ignored
	}
	id := entryID("unrecognised", string(b.Type))
	e, ok := ns.index[id]
	if !ok {
		e = ns.add(ev, id, &Unrecognised{Kind: b.Type}, Done)
	}
	u, ok := e.Body.(*Unrecognised)
	if !ok {
		return Ignored
	}
	u.Raw = b.Raw
	u.Count++
	if b.Reason != nil {
		u.Reason = b.Reason.Error()
	}
	ns.addOrigin(e, ev)
	ns.touch(e)
	return Applied
}

// bookkeeping reports whether a type is known to hold nothing for a user:
// what the models were sent, which model was chosen and why, how permissions
// were derived, caches and canvases (docs/protocol.md, section 13).
func bookkeeping(k session.Kind) bool {
	if k.Noise() {
		return true
	}
	switch string(k) {
	case "human_response.recorded",
		"prompt_cache_break",
		"session.auto_tier_recommendation",
		"session.completion_receipt",
		"session.extensions.attachments_pushed",
		"session.memory_changed",
		"session.quota_observation",
		"session.request_body_compression_disabled":
		return true
	}
	families := [...]string{"assistant.fusion_", "session.fusion_", "session.canvas.", "permission."}
	return slices.ContainsFunc(families[:], func(prefix string) bool { return strings.HasPrefix(string(k), prefix) })
}
