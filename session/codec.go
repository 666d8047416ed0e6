package session

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrEnvelope is the Reason of an Unknown whose line is not an event: no JSON
// object, no type, or an envelope of the wrong shape. Its Raw is the line.
var ErrEnvelope = errors.New("not an event")

// codec decodes the payload of one kind.
type codec struct {
	kind   Kind
	decode func(data jsontext.Value, o ...json.Options) (Body, error)
}

// of is the codec of the payload T.
func of[T Body]() codec {
	var zero T
	return codec{kind: zero.Kind(), decode: func(data jsontext.Value, o ...json.Options) (Body, error) {
		var b T
		if len(data) == 0 {
			return b, nil
		}
		err := json.Unmarshal(data, &b, o...)
		return b, err
	}}
}

// codecs is the closed set, joined from the tables of the subject files.
var codecs = sync.OnceValue(func() map[Kind]codec {
	tables := slices.Concat(
		messageCodecs, toolCodecs, noticeCodecs, turnCodecs, lifecycleCodecs, settingCodecs, catalogCodecs,
		agentCodecs, contextCodecs, permissionCodecs, inputCodecs, requestCodecs, askCodecs, chatCodecs,
	)
	m := make(map[Kind]codec, len(tables))
	for _, c := range tables {
		m[c.kind] = c
	}
	return m
})

// Kinds returns the kind of every payload type but Unknown, sorted.
func Kinds() []Kind {
	return slices.Sorted(maps.Keys(codecs()))
}

// Noise reports whether events of kind k are of no use to anyone who watches a
// session: the runtime's insides, with whole prompts in them. Backends drop
// them before decoding.
func (k Kind) Noise() bool {
	switch k {
	case "sandbox.decision", "session.managed_settings_resolved", "session.indexed_search":
		return true
	default:
		return strings.HasPrefix(string(k), "model.") && k != KindModelCallFailure
	}
}

// envelope is the wire form of an Event, in the key order of stored logs
// (protocol note, section 9).
type envelope struct {
	Type      Kind           `json:"type"`
	Data      jsontext.Value `json:"data,omitzero"`
	ID        EventID        `json:"id"`
	Timestamp timestamp      `json:"timestamp,omitzero"`
	ParentID  *EventID       `json:"parentId"`
	AgentID   AgentID        `json:"agentId,omitzero"`
	Ephemeral bool           `json:"ephemeral,omitzero"`
	Extra     jsontext.Value `json:",embed"`
}

// lenient is how lines are read that are not well-formed. It takes what JSON
// writers of other languages produce: a repeated name counts where it stands
// last, and a whole number may be written as 3e1 or 30.0.
var lenient = sync.OnceValue(func() json.Options {
	return json.JoinOptions(
		jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true),
		json.WithUnmarshalers(json.JoinUnmarshalers(
			json.UnmarshalFromFunc(unmarshalWhole[int]),
			json.UnmarshalFromFunc(unmarshalWhole[int64]),
		)),
	)
})

// writing is how lines are written: leniently too, so that what was read so can
// be written, and the same event always as the same line.
var writing = sync.OnceValue(func() json.Options {
	return json.JoinOptions(lenient(), json.Deterministic(true), jsontext.PreserveRawStrings(true))
})

// unmarshalWhole reads a whole number in any notation.
func unmarshalWhole[T int | int64](d *jsontext.Decoder, n *T) error {
	if d.PeekKind() != jsontext.KindNumber {
		return errors.ErrUnsupported
	}
	v, err := d.ReadValue()
	if err != nil {
		return err
	}
	if i, err := strconv.ParseInt(string(v), 10, 64); err == nil {
		*n = T(i)
		return nil
	}
	f, err := strconv.ParseFloat(string(v), 64)
	// Every whole float64 below 2^63 is an int64; 2^63 itself is not.
	if err != nil || f != math.Trunc(f) || f < -(1<<63) || f >= 1<<63 {
		return fmt.Errorf("%s is not a whole number", v)
	}
	*n = T(f)
	return nil
}

// Decode reads one event from its wire form. It does not fail and keeps no
// reference to line: what it cannot read is an Unknown. That has a nil Reason
// for a kind that is not in the set, ErrEnvelope for a line that is no event,
// and otherwise says why a known kind's payload did not decode.
func Decode(line []byte) Event {
	ev, err := decode(line)
	if err == nil {
		return ev
	}
	clean, cleanErr := wellFormed(line)
	if cleanErr != nil {
		return Event{Body: Unknown{Raw: bytes.Clone(line), Reason: fmt.Errorf("%w: %w", ErrEnvelope, cleanErr)}}
	}
	ev, err = decode(clean, lenient())
	if ev.Body == nil {
		kind, _ := Peek(clean)
		ev.Body = Unknown{Type: kind, Raw: clean, Reason: err}
	}
	return ev
}

// decode reads line with o. When only the payload is malformed, it returns the
// error and an event whose body is an Unknown.
func decode(line []byte, o ...json.Options) (Event, error) {
	var env envelope
	if err := json.Unmarshal(line, &env, o...); err != nil {
		return Event{}, fmt.Errorf("%w: %w", ErrEnvelope, err)
	}
	if env.Type == "" {
		return Event{}, fmt.Errorf("%w: it has no type", ErrEnvelope)
	}
	ev := Event{
		ID: env.ID, Time: time.Time(env.Timestamp), Agent: env.AgentID, Ephemeral: env.Ephemeral, Extra: env.Extra,
	}
	if env.ParentID != nil {
		ev.Parent = *env.ParentID
	}
	c, known := codecs()[env.Type]
	if !known {
		ev.Body = Unknown{Type: env.Type, Raw: env.Data}
		return ev, nil
	}
	b, err := c.decode(env.Data, o...)
	if err != nil {
		ev.Body = Unknown{Type: env.Type, Raw: env.Data, Reason: fmt.Errorf("decode %s: %w", env.Type, err)}
		return ev, err
	}
	ev.Body = b
	return ev, nil
}

// wellFormed rewrites a JSON text so that its strings are valid Unicode: what is
// not becomes U+FFFD.
func wellFormed(line []byte) (jsontext.Value, error) {
	return jsontext.AppendFormat(nil, bytes.ToValidUTF8(line, []byte("\uFFFD")),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(false))
}

// Encode writes an event as one line of a stored log, without the line end. It
// keeps what Decode did not know. Optional members that are null, false, 0 or
// "" may be left out: absence means the same. Replayed is not written. The
// error tells of an event that has no body or one that is no valid JSON.
func Encode(ev Event) ([]byte, error) {
	u, unknown := ev.Body.(Unknown)
	if unknown && errors.Is(u.Reason, ErrEnvelope) {
		line, err := jsontext.AppendFormat(nil, u.Raw, lenient())
		if err != nil {
			return nil, fmt.Errorf("encode a line that was no event: %w", err)
		}
		return line, nil
	}
	env := envelope{
		Type: ev.Kind(), ID: ev.ID, Timestamp: timestamp(ev.Time), AgentID: ev.Agent, Ephemeral: ev.Ephemeral,
		Extra: ev.Extra,
	}
	if env.Type == "" {
		return nil, errors.New("encode an event without a kind")
	}
	if ev.Parent != "" {
		env.ParentID = &ev.Parent
	}
	if env.Data = u.Raw; !unknown {
		data, err := json.Marshal(ev.Body, writing())
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", env.Type, err)
		}
		env.Data = data
	}
	line, err := json.Marshal(env, writing())
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", env.Type, err)
	}
	return line, nil
}

// Peek returns the kind of an event without decoding the rest of it, so that
// noise can be dropped cheaply. It reads as far as the type, which is first in
// what the runtime writes. The error says why the line is no event.
func Peek(line []byte) (Kind, error) {
	d := jsontext.NewDecoder(bytes.NewReader(line), lenient())
	if t, err := d.ReadToken(); err != nil || t.Kind() != jsontext.KindBeginObject {
		return "", fmt.Errorf("%w: it is no object", ErrEnvelope)
	}
	for d.PeekKind() == jsontext.KindString {
		name, err := d.ReadToken()
		if err != nil {
			return "", fmt.Errorf("%w: %w", ErrEnvelope, err)
		}
		if name.String() != "type" {
			if err := d.SkipValue(); err != nil {
				return "", fmt.Errorf("%w: %w", ErrEnvelope, err)
			}
			continue
		}
		kind, err := d.ReadToken()
		if err != nil || kind.Kind() != jsontext.KindString {
			break
		}
		return Kind(kind.String()), nil
	}
	return "", fmt.Errorf("%w: it has no type", ErrEnvelope)
}

// timestamp is a time in the form of the runtime: RFC 3339 in UTC, to the
// millisecond if that is exact.
type timestamp time.Time

// IsZero reports whether there is no time.
func (t timestamp) IsZero() bool { return time.Time(t).IsZero() }

// MarshalText implements encoding.TextMarshaler.
func (t timestamp) MarshalText() ([]byte, error) {
	layout := time.RFC3339Nano
	if utc := time.Time(t).UTC(); utc.Nanosecond()%int(time.Millisecond) == 0 {
		layout = "2006-01-02T15:04:05.000Z07:00"
	}
	return time.Time(t).UTC().AppendFormat(nil, layout), nil
}

// UnmarshalText implements encoding.TextUnmarshaler. No text is no time.
func (t *timestamp) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		*t = timestamp{}
		return nil
	}
	p, err := time.Parse(time.RFC3339, string(b))
	if err != nil {
		return err
	}
	if p = p.UTC(); p.Year() < 0 || p.Year() > 9999 {
		return fmt.Errorf("%s is out of range", b)
	}
	*t = timestamp(p)
	return nil
}
