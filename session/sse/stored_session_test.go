package sse_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/history/sessions"
	"parley/session"
	"parley/session/sessiontest"
	"parley/session/sse"
)

func storeIn(dir string) session.Store { return sessions.StoreIn(dir) }

// TestTheSameAgain: a session that is resumed sends the same conversation as one
// that was not closed, byte for byte: references, confirmations, images, answers that
// broke off.
func TestTheSameAgain(t *testing.T) {
	t.Parallel()
	for _, protocol := range []sse.Protocol{sse.Copilot, sse.OpenAI} {
		b := lay(t, protocol, nil)
		file := filepath.Join(t.TempDir(), "notes.txt")
		if err := os.WriteFile(file, []byte("high tide\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		s, r := b.open()
		for _, scene := range []string{"errors", "calls", "drop", "think", "malformed"} {
			b.send(s, r, scene)
		}
		if err := s.Send(t.Context(), session.Input{Prompt: "hello files", Attachments: []session.Attachment{
			{Type: "file", Path: file, DisplayName: "notes.txt"},
			{Type: "blob", DisplayName: "p.png", MIMEType: "image/png", Data: base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n"))},
		}}); err != nil {
			t.Fatal(err)
		}
		sessiontest.Next[session.SessionIdle](r)
		if protocol == sse.Copilot {
			for range 2 {
				if err := s.Send(t.Context(), session.Input{Prompt: "confirm"}); err != nil {
					t.Fatal(err)
				}
				q := sessiontest.Next[session.ConfirmationRequested](r)
				if err := s.Respond(t.Context(), session.ConfirmationAnswer{RequestID: q.RequestID, Accepted: true}); err != nil {
					t.Fatal(err)
				}
				sessiontest.Next[session.SessionIdle](r)
			}
		}
		b.send(s, r, "hello")
		going := conversation(t, b.last())
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("low tide\n"), 0o600); err != nil { // it was sent as it was
			t.Fatal(err)
		}
		again, err := b.start().Resume(t.Context(), s.Info().ID, session.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r = sessiontest.Read(t, again)
		b.send(again, r, "more")
		resumed := conversation(t, b.last())
		if len(resumed) != len(going)+2 || !slices.Equal(resumed[:len(going)], going) {
			t.Errorf("%s: it continued with\n%s\nresumed it sends\n%s", protocol, strings.Join(going, "\n"), strings.Join(resumed, "\n"))
		}
		if text := strings.Join(going, "\n"); !strings.Contains(text, "high tide") || !strings.Contains(text, "data:image/png;base64,iVBOR") {
			t.Errorf("the files are not in\n%s", text)
		}
	}
}

// conversation are the messages of a request, as they were written.
func conversation(t *testing.T, body string) []string {
	t.Helper()
	var b struct{ Messages []json.RawMessage }
	if err := json.Unmarshal([]byte(body), &b); err != nil {
		t.Fatal(err)
	}
	all := make([]string, len(b.Messages))
	for i, m := range b.Messages {
		all[i] = string(m)
	}
	return all
}

// TestRequest is what an agent of each kind gets.
func TestRequest(t *testing.T) {
	t.Parallel()
	for protocol, want := range map[sse.Protocol]string{
		sse.Copilot: `/v1 {"messages":[{"role":"user","content":"hello","copilot_references":[]}]}`,
		sse.OpenAI: `/v1/chat/completions {"model":"large","messages":[{"role":"user","content":"hello"}],"stream":true,` +
			`"stream_options":{"include_usage":true},"max_tokens":9,"temperature":0.20}`,
	} {
		b := lay(t, protocol, func(cfg *sse.Config) {
			cfg.Model = "large"
			cfg.Options = rawOptions(map[string]string{"temperature": "0.20", "max_tokens": "9", "stream": "false"})
		})
		s, r := b.open()
		b.send(s, r, "hello")
		if got := b.chat.Requests()[0].Path + " " + b.last(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func rawOptions(texts map[string]string) map[string]jsontext.Value {
	all := map[string]jsontext.Value{}
	for name, text := range texts {
		all[name] = jsontext.Value(text)
	}
	return all
}

// TestModels: the endpoint lists them, the first is taken where none is named,
// and the next request names the one that was chosen.
func TestModels(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.OpenAI, nil)
	s, r := b.open()
	setter := s.(session.ModelSetter)
	all, err := setter.Models(t.Context())
	if err != nil || len(all) != 2 || all[0].ID != "small" || all[1].ID != "large" {
		t.Errorf("there are %+v, %v", all, err)
	}
	b.send(s, r, "hello")
	if !strings.Contains(b.last(), `"model":"small"`) {
		t.Errorf("sent is %s", b.last())
	}
	if err := setter.SetModel(t.Context(), "other", "high"); err != nil {
		t.Fatal(err)
	}
	b.send(s, r, "hello")
	if !strings.Contains(b.last(), `"model":"other"`) || !strings.Contains(b.last(), `"reasoning_effort":"high"`) {
		t.Errorf("sent is %s", b.last())
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	again, err := b.agent.Resume(t.Context(), s.Info().ID, session.Options{})
	if err != nil || again.Info().Model != "other" {
		t.Errorf("resumed it has %q, %v", again.Info().Model, err)
	}
	agent := lay(t, sse.Copilot, nil)
	s, _ = agent.open()
	if all, err := s.(session.ModelSetter).Models(t.Context()); len(all) > 0 || err != nil {
		t.Errorf("a chat agent has %v, %v", all, err)
	}
	if err := s.(session.ModelSetter).SetModel(t.Context(), "x", ""); err == nil {
		t.Error("a chat agent's model was set")
	}
}

// TestTwoResumeOne: of two agents that continue one session at once, one does,
// and what it sends has all that was said before.
func TestTwoResumeOne(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.OpenAI, nil)
	s, r := b.open()
	b.send(s, r, "hello")
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	type outcome struct {
		session session.Session
		err     error
	}
	resume := func(a *sse.Agent, to chan<- outcome) {
		s, err := a.Resume(t.Context(), s.Info().ID, session.Options{})
		to <- outcome{s, err}
	}
	one, other := b.start(), b.start()
	had := 0
	for round := range 50 {
		first, second := make(chan outcome, 1), make(chan outcome, 1)
		go resume(one, first)
		go resume(other, second)
		has, refused := <-first, <-second
		if has.err != nil {
			has, refused = refused, has
			had++
		}
		if held := (*session.HeldError)(nil); has.err != nil || !errors.As(refused.err, &held) {
			t.Fatalf("round %d: %v, %v", round, has.err, refused.err)
		}
		b.send(has.session, sessiontest.Read(t, has.session), fmt.Sprintf("round %d", round))
		if got := conversation(t, b.last()); len(got) != 2*(round+1)+1 {
			t.Fatalf("round %d: sent are\n%s", round, strings.Join(got, "\n"))
		}
		if err := has.session.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("50 rounds: one had it %d times, the other %d; refused was the other one each time", 50-had, had)
}

// TestLatest is among the sessions of the folder with this agent.
func TestLatest(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.Copilot, nil)
	s, r := b.open()
	b.send(s, r, "hello")
	if id, err := b.agent.LatestID(t.Context(), "/src/app"); id != s.Info().ID || err != nil { // Resume says that it is open
		t.Errorf("one that is open is %q, %v", id, err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if id, err := b.agent.LatestID(t.Context(), "/src/app"); id != s.Info().ID || err != nil {
		t.Errorf("it is %q, %v", id, err)
	}
	if id, err := b.agent.LatestID(t.Context(), "/src/app", s.Info().ID); id != "" || err != nil {
		t.Errorf("without the only one it is %q, %v", id, err)
	}
	if id, err := b.agent.LatestID(t.Context(), "/src/other"); id != "" || err != nil {
		t.Errorf("of another folder it is %q, %v", id, err)
	}
}

// TestAttachments: what cannot be sent along is reported, and nothing is sent.
func TestAttachments(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.Copilot, nil)
	s, _ := b.open()
	large := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(large, make([]byte, 6<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(t.TempDir(), "no", "such", "file")
	_, gone := os.Stat(missing) // each system words it
	for path, want := range map[string]string{missing: errors.Unwrap(gone).Error(), large: "larger than 5 MB", t.TempDir(): "no regular file"} {
		err := s.Send(t.Context(), session.Input{Prompt: "hello", Attachments: []session.Attachment{{Type: "file", Path: path}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if n := len(b.chat.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}
