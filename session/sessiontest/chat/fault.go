package chat

import (
	"io"
	"net/http"
	"strconv"
	"strings"
)

// faults are the scenes that go wrong.
func faults() map[string]func(*telling) {
	all := map[string]func(*telling){
		"drop": func(t *telling) { t.say("Half of "); t.cut() },
		"half": func(t *telling) { t.say("Half of "); t.raw("data: {\"choi") },
		"endless": func(t *telling) {
			t.say("Half of ")
			t.raw("data: ")
			for t.r.Context().Err() == nil {
				t.raw(strings.Repeat("x", 64<<10))
			}
		},
		"flood": func(t *telling) {
			for t.r.Context().Err() == nil {
				t.say(strings.Repeat("x", 64<<10))
			}
		},
		"early":   func(t *telling) { t.say("Half of ") }, // the end without an end
		"mute":    (*telling).hang,
		"stall":   func(t *telling) { t.say("Half of "); t.hang() },
		"nothing": func(t *telling) { t.raw("") },
		"midway": func(t *telling) {
			t.say("Half of ")
			t.event("", `{"error":{"message":"overloaded","type":"server_error"}}`)
		},
		"html":     html,
		"redirect": redirect,
		"moved": func(t *telling) {
			http.Redirect(t.w, t.r, "/elsewhere", http.StatusFound)
		},
		"wait": func(t *telling) {
			if t.time == 1 {
				t.w.Header().Set("Retry-After", "1")
				refuse(t.w, http.StatusTooManyRequests, "slow down")
				return
			}
			t.say("Now. ")
			t.end("stop")
		},
		"later": func(t *telling) {
			t.w.Header().Set("Retry-After", "7200")
			refuse(t.w, http.StatusTooManyRequests, "slow down")
		},
	}
	for _, status := range []int{400, 401, 403, 404, 413, 429, 500, 503} {
		all[strconv.Itoa(status)] = func(t *telling) { refuse(t.w, status, "no for "+strconv.Itoa(status)) }
	}
	return all
}

// html answers with a page, as a proxy does that wants a user to sign in.
func html(t *telling) {
	t.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(t.w, "<!doctype html><title>Sign in\x1b]0;owned\x07</title><p>Please sign in.")
}

// redirect sends the request on, with all that it has.
func redirect(t *telling) {
	http.Redirect(t.w, t.r, t.agent.Elsewhere, http.StatusTemporaryRedirect)
}
