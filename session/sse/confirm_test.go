package sse_test

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
	"parley/session/sessiontest/chat"
	"parley/session/sse"
)

// confirmations are what a request ends with.
const asked = `{"role":"user","content":"","copilot_references":[],"copilot_confirmations":[`

// last is the body of the last request.
func (b *bench) last() string {
	all := b.chat.Requests()
	return string(all[len(all)-1].Body)
}

// TestConfirmations: what the user decides is sent at once, with the data as
// it came, byte for byte.
func TestConfirmations(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		answer func(id session.RequestID) session.Answer
		state  string
	}{
		{"accepted", func(id session.RequestID) session.Answer {
			return session.ConfirmationAnswer{RequestID: id, Accepted: true}
		}, "accepted"},
		{"dismissed", func(id session.RequestID) session.Answer { return session.ConfirmationAnswer{RequestID: id} }, "dismissed"},
		{"refused", func(id session.RequestID) session.Answer {
			return session.Refusal{RequestID: id, Kind: session.KindConfirmationRequested}
		}, "dismissed"},
	} {
		for _, scene := range []string{"confirm", "bare"} {
			t.Run(tt.name+" "+scene, func(t *testing.T) {
				t.Parallel()
				b := lay(t, sse.Copilot, nil)
				s, r := b.open()
				if err := s.Send(t.Context(), session.Input{Prompt: scene}); err != nil {
					t.Fatal(err)
				}
				q := sessiontest.Next[session.ConfirmationRequested](r)
				if q.Title != "Turn off feature flag" || q.Type != "action" || !strings.Contains(q.Message, "`copilot`") || string(q.Confirmation) != chat.Confirm {
					t.Errorf("asked is %+v", q)
				}
				if err := s.Respond(t.Context(), tt.answer(q.RequestID)); err != nil {
					t.Fatal(err)
				}
				sessiontest.Next[session.SessionIdle](r)
				if want := asked + `{"state":"` + tt.state + `","confirmation":` + chat.Confirm + `}]}]}`; !strings.HasSuffix(b.last(), want) {
					t.Errorf("sent is %s\nwant %s", b.last(), want)
				}
				if got := b.chat.Done(); got != map[bool]int{true: 1}[tt.state == "accepted"] {
					t.Errorf("done was %d", got)
				}
			})
		}
	}
}

// TestAsDocumented: the examples of the document are taken with their comments and
// commas, in lines or in one, and what goes back to the agent is JSON.
func TestAsDocumented(t *testing.T) {
	t.Parallel()
	for _, scene := range []string{"documented", "inline"} {
		t.Run(scene, func(t *testing.T) {
			t.Parallel()
			b := lay(t, sse.Copilot, nil)
			s, r := b.open()
			if err := s.Send(t.Context(), session.Input{Prompt: scene}); err != nil {
				t.Fatal(err)
			}
			q := sessiontest.Next[session.ConfirmationRequested](r)
			if q.Type != "action" || q.Title != "Turn off feature flag" ||
				q.Message != "Are you sure you wish to turn off the `copilot` feature flag?" {
				t.Errorf("asked is %+v", q)
			}
			sessiontest.Next[session.AssistantTurnEnd](r)
			if w := sessiontest.All[session.SessionWarning](r.Seen()); len(w) > 0 {
				t.Errorf("it warns: %+v", w)
			}
			e := one[session.AgentError](t, r.Seen())
			if e.Type != "function" || e.Code != "recentchanges" || e.Message != "The repository does not exist" || e.Identifier != "github/hello-world" {
				t.Errorf("the error is %+v", e)
			}
			refs := one[session.References](t, r.Seen()).List()
			if len(refs) != 1 || !refs[0].Shown() || refs[0].ID != "snippet" || refs[0].Metadata.DisplayName != "Lines 1-13 from story.go" {
				t.Errorf("the references are %+v", refs)
			}
			if err := s.Respond(t.Context(), session.ConfirmationAnswer{RequestID: q.RequestID, Accepted: true}); err != nil {
				t.Fatal(err)
			}
			sessiontest.Next[session.SessionIdle](r)
			var body struct {
				Messages []struct {
					Confirmations []struct {
						State        string
						Confirmation map[string]string
					} `json:"copilot_confirmations"`
				}
			}
			if err := json.Unmarshal([]byte(b.last()), &body); err != nil {
				t.Fatal(err)
			}
			sent := body.Messages[len(body.Messages)-1].Confirmations
			want := map[string]string{"id": "id-123", "other": "identifier-as-needed"}
			if len(sent) != 1 || sent[0].State != "accepted" || !maps.Equal(sent[0].Confirmation, want) {
				t.Errorf("sent is %+v", sent)
			}
		})
	}
}

// TestCommentsAndCommas: only what is no JSON loses its comments and its commas
// before a closing bracket, and nothing within a string.
func TestCommentsAndCommas(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]string{ // the confirmation's data; "" is not read
		`{"confirmation":{ "a" : "x//y" , "b":"{,}" }}`:             `{ "a" : "x//y" , "b":"{,}" }`,
		`{"confirmation":{ "a" : "x//y" , "b":"{,}" },}`:            `{ "a" : "x//y" , "b":"{,}" }`,
		"{\n// one\n\"confirmation\": [1, // two\n2, ] // three\n}": "[1, \n2]",
		`{ // one "confirmation": "a\"//b" // two }`:                `"a\"//b"`,
		`{ "confirmation": 1, } // "three"`:                         `1`,
		"{ \"confirmation\": 1, } // \"three\"\n":                   `1`,
		`{"confirmation":1,,}`:                                      ``,
		`{"confirmation":"//`:                                       ``,
		`{"confirmation":1`:                                         ``,
		`//`:                                                        ``,
		`{"confirmation":"\`:                                        ``,
		`{"confirmation": /* no */ 1}`:                              ``,
		"{\"confirmation\":\"\xff\",}":                              "\"\xff\"",
	} {
		text := "event: copilot_confirmation\ndata: " + strings.ReplaceAll(data, "\n", "\ndata: ") + "\n\n"
		b := lay(t, sse.Copilot, func(cfg *sse.Config) { cfg.Transport = carrier{"text/event-stream", text} })
		s, r := b.open()
		if err := s.Send(t.Context(), session.Input{Prompt: "go"}); err != nil {
			t.Fatal(err)
		}
		sessiontest.Next[session.AssistantTurnEnd](r)
		asked, got := sessiontest.All[session.ConfirmationRequested](r.Seen()), ""
		if len(asked) > 0 {
			got = string(asked[0].Confirmation)
		}
		if got != want || len(asked) != map[bool]int{true: 1}[want != ""] {
			t.Errorf("%s: %q, want %q\n%s", data, got, want, sessiontest.Describe(r.Seen()))
		}
	}
}

// TestSeveralConfirmations: they wait beside each other; each goes out when it is
// decided, right after what runs, and with a prompt that comes then.
func TestSeveralConfirmations(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.Copilot, nil)
	s, r := b.open()
	if err := s.Send(t.Context(), session.Input{Prompt: "two"}); err != nil {
		t.Fatal(err)
	}
	first := sessiontest.Next[session.ConfirmationRequested](r).RequestID
	second := sessiontest.Next[session.ConfirmationRequested](r).RequestID
	sessiontest.Next[session.AssistantTurnEnd](r)
	if err := s.Respond(t.Context(), session.ConfirmationAnswer{RequestID: second, Accepted: true}); err != nil {
		t.Fatal(err)
	}
	sessiontest.Next[session.AssistantTurnEnd](r)
	if !strings.HasSuffix(b.last(), asked+`{"state":"accepted","confirmation":{"id":"second"}}]}]}`) {
		t.Errorf("sent is %s", b.last())
	}
	// A prompt leaves alone what is not decided, and takes along what is.
	if err := s.Send(t.Context(), session.Input{Prompt: "long"}); err != nil {
		t.Fatal(err)
	}
	sessiontest.Next[session.AssistantMessageDelta](r)
	if strings.Contains(b.last(), `"first"`) && strings.Contains(b.last(), "dismissed") {
		t.Errorf("an open question was answered: %s", b.last())
	}
	if err := s.Respond(t.Context(), session.UserInputAnswer{RequestID: first, Text: "yes"}); err == nil || errors.Is(err, session.ErrResolved) {
		t.Errorf("another kind of answer: %v", err)
	}
	if err := s.Abort(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := sessiontest.Next[session.ConfirmationCompleted](r); got.RequestID != first || got.State != session.Withdrawn {
		t.Errorf("the abort left %+v", got)
	}
	sessiontest.Next[session.SessionIdle](r)
	b.send(s, r, "hello")
	if strings.Contains(b.last(), `"id":"first"`) || b.chat.Done() != 1 {
		t.Errorf("the agent hears of what was withdrawn: %s", b.last())
	}
}

// TestDecidedWhileItRuns: a decision that comes while a request runs goes out
// right after it; with an abort before that, never.
func TestDecidedWhileItRuns(t *testing.T) {
	t.Parallel()
	for _, aborted := range []bool{false, true} {
		b := lay(t, sse.Copilot, nil)
		s, r := b.open()
		if err := s.Send(t.Context(), session.Input{Prompt: "two"}); err != nil {
			t.Fatal(err)
		}
		first := sessiontest.Next[session.ConfirmationRequested](r).RequestID
		second := sessiontest.Next[session.ConfirmationRequested](r).RequestID
		sessiontest.Next[session.AssistantTurnEnd](r)
		if err := s.Send(t.Context(), session.Input{Prompt: "long"}); err != nil {
			t.Fatal(err)
		}
		sessiontest.Next[session.AssistantMessageDelta](r)
		for _, id := range []session.RequestID{first, second} {
			if err := s.Respond(t.Context(), session.ConfirmationAnswer{RequestID: id, Accepted: id == first}); err != nil {
				t.Fatal(err)
			}
		}
		if aborted {
			if err := s.Abort(t.Context()); err != nil {
				t.Fatal(err)
			}
			sessiontest.Next[session.SessionIdle](r)
			got := sessiontest.All[session.ConfirmationCompleted](r.Seen())
			if len(got) != 2 || got[0].State != session.Withdrawn || got[1].State != session.Withdrawn {
				t.Errorf("the abort left %+v", got)
			}
			if b.chat.Done() != 0 {
				t.Error("an aborted answer was accepted")
			}
			continue
		}
		if err := s.Send(t.Context(), session.Input{Prompt: "hello"}); err != nil {
			t.Fatal(err)
		}
		b.chat.Release()
		sessiontest.Next[session.SessionIdle](r)
		want := `{"role":"user","content":"hello","copilot_references":[],"copilot_confirmations":[` +
			`{"state":"accepted","confirmation":{"id":"first"}},{"state":"dismissed","confirmation":{"id":"second"}}]}]}`
		if !strings.HasSuffix(b.last(), want) {
			t.Errorf("sent is %s", b.last())
		}
	}
}

// TestOpenAfterTheEnd: a question that the end of the window left open is asked
// again, and answered then.
func TestOpenAfterTheEnd(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.Copilot, nil)
	s, r := b.open()
	if err := s.Send(t.Context(), session.Input{Prompt: "confirm"}); err != nil {
		t.Fatal(err)
	}
	q := sessiontest.Next[session.ConfirmationRequested](r)
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.Rest()
	again, err := b.start().Resume(t.Context(), s.Info().ID, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r = sessiontest.Read(t, again)
	asked := sessiontest.Next[session.ConfirmationRequested](r)
	if asked.RequestID != q.RequestID || string(asked.Confirmation) != chat.Confirm {
		t.Errorf("asked again is %+v", asked)
	}
	if b.chat.Done() != 0 {
		t.Fatal("it was accepted by itself")
	}
	if err := again.Respond(t.Context(), session.ConfirmationAnswer{RequestID: q.RequestID, Accepted: true}); err != nil {
		t.Fatal(err)
	}
	sessiontest.Next[session.SessionIdle](r)
	if b.chat.Done() != 1 || !strings.Contains(b.last(), chat.Confirm) {
		t.Errorf("sent is %s", b.last())
	}
}

// TestAnotherAgent: what one agent asked is never answered to another, and the
// user is informed that another answers.
func TestAnotherAgent(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.Copilot, nil)
	s, r := b.open()
	if err := s.Send(t.Context(), session.Input{Prompt: "confirm"}); err != nil {
		t.Fatal(err)
	}
	q := sessiontest.Next[session.ConfirmationRequested](r)
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.Rest()
	b.cfg.Name = "other"
	again, err := b.start().Resume(t.Context(), s.Info().ID, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r = sessiontest.Read(t, again)
	if done := sessiontest.Next[session.ConfirmationCompleted](r); done.RequestID != q.RequestID || done.State != session.Withdrawn {
		t.Errorf("its question became %+v", done)
	}
	if info := sessiontest.Next[session.SessionInfo](r); !strings.HasPrefix(info.Message, "Until now sse:http://") || !strings.Contains(info.Message, "goes to other.") {
		t.Errorf("got %q", info.Message)
	}
	err = again.Respond(t.Context(), session.ConfirmationAnswer{RequestID: q.RequestID, Accepted: true})
	if !errors.Is(err, session.ErrResolved) {
		t.Errorf("it can be answered: %v", err)
	}
	if id, err := b.agent.LatestID(t.Context(), ""); id != "" || err != nil {
		t.Errorf("it is the last of the first agent: %q, %v", id, err)
	}
}

// stopping is a Store that calls stop when an answer is kept.
type stopping struct {
	session.Store
	stop func()
}

func (k stopping) Begin(s session.Stored) (session.Record, error) {
	r, err := k.Store.Begin(s)
	return stoppingRecord{r, k.stop}, err
}

type stoppingRecord struct {
	session.Record
	stop func()
}

func (r stoppingRecord) Append(ev session.Event) error {
	if _, answered := ev.Body.(session.AssistantMessage); answered {
		r.stop()
	}
	return r.Record.Append(ev)
}

// TestAbortAtTheEnd: when the user stops an answer that has just been read to
// its end, its question is withdrawn all the same.
func TestAbortAtTheEnd(t *testing.T) {
	t.Parallel()
	var s session.Session
	b := lay(t, sse.Copilot, func(cfg *sse.Config) {
		cfg.Store = stopping{cfg.Store, func() {
			if err := s.Abort(t.Context()); err != nil {
				t.Error(err)
			}
		}}
	})
	s, r := b.open()
	b.send(s, r, "confirm")
	if idle := sessiontest.All[session.SessionIdle](r.Seen()); len(idle) != 1 || !idle[0].Aborted {
		t.Errorf("the end is %+v", idle)
	}
	asked := sessiontest.All[session.ConfirmationRequested](r.Seen())
	done := sessiontest.All[session.ConfirmationCompleted](r.Seen())
	if len(asked) != 1 || len(done) != 1 || done[0].RequestID != asked[0].RequestID || done[0].State != session.Withdrawn {
		t.Errorf("asked is %+v, done %+v", asked, done)
	}
}
