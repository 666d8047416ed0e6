package chat

import (
	"io"
	"net/http"
	"strconv"
	"strings"
)

// faults are the scenes that go wrong.
func faults() map[string]func(*reply) {
	all := map[string]func(*reply){
		"drop": func(t *reply) { t.say("Half of "); panic(http.ErrAbortHandler) },
		"half": func(t *reply) { t.say("Half of "); t.raw("data: {\"choi") },
		"endless": func(t *reply) {
			t.say("Half of ")
			t.raw("data: ")
			for t.r.Context().Err() == nil {
				t.raw(strings.Repeat("x", 64<<10))
			}
		},
		"flood": func(t *reply) {
			for t.r.Context().Err() == nil {
				t.say(strings.Repeat("x", 64<<10))
			}
		},
		"early":   func(t *reply) { t.say("Half of ") }, // the end without an end
		"mute":    (*reply).hang,
		"stall":   func(t *reply) { t.say("Half of "); t.hang() },
		"nothing": func(t *reply) { t.raw("") },
		"midway": func(t *reply) {
			t.say("Half of ")
			t.event("", `{"error":{"message":"overloaded","type":"server_error"}}`)
		},
		"html": func(t *reply) { // as a proxy answers that wants a user to sign in
			t.w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(t.w, "<!doctype html><title>Sign in\x1b]0;owned\x07</title><p>Please sign in.")
		},
		"redirect": func(t *reply) { // with all that the request has
			http.Redirect(t.w, t.r, t.agent.Elsewhere, http.StatusTemporaryRedirect)
		},
		"moved": func(t *reply) {
			http.Redirect(t.w, t.r, "/elsewhere", http.StatusFound)
		},
		"wait": func(t *reply) {
			if t.time == 1 {
				t.w.Header().Set("Retry-After", "1")
				refuse(t.w, http.StatusTooManyRequests, "slow down")
				return
			}
			t.say("Now. ")
			t.end("stop")
		},
		"later": func(t *reply) {
			t.w.Header().Set("Retry-After", "7200")
			refuse(t.w, http.StatusTooManyRequests, "slow down")
		},
	}
	for _, status := range []int{400, 401, 403, 404, 413, 429, 500, 503} {
		all[strconv.Itoa(status)] = func(t *reply) { refuse(t.w, status, "no for "+strconv.Itoa(status)) }
	}
	return all
}
