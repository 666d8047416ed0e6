package sessions

import (
	"iter"
	"maps"
	"strings"

	"parley/session"
)

// What calls of models used is summed up by the records of each, or, where that is
// more, by what the runtime sums up now and then. A sum that was kept before a
// restart is not added to what came after: it may be in there.

// clamp is a number that can be added up and stored, whatever a log says.
func clamp[N int | float64](n N) N {
	const most = 1 << 40
	return max(0, min(n, most))
}

// raiseTo raises what was counted to a sum that was kept elsewhere.
func (d *Digest) raiseTo(all iter.Seq[session.ModelMetric], premium float64) {
	var sum Tokens
	cost := 0.0
	for m := range all {
		sum = sum.plus(tokensOf(m.Usage.InputTokens, m.Usage.OutputTokens, m.Usage.CacheReadTokens, m.Usage.CacheWriteTokens))
		cost = clamp(cost + clamp(m.Requests.Cost))
	}
	d.Tokens, d.Cost = d.Tokens.atLeast(sum), max(d.Cost, cost, clamp(premium))
}

func tokensOf(in, out, cacheRead, cacheWrite int) Tokens {
	return Tokens{clamp(in), clamp(out), clamp(cacheRead), clamp(cacheWrite)}
}

// usageRecord is what is counted of a session.SessionUsageRecord, of which there is one for
// each call of a model.
type usageRecord struct {
	Usage struct {
		InputTokens      int     `json:"inputTokens"`
		OutputTokens     int     `json:"outputTokens"`
		CacheReadTokens  int     `json:"cacheReadTokens"`
		CacheWriteTokens int     `json:"cacheWriteTokens"`
		Cost             float64 `json:"cost"`
	} `json:"usage"`
}

func takeUsage(d *Digest, ev *event[usageRecord], _ func(Text)) {
	u := ev.Data.Usage
	d.Tokens = d.Tokens.plus(tokensOf(u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens))
	d.Cost = clamp(d.Cost + clamp(u.Cost))
}

func takeCheckpoint(d *Digest, ev *event[session.SessionUsageCheckpoint], _ func(Text)) {
	d.raiseTo(func(yield func(session.ModelMetric) bool) {
		for _, m := range ev.Data.Models() {
			if !yield(m.Metrics) {
				return
			}
		}
	}, ev.Data.TotalPremiumRequests)
}

func takeShutdown(d *Digest, ev *event[session.SessionShutdown], _ func(Text)) {
	d.raiseTo(maps.Values(ev.Data.ModelMetrics), ev.Data.TotalPremiumRequests)
	if ev.Data.ShutdownType == "error" {
		d.Talk.Failed = true
	}
	d.endProcess()
}

// endProcess notes that the program that held the session has ended.
func (d *Digest) endProcess() {
	k := &d.Talk
	k.Aborted = k.Aborted || k.Running
	k.Running, k.ProcessEnded = false, true
	k.Waited.Forget()
	d.interruptCalls()
	d.updateState()
}

func (d *Digest) setPlace(p *session.WorkingContext) {
	if p == nil || p.Cwd == "" {
		return
	}
	d.Place.Dir = p.Cwd
	if !p.PendingGitContext {
		d.Place = Place{p.Cwd, p.GitRoot, p.Repository, p.Branch}
	}
}

func takeStart(d *Digest, ev *event[session.SessionStart], _ func(Text)) {
	if at := parseTime(ev.Data.StartTime); !at.IsZero() {
		d.Started = at
	}
	d.setModel(ev.Data.SelectedModel)
	d.setPlace(ev.Data.Context)
}

func takeResume(d *Digest, ev *event[session.SessionResume], _ func(Text)) {
	d.setModel(ev.Data.SelectedModel)
	d.setPlace(ev.Data.Context)
	if !ev.Data.SessionWasActive {
		d.endProcess()
	}
}

func takeContext(d *Digest, ev *event[session.WorkingContext], _ func(Text)) { d.setPlace(&ev.Data) }

func takeModel(d *Digest, ev *event[session.SessionModelChange], _ func(Text)) {
	d.setModel(ev.Data.NewModel)
}

func takeNotice(d *Digest, ev *event[session.SessionInfo], text func(Text)) {
	addSaid(text, Notice, ev.Data.Message)
	if ev.Data.InfoType == "fork" {
		d.Parent, d.Copied = parentIn(ev.Data.Message), nil
		if d.Parent != "" && d.Prompts > 0 {
			before := d.Summary()
			d.Copied = &before
		}
	}
}

// parentIn reads the id out of the only message that has it: Forked from
// "name" (id) as "name" (id), or, where the copy ends earlier, "name" (id) before
// event id as "name" (id). A name may hold what it likes.
func parentIn(message string) session.ID {
	rest, ok := strings.CutPrefix(message, "Forked from ")
	end := max(strings.LastIndex(rest, `) as "`), strings.LastIndex(rest, `) before event `))
	if !ok || end < 0 {
		return ""
	}
	id := rest[strings.LastIndexByte(rest[:end], '(')+1 : end]
	if !validID(id) {
		return ""
	}
	return session.ID(id)
}

// validID reports whether an id can be the name of a folder, and of nothing else.
func validID(id string) bool {
	if id == "" || len(id) > 128 || id[0] == '.' || id[0] == '-' {
		return false
	}
	for _, c := range []byte(id) {
		if c != '-' && c != '_' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

func takeCompaction(d *Digest, ev *event[session.SessionCompactionComplete], text func(Text)) {
	addSaid(text, Summary, ev.Data.SummaryContent)
	if ev.Data.CompactionTokensUsed != nil {
		u := ev.Data.CompactionTokensUsed.Usage()
		d.Summed = d.Summed.plus(tokensOf(u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens))
	}
}

func takeTaskComplete(d *Digest, ev *event[session.SessionTaskComplete], text func(Text)) {
	addSaid(text, Summary, ev.Data.Summary)
	d.Talk.Completed = d.Talk.Completed || ev.Agent == ""
}

func takeMode(d *Digest, ev *event[session.SessionModeChanged], _ func(Text)) {
	if ev.Agent == "" {
		d.Talk.Mode = ev.Data.NewMode
	}
}

func takePlan(d *Digest, ev *event[session.SessionPlanChanged], _ func(Text)) {
	d.Plan = ev.Data.Operation != "delete"
}
