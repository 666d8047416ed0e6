package sessions

import (
	"iter"
	"maps"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

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
func (d *Digest) raiseTo(all iter.Seq[metrics], premium float64) {
	var sum Tokens
	cost := 0.0
	for m := range all {
		sum, cost = sum.plus(m.Usage.tokens()), clamp(cost+clamp(m.Requests.Cost))
	}
	d.Tokens, d.Cost = d.Tokens.atLeast(sum), max(d.Cost, cost, clamp(premium))
}

type usage struct {
	Input      int `json:"inputTokens"`
	Output     int `json:"outputTokens"`
	CacheRead  int `json:"cacheReadTokens"`
	CacheWrite int `json:"cacheWriteTokens"`
}

func (u usage) tokens() Tokens {
	return Tokens{clamp(u.Input), clamp(u.Output), clamp(u.CacheRead), clamp(u.CacheWrite)}
}

func takeUsage(d *Digest, ev *event[struct {
	Usage struct {
		usage
		Model string  `json:"model"`
		Cost  float64 `json:"cost"`
	} `json:"usage"`
}], _ func(Text),
) {
	u := ev.Data.Usage
	d.Tokens, d.Cost = d.Tokens.plus(u.tokens()), clamp(d.Cost+clamp(u.Cost))
}

type metrics struct {
	Requests struct {
		Cost float64 `json:"cost"`
	} `json:"requests"`
	Usage usage `json:"usage"`
}

func takeCheckpoint(d *Digest, ev *event[struct {
	Metrics              jsontext.Value `json:"providerModelMetrics"` // of a shape that is not promised
	TotalPremiumRequests float64        `json:"totalPremiumRequests"`
}], _ func(Text),
) {
	var list []struct {
		Metrics metrics `json:"metrics"`
	}
	all := map[int]metrics{}
	if decode(ev.Data.Metrics, &list) == nil {
		for i, m := range list {
			all[i] = m.Metrics
		}
	}
	d.raiseTo(maps.Values(all), ev.Data.TotalPremiumRequests)
}

func takeShutdown(d *Digest, ev *event[struct {
	ShutdownType         string             `json:"shutdownType"`
	TotalPremiumRequests float64            `json:"totalPremiumRequests"`
	ModelMetrics         map[string]metrics `json:"modelMetrics"`
}], _ func(Text),
) {
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
	d.interruptCalls()
	d.updateState()
}

type place struct {
	Dir        string `json:"cwd"`
	Root       string `json:"gitRoot"`
	Repository string `json:"repository"`
	Branch     string `json:"branch"`
	Pending    bool   `json:"pendingGitContext"` // the rest is still to come
}

func (d *Digest) setPlace(p place) {
	if p.Dir == "" {
		return
	}
	d.Dir = p.Dir
	if !p.Pending {
		d.Root, d.Repository, d.Branch = p.Root, p.Repository, p.Branch
	}
}

func takeStart(d *Digest, ev *event[struct {
	StartTime     string `json:"startTime"`
	SelectedModel string `json:"selectedModel"`
	Context       place  `json:"context"`
}], _ func(Text),
) {
	if at := parseTime(ev.Data.StartTime); !at.IsZero() {
		d.Started = at
	}
	d.setModel(ev.Data.SelectedModel)
	d.setPlace(ev.Data.Context)
}

func takeResume(d *Digest, ev *event[struct {
	SelectedModel    string `json:"selectedModel"`
	SessionWasActive bool   `json:"sessionWasActive"`
	Context          place  `json:"context"`
}], _ func(Text),
) {
	d.setModel(ev.Data.SelectedModel)
	d.setPlace(ev.Data.Context)
	if !ev.Data.SessionWasActive {
		d.endProcess()
	}
}

func takeContext(d *Digest, ev *event[place], _ func(Text)) { d.setPlace(ev.Data) }

func takeModel(d *Digest, ev *event[struct {
	NewModel string `json:"newModel"`
}], _ func(Text),
) {
	d.setModel(ev.Data.NewModel)
}

func takeNotice(d *Digest, ev *event[struct {
	InfoType string `json:"infoType"`
	Message  string `json:"message"`
}], text func(Text),
) {
	addSaid(text, Notice, ev.Data.Message)
	if ev.Data.InfoType == "fork" {
		d.Parent, d.Copied = parentIn(ev.Data.Message), nil
		if d.Parent != "" && d.Prompts > 0 {
			d.Copied = d.sums()
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

func takeCompaction(d *Digest, ev *event[struct {
	SummaryContent string                       `json:"summaryContent"`
	Used           session.CompactionTokensUsed `json:"compactionTokensUsed"`
}], text func(Text),
) {
	addSaid(text, Summary, ev.Data.SummaryContent)
	u := ev.Data.Used.Usage()
	d.Summed = d.Summed.plus(usage{u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens}.tokens())
}

func takeTaskComplete(d *Digest, ev *event[struct {
	Summary string `json:"summary"`
}], text func(Text),
) {
	addSaid(text, Summary, ev.Data.Summary)
	d.Talk.Completed = d.Talk.Completed || ev.Agent == ""
}

func takeMode(d *Digest, ev *event[struct {
	NewMode session.Mode `json:"newMode"`
}], _ func(Text),
) {
	if ev.Agent == "" {
		d.Talk.Mode = ev.Data.NewMode
	}
}

func takePlan(d *Digest, ev *event[struct {
	Operation string `json:"operation"`
}], _ func(Text),
) {
	d.Plan = ev.Data.Operation != "delete"
}
