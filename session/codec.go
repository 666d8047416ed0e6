package session

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
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
	body   reflect.Type
	decode func(data jsontext.Value, o ...json.Options) (Body, error)
}

// of returns the codec of the payload T, which is of that kind.
func of[T Body](kind Kind) codec {
	return codec{kind: kind, body: reflect.TypeFor[T](), decode: func(data jsontext.Value, o ...json.Options) (Body, error) {
		var b T
		if len(data) == 0 {
			return b, nil
		}
		err := json.Unmarshal(data, &b, o...)
		return b, err
	}}
}

// codecTable is the closed set of payloads.
type codecTable struct {
	byKind map[Kind]codec
	kinds  map[reflect.Type]Kind
}

// codecs is the closed set, joined from the tables of the subject files.
var codecs = sync.OnceValue(func() codecTable {
	tables := slices.Concat(
		messageCodecs, toolCodecs, noticeCodecs, turnCodecs, lifecycleCodecs, settingCodecs, catalogCodecs,
		agentCodecs, contextCodecs, permissionCodecs, inputCodecs, requestCodecs, askCodecs, chatCodecs,
	)
	t := codecTable{make(map[Kind]codec, len(tables)), make(map[reflect.Type]Kind, len(tables))}
	for _, c := range tables {
		t.byKind[c.kind], t.kinds[c.body] = c, c.kind
	}
	return t
})

// Kinds returns the kind of every payload type but Unknown, sorted.
func Kinds() []Kind {
	return slices.Sorted(maps.Keys(codecs().byKind))
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
// (docs/protocol.md, section 9).
type envelope struct {
	Type      Kind           `json:"type"`
	Data      payload        `json:"data,omitzero"`
	ID        EventID        `json:"id"`
	Timestamp timestamp      `json:"timestamp,omitzero"`
	ParentID  *EventID       `json:"parentId"`
	AgentID   AgentID        `json:"agentId,omitzero"`
	Ephemeral bool           `json:"ephemeral,omitzero"`
	Extra     jsontext.Value `json:",embed"`
}

// payload is the data of an event. Reading it notes only where it is in the
// line, for it may be long, and a copy would be read once.
type payload struct {
	jsontext.Value
	from, to int64
}

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (p *payload) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	p.to = d.InputOffset()
	p.from = p.to - int64(len(v))
	return err
}

// read reads a line into env, in place of what is there. The data is a part of the
// line, not a copy.
func (env *envelope) read(line []byte, o ...json.Options) error {
	*env = envelope{}
	err := json.Unmarshal(line, env, o...)
	if err == nil && env.Data.to > 0 {
		env.Data.Value = line[env.Data.from:env.Data.to:env.Data.to]
	}
	return err
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

// Unmarshal reads a JSON text of another program into v, as leniently as events are
// read. The error is in words for the user.
func Unmarshal(text []byte, v any) error {
	if err := json.Unmarshal(text, v, lenient()); err != nil {
		return errors.New(JSONProblem(err))
	}
	return nil
}

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
		return ValueError(string(v) + " is not a whole number")
	}
	*n = T(f)
	return nil
}

// Decode reads one event from its wire form. It does not fail and keeps no
// reference to line: what it cannot read is an Unknown. That has a nil Reason
// for a kind that is not in the set, ErrEnvelope for a line that is no event,
// and otherwise says why a known kind's payload did not decode. A member of the
// wrong type costs that member and not the event: it is in Unreadable.
func Decode(line []byte) Event { return new(envelope).decode(line) }

// decode is Decode with an envelope to read into, for readers of many lines:
// whatever the decoder fills is on the heap.
func (env *envelope) decode(line []byte) Event {
	ev, err := env.decodeStrictly(line)
	if err != nil {
		ev = env.decodeLeniently(line)
	}
	if !ev.Kind().Increment() {
		ev.Wire = bytes.Clone(line)
	}
	return ev
}

func (env *envelope) decodeStrictly(line []byte) (Event, error) {
	err := env.read(line)
	if err != nil {
		return Event{}, err
	}
	if env.Type == "" {
		return Event{}, errNoType
	}
	ev := env.event()
	if c, known := codecs().byKind[env.Type]; known {
		ev.Body, err = c.decode(env.Data.Value)
	} else {
		ev.Body = Unknown{Type: env.Type, Raw: bytes.Clone(env.Data.Value)}
	}
	return ev, err
}

var errNoType = fmt.Errorf("%w: it has no type", ErrEnvelope)

// decodeLeniently reads a line that is not well-formed, or not of the documented
// shape.
func (env *envelope) decodeLeniently(line []byte) Event {
	notAnEvent := func(err error) Event {
		if !errors.Is(err, ErrEnvelope) {
			err = fmt.Errorf("%w: %s", ErrEnvelope, JSONProblem(err))
		}
		return Event{Body: Unknown{Raw: bytes.Clone(line), Reason: err}}
	}
	clean, err := wellFormed(line)
	if err != nil {
		return notAnEvent(err)
	}
	unreadable, err := leaveOut(clean, "", func(v jsontext.Value) error { return env.read(v, lenient()) })
	switch {
	case err != nil:
		return notAnEvent(err)
	case env.Type == "":
		return notAnEvent(errNoType)
	}
	ev := env.event()
	ev.Unreadable = unreadable
	raw := env.Data.Value
	c, known := codecs().byKind[env.Type]
	if !known {
		ev.Body = Unknown{Type: env.Type, Raw: raw}
		return ev
	}
	unreadable, err = leaveOut(raw, "/data", func(v jsontext.Value) error {
		ev.Body, err = c.decode(v, lenient())
		return err
	})
	if err != nil {
		ev.Body = Unknown{Type: env.Type, Raw: raw, Reason: errors.New(JSONProblem(err))}
		return ev
	}
	ev.Unreadable = append(ev.Unreadable, unreadable...)
	return ev
}

// event is the event of an envelope, without its body.
func (env *envelope) event() Event {
	ev := Event{
		ID: env.ID, Time: time.Time(env.Timestamp), Agent: env.AgentID, Ephemeral: env.Ephemeral, Extra: env.Extra,
	}
	if env.ParentID != nil {
		ev.Parent = *env.ParentID
	}
	return ev
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
// error is about an event that has no body or one that is no valid JSON.
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
	if parent := ev.Parent; parent != "" { // the address of a part of ev would put ev on the heap
		env.ParentID = &parent
	}
	if env.Data.Value = u.Raw; !unknown {
		data, err := json.Marshal(ev.Body, writing())
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", env.Type, err)
		}
		env.Data.Value = data
	}
	line, err := json.Marshal(env, writing())
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", env.Type, err)
	}
	return restored(line, ev.Unreadable), nil
}

// Peek returns the kind of an event without decoding the rest of it, so that
// noise can be dropped cheaply. It reads as far as the type, which is first in
// what the runtime writes. The error says why the line is no event.
func Peek(line []byte) (Kind, error) {
	if rest, first := bytes.CutPrefix(line, []byte(`{"type":"`)); first {
		if end := bytes.IndexByte(rest, '"'); end > 0 && plain(rest[:end]) {
			return Kind(rest[:end]), nil
		}
	}
	d := jsontext.NewDecoder(bytes.NewReader(line), lenient())
	if t, err := d.ReadToken(); err != nil || t.Kind() != jsontext.KindBeginObject {
		return "", fmt.Errorf("%w: it is no object", ErrEnvelope)
	}
	for d.PeekKind() == jsontext.KindString {
		name, err := d.ReadToken()
		if err != nil {
			return "", fmt.Errorf("%w: %s", ErrEnvelope, JSONProblem(err))
		}
		if name.String() != "type" {
			if err := d.SkipValue(); err != nil {
				return "", fmt.Errorf("%w: %s", ErrEnvelope, JSONProblem(err))
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

// plain reports whether a JSON string has the bytes that it is written with.
func plain(s []byte) bool {
	return !bytes.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' || r == '\\' })
}
