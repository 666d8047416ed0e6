package headless

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/session"
	"parley/session/sessiontest"
)

// say plays events into an answer and returns what is on the output after each
// step, and how often text was withdrawn.
func say(t testing.TB, live bool, bodies ...session.Body) (out string, withdrawn int) {
	t.Helper()
	var b strings.Builder
	a := &answer{w: &b, live: live, withdrawn: func() { withdrawn++ }}
	for _, body := range bodies {
		if err := a.take(session.Event{Body: body}); err != nil {
			t.Fatal(err)
		}
	}
	return b.String(), withdrawn
}

func delta(id, text string) session.Body {
	return session.AssistantMessageDelta{MessageID: session.MessageID(id), DeltaContent: text}
}

func whole(id, text string) session.Body {
	return session.AssistantMessage{MessageID: session.MessageID(id), Content: text}
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	retry, idle := session.AssistantTurnRetry{}, session.AssistantIdle{}
	for _, c := range []struct {
		name       string
		bodies     []session.Body
		pipe, live string
		withdrawn  [2]int // in a pipe, and in a terminal
	}{
		{name: "words", bodies: []session.Body{delta("a", "One two "), delta("a", "thr")}, pipe: "", live: "One two "},
		{name: "lines", bodies: []session.Body{delta("a", "One two\nthree fo")}, pipe: "One two\n", live: "One two\nthree "},
		{name: "complete", bodies: []session.Body{delta("a", "One tw"), whole("a", "One two")}, pipe: "One two\n", live: "One two\n"},
		{name: "not streamed", bodies: []session.Body{whole("a", "One\n")}, pipe: "One\n", live: "One\n"},
		{name: "two messages", bodies: []session.Body{whole("a", "One"), whole("b", ""), delta("c", "Two g"), whole("c", "Two go")}, pipe: "One\n\nTwo go\n", live: "One\n\nTwo go\n"},
		{name: "retried alike", bodies: []session.Body{delta("a", "One\ntwo th"), retry, delta("b", "One"), delta("b", "\ntwo three"), whole("b", "One\ntwo three")}, pipe: "One\ntwo three\n", live: "One\ntwo three\n"},
		{name: "retried by a new start", bodies: []session.Body{delta("a", "One\ntwo "), session.AssistantMessageStart{MessageID: "b"}, delta("b", "One\ntwo x"), whole("b", "One\ntwo x")}, pipe: "One\ntwo x\n", live: "One\ntwo x\n"},
		{name: "retried twice", bodies: []session.Body{delta("a", "One\ntwo "), retry, delta("b", "On"), retry, delta("c", "One\ntwo\n"), whole("c", "One\ntwo\n")}, pipe: "One\ntwo\n", live: "One\ntwo \ntwo\n", withdrawn: [2]int{0, 1}},
		{name: "retried from the start", bodies: []session.Body{delta("a", "x"), retry, delta("b", "One\n"), retry, delta("c", "One\ntwo"), whole("c", "One\ntwo")}, pipe: "One\ntwo\n", live: "One\ntwo\n"},
		{name: "retried otherwise", bodies: []session.Body{delta("a", "One\ntwo\nthree x"), retry, delta("b", "One\nTWO\n"), whole("b", "One\nTWO\n")}, pipe: "One\ntwo\nTWO\n", live: "One\ntwo\nthree \nTWO\n", withdrawn: [2]int{1, 1}},
		{name: "retried shorter", bodies: []session.Body{delta("a", "One\ntwo\n"), retry, whole("b", "One\n")}, pipe: "One\ntwo\n", live: "One\ntwo\n", withdrawn: [2]int{1, 1}},
		{name: "retried in vain", bodies: []session.Body{delta("a", "One\ntwo t"), retry, idle}, pipe: "One\n", live: "One\ntwo \n"},
		{name: "then nothing but tools", bodies: []session.Body{delta("a", "One two"), retry, whole("b", ""), whole("c", "End")}, pipe: "End\n", live: "One \n\nEnd\n", withdrawn: [2]int{0, 1}},
		{name: "in parts", bodies: []session.Body{
			session.AssistantMessage{MessageID: "a", Content: "One ", ChunkCount: 2}, session.AssistantMessage{MessageID: "a", Content: "two", ChunkIndex: 1, ChunkCount: 2},
		}, pipe: "One two\n", live: "One two\n"},
		{name: "a sub-agent's", bodies: []session.Body{session.AssistantMessage{MessageID: "a", Content: "No", ParentToolCallID: "c"}, session.AssistantMessageDelta{DeltaContent: "No\n", ParentToolCallID: "c"}}},
		{name: "escapes", bodies: []session.Body{delta("a", "a \x1b]0;my ti"), delta("a", "tle\x07b \x1b[3"), delta("a", "1mc\r"), delta("a", "\nd")}, pipe: "a b c\n", live: "a b c\n"},
		{name: "joined emoji", bodies: []session.Body{delta("a", "👩"), delta("a", "\u200d💻 "), whole("a", "👩\u200d💻 ")}, pipe: "👩\u200d💻 \n", live: "👩\u200d💻 \n"},
		{name: "thinking", bodies: []session.Body{
			session.AssistantMessageStart{MessageID: "t", Phase: "thinking"},
			delta("t", "Hm.\n"),
			session.AssistantMessage{MessageID: "t", Content: "Hm.\n", Phase: "thinking"},
			session.AssistantMessageStart{MessageID: "a", Phase: "response"},
			delta("a", "One\n"), whole("a", "One\n"),
		}, pipe: "One\n", live: "One\n"},
		{name: "thinking that was streamed like an answer", bodies: []session.Body{
			delta("t", "Hm.\n"), session.AssistantMessage{MessageID: "t", Content: "Hm.\n", Phase: "thinking"}, whole("a", "One\n"),
		}, pipe: "Hm.\n\nOne\n", live: "Hm.\n\nOne\n", withdrawn: [2]int{1, 1}},
		{name: "no thinking after all", bodies: []session.Body{
			session.AssistantMessageStart{MessageID: "a", Phase: "thinking"}, delta("a", "One\n"), whole("a", "One\n"),
		}, pipe: "One\n", live: "One\n"},
		{name: "hidden", bodies: []session.Body{whole("a", "a\u202eb")}, pipe: "a⟦U+202E⟧b\n", live: "a⟦U+202E⟧b\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for i, want := range []string{c.pipe, c.live} {
				if got, withdrawn := say(t, i == 1, c.bodies...); got != want || withdrawn != c.withdrawn[i] {
					t.Errorf("live %t: wrote %q and withdrew %d times, want %q and %d", i == 1, got, withdrawn, want, c.withdrawn[i])
				}
			}
		})
	}
}

func TestAnswerOfSubAgent(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	a := &answer{w: &b}
	if err := a.take(session.Event{Agent: "sub", Body: whole("a", "No")}); err != nil || b.Len() > 0 {
		t.Errorf("wrote %q, %v", b.String(), err)
	}
}

// TestAnswerProperties breaks an answer off any number of times, anywhere. When
// each attempt says the same, the output is that text and no more; when they
// differ, no line of the last one is lost, and nothing hostile comes through.
func TestAnswerProperties(t *testing.T) {
	t.Parallel()
	text := rapid.StringOfN(rapid.SampledFrom([]rune("ab \n\t\x1b[m\u009b\u200d漢👩")), 0, 60, -1)
	rapid.Check(t, func(t *rapid.T) {
		final, live := text.Draw(t, "text"), rapid.Bool().Draw(t, "live")
		alike := rapid.Bool().Draw(t, "alike")
		var out strings.Builder
		withdrawn := false
		a := &answer{w: &out, live: live, withdrawn: func() { withdrawn = true }}
		play := func(b session.Body) {
			if err := a.take(session.Event{Body: b}); err != nil {
				t.Fatal(err)
			}
		}
		attempts := rapid.IntRange(0, 4).Draw(t, "attempts")
		for i := range attempts + 1 {
			said := final
			if !alike && i < attempts {
				said = text.Draw(t, "attempt")
			}
			runes := []rune(said)
			if i < attempts {
				runes = runes[:rapid.IntRange(0, len(runes)).Draw(t, "broken off after")]
			}
			for len(runes) > 0 {
				n := rapid.IntRange(1, len(runes)).Draw(t, "piece")
				play(delta(string(rune('a'+i)), string(runes[:n])))
				runes = runes[n:]
			}
			if i < attempts {
				play(session.AssistantTurnRetry{})
			}
		}
		play(whole(string(rune('a'+attempts)), final))
		got := out.String()
		if strings.ContainsAny(got, "\x1b\u009b") {
			t.Errorf("a control character came through: %q", got)
		}
		if alike && withdrawn {
			t.Errorf("%q was withdrawn", got)
		}
		var want strings.Builder
		plain := &answer{w: &want, withdrawn: func() {}}
		if err := plain.take(session.Event{Body: whole("x", final)}); err != nil {
			t.Fatal(err)
		}
		if alike && got != want.String() {
			t.Errorf("wrote %q, want %q", got, want.String())
		}
		for line := range strings.Lines(want.String()) {
			if !strings.Contains(got, line) {
				t.Errorf("%q is not in %q", line, got)
			}
		}
	})
}

// TestAnswerLinear writes one line of a megabyte, broken off near its end.
func TestAnswerLinear(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	a := &answer{w: &out, withdrawn: func() { t.Error("it was withdrawn") }}
	piece := strings.Repeat("word, and ", 10)
	for _, id := range []string{"a", "b"} {
		for range 10_000 {
			if err := a.take(session.Event{Body: delta(id, piece)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := a.take(session.Event{Body: whole("b", strings.Repeat(piece, 10_000))}); err != nil || out.Len() != 1_000_001 {
		t.Errorf("wrote %d bytes, %v", out.Len(), err)
	}
}

// broken is an output without a reader.
type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

func TestAnswerFails(t *testing.T) {
	t.Parallel()
	want := errors.New("broken pipe")
	ev := session.Event{Body: whole("a", "One")}
	if err := (&answer{w: broken{want}}).take(ev); !errors.Is(err, want) {
		t.Errorf("got %v", err)
	}
	if err := jsonLines(broken{want})(ev); !errors.Is(err, want) {
		t.Errorf("got %v", err)
	}
}

// TestJSONLines writes every kind of event and reads it back.
func TestJSONLines(t *testing.T) {
	t.Parallel()
	for kind, line := range sessiontest.Events(t) {
		want := session.Decode(line)
		var out bytes.Buffer
		if err := jsonLines(&out)(want); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		wrote, err := session.Encode(want)
		if err != nil {
			t.Fatal(err)
		}
		again, err := session.Encode(session.Decode(bytes.TrimSpace(out.Bytes())))
		if err != nil || !bytes.Equal(again, wrote) || strings.Count(out.String(), "\n") != 1 {
			t.Errorf("%s: %v: %s", kind, err, out.String())
		}
	}
}
