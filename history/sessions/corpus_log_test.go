package sessions_test

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// What sessions are about.
var (
	corpusRepositories = []string{"demo/tide-clock", "demo/parser", "demo/cafe-menu", "demo/garden", "acme/shop", "acme/ledger", ""}
	corpusBranches     = []string{"main", "main", "fix/slow-parser", "feature/table", "build/no-c"}
	corpusModels       = []string{"gpt-5.4", "claude-sonnet-5", "gpt-5.4-mini"}
)

// corpusLog is one session while it is written.
type corpusLog struct {
	r          *rand.Rand
	text       *corpusText
	session    string
	repository string
	dir        string
	branch     string
	model      string
	prompt     string // the first one
	at         time.Time
	last       string // id of the event before, as JSON
	out        *bufio.Writer
	line       []byte
	written    int64
	in, reply  int
	calls      int
	cost       int
}

func newCorpusLog(seed uint64, i int, words *corpusText) *corpusLog {
	l := &corpusLog{r: rand.New(rand.NewPCG(seed, uint64(i)+16)), text: words, last: "null"} // #nosec G404 G115 -- as above; it is not negative
	l.session = l.id()
	l.repository = corpusRepositories[l.r.IntN(len(corpusRepositories))]
	l.dir = "/home/ada/" + l.repository
	if l.repository == "" {
		l.dir = "/home/ada/notes"
	}
	l.branch = corpusBranches[l.r.IntN(len(corpusBranches))]
	l.model = corpusModels[l.r.IntN(len(corpusModels))]
	return l
}

// id is an identifier in the form of the runtime's.
func (l *corpusLog) id() string {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], l.r.Uint64())
	binary.LittleEndian.PutUint64(b[8:], l.r.Uint64())
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:]
}

func (l *corpusLog) workspace(used time.Time) []byte {
	git := ""
	if l.repository != "" {
		git = fmt.Sprintf("git_root: %s\nbranch: %s\n", l.dir, l.branch)
	}
	name, _, _ := strings.Cut(l.prompt, `\n`) // it is the text of a JSON string
	return fmt.Appendf(nil, "id: %s\ncwd: %s\n%sclient_name: parley\nname: '%s'\nuser_named: false\nsummary_count: 0\nfork_count: 0\n"+
		"created_at: %s\nupdated_at: %s\n", l.session, l.dir, git, name[:min(len(name), 40)], corpusTime(used), corpusTime(used))
}

func corpusTime(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// add writes an event; the members of its data are as fmt has them.
func (l *corpusLog) add(kind, data string, values ...any) {
	id := `"` + l.id() + `"`
	l.at = l.at.Add(time.Duration(l.r.IntN(4000)) * time.Millisecond)
	l.line = fmt.Appendf(l.line[:0], `{"type":"%s","data":{`, kind)
	l.line = fmt.Appendf(l.line, data, values...)
	l.line = fmt.Appendf(l.line, `},"id":%s,"timestamp":"%s","parentId":%s}`+"\n", id, corpusTime(l.at), l.last)
	l.last = id
	n, _ := l.out.Write(l.line) // Flush has the error
	l.written += int64(n)
}

// words is about n bytes of text.
func (l *corpusLog) words(n int) []byte { return l.text.cut(l.r, n) }

// length is a length around most, seldom much more.
func (l *corpusLog) length(most, limit int) int {
	return min(limit, 20+int(l.r.ExpFloat64()*float64(most)))
}

// write writes a log of about that size, whose last event is at that time.
func (l *corpusLog) write(out *bufio.Writer, used time.Time, size int64) {
	l.out, l.at = out, used.Add(-time.Duration(size/2000)*time.Second)
	repository := ""
	if l.repository != "" {
		repository = fmt.Sprintf(`,"gitRoot":%q,"repository":%q,"branch":%q`, l.dir, l.repository, l.branch)
	}
	l.add("session.start", `"sessionId":%q,"version":1,"producer":"copilot-agent","copilotVersion":"1.0.102","startTime":%q,`+
		`"selectedModel":%q,"contextTier":null,"context":{"cwd":%q%s},"alreadyInUse":false`,
		l.session, corpusTime(l.at), l.model, l.dir, repository)
	for l.written < size {
		l.prompted()
	}
	l.shutdown()
}

// prompted is a prompt and what follows from it.
func (l *corpusLog) prompted() {
	prompt := string(l.words(l.length(160, 4000)))
	if l.prompt == "" {
		l.prompt = prompt
	}
	l.add("user.message", `"content":"%s","transformedContent":"<current_datetime>2026-11-21T21:03:41.501+00:00</current_datetime>\n\n%s",`+
		`"messageId":%q,"supportedNativeDocumentMimeTypes":[],"delivery":"idle","interactionId":%q,"turnId":"0"`,
		prompt, prompt, l.id(), l.id())
	for turn := range 1 + l.r.IntN(6) {
		if l.r.Float64() < 0.28 {
			l.add("system.message", `"role":"system","content":"You are an AI coding agent. %s"`, l.words(23500))
		}
		l.add("assistant.turn_start", `"turnId":"%d","interactionId":%q`, turn, l.id())
		l.usage()
		l.answered(turn)
		l.add("assistant.turn_end", `"turnId":"%d"`, turn)
	}
	if l.r.IntN(12) == 0 {
		l.shutdown()
		l.add("session.resume", `"resumeTime":"2026-11-21T21:04:17.652Z","contextTier":null,"sessionLimits":null,`+
			`"continuePendingWork":true,"eventsFileSizeBytes":29993,"eventCount":9,"selectedModel":%q,`+
			`"alreadyInUse":false,"sessionWasActive":false`, l.model)
	}
}

func (l *corpusLog) usage() {
	in, out, cost := 4000+l.r.IntN(60000), 20+l.r.IntN(1500), 0
	if l.r.IntN(4) == 0 {
		cost = 1
	}
	l.in, l.reply, l.calls, l.cost = l.in+in, l.reply+out, l.calls+1, l.cost+cost
	l.add("session.usage_record", `"usage":{"model":%q,"modelDisplayName":%q,"inputTokens":%d,"outputTokens":%d,"cacheReadTokens":0,`+
		`"cacheWriteTokens":0,"cost":%d,"duration":1466,"timeToFirstTokenMs":33.366350000000004,"outputTtftMs":33.366420000000005,`+
		`"interTokenLatencyMs":29.22644036734694,"initiator":"user","interactionType":"conversation-agent","isByok":false,`+
		`"modelProvider":"other","providerType":"openai","isAuto":false,"maxPromptTokens":128000,"transport":"http",`+
		`"requestBodyBytes":43434,"requestBodyWireBytes":43434,"requestBodyEncoding":"identity","apiCallId":"chatcmpl-%s","rte":false,`+
		`"apiEndpoint":"/chat/completions","accounting":{"sourceSessionId":%q,"sequence":1,"usageId":"chatcmpl-%s"},`+
		`"aiCreditsStatus":"unavailable","availableToolCount":16,"toolTokenCount":4241,"customToolCallCount":0,`+
		`"unmatchedToolResultCount":0,"orphanToolCallCount":0,"frontierSource":"estimated","cacheDetailsReported":false,`+
		`"numToolCalls":0,"toolCounts":{},"finishReason":"stop","contentFilterTriggered":false}`,
		l.model, l.model, in, out, cost, l.id(), l.id(), l.id())
}

// answered is one call of the model: what it says and the tool that it calls.
func (l *corpusLog) answered(turn int) {
	said, thought := l.length(700, 20000), l.length(250, 8000)
	requests, call, name, args := "", "", "", []byte(nil)
	if l.r.IntN(2) > 0 {
		call, said = "call_"+l.id(), said/4
		name, args = l.tool()
		requests = fmt.Sprintf(`{"toolCallId":%q,"name":%q,"arguments":%s,"type":"function","toolTitle":"Running"}`, call, name, args)
	}
	l.add("assistant.message", `"messageId":%q,"originatingMessageId":%q,"model":%q,"content":"%s","toolRequests":[%s],`+
		`"interactionId":%q,"turnId":"%d","reasoningText":"%s","rte":false,"apiCallId":"chatcmpl-%s"`,
		l.id(), l.id(), l.model, l.words(said), requests, l.id(), turn, l.words(thought), l.id())
	if call == "" {
		return
	}
	l.add("tool.execution_start", `"toolCallId":%q,"toolName":%q,"arguments":%s,"turnId":"%d","model":%q,"toolTitle":"Running"`,
		call, name, args, turn, l.model)
	if name != "view" {
		l.add("permission.requested", `"requestId":%q,"permissionRequest":{"kind":"shell","toolCallId":%q,"fullCommandText":"%s",`+
			`"intention":"%s","commands":[{"identifier":"go","readOnly":false}],"possiblePaths":[],"arguments":%s},`+
			`"promptRequest":{"kind":"commands","toolCallId":%q,"fullCommandText":"%s"}`,
			l.id(), call, l.words(200), l.words(60), args, call, l.words(200))
		l.add("permission.completed", `"requestId":%q,"toolCallId":%q,"result":{"kind":"approved"}`, l.id(), call)
	}
	l.add("tool.execution_complete", `"toolCallId":%q,"model":%q,"interactionId":%q,"turnId":"%d","rte":false,%s,`+
		`"toolTelemetry":{"properties":{"kind":"tool"},"metrics":{"context_token_limit":128000,"context_current_tokens":9352}}`,
		call, l.model, l.id(), turn, l.result(name))
}

func (l *corpusLog) tool() (name string, args []byte) {
	path := fmt.Sprintf("%s/src/%s.go", l.dir, corpusWord(l.r.IntN(400)))
	switch l.r.IntN(3) {
	case 0:
		return "bash", fmt.Appendf(nil, `{"command":"go test ./%s","description":"%s"}`, l.words(20+l.r.IntN(60)), l.words(30))
	case 1:
		return "view", fmt.Appendf(nil, `{"path":%q}`, path)
	}
	before, after := l.words(l.length(300, 8000)), l.words(l.length(400, 8000))
	return "edit", fmt.Appendf(nil, `{"path":%q,"old_str":"%s","new_str":"%s"}`, path, before, after)
}

// result is what a call came to; one of 12 fails.
func (l *corpusLog) result(name string) string {
	switch {
	case l.r.IntN(12) == 0:
		return fmt.Sprintf(`"success":false,"error":{"message":"%s","code":"failure"}`, l.words(200))
	case name != "edit":
		return fmt.Sprintf(`"success":true,"result":{"content":"%s"}`, l.text.output(l.r, l.length(2500, 20000)))
	}
	lines := 1 + l.r.IntN(30)
	var diff strings.Builder
	fmt.Fprintf(&diff, `diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1,%d +1,%d @@\n`, lines, 2*lines)
	for i := range 3 * lines {
		sign := "-"
		if i >= lines {
			sign = "+"
		}
		fmt.Fprintf(&diff, `%s%s\n`, sign, l.words(40))
	}
	return fmt.Sprintf(`"success":true,"result":{"content":"%s","detailedContent":"%s"}`, l.words(120), diff.String())
}

func (l *corpusLog) shutdown() {
	metrics := fmt.Sprintf(`{%q:{"requests":{"count":%d,"cost":%d},"usage":{"inputTokens":%d,"outputTokens":%d,"cacheReadTokens":0,`+
		`"cacheWriteTokens":0},"totalNanoAiu":0,"aiCreditsStatus":"unavailable"}}`, l.model, l.calls, l.cost, l.in, l.reply)
	l.add("session.shutdown", `"accountingSnapshot":{"totalPremiumRequestCost":%d,"modelMetrics":%s,"agentMetrics":{"main":`+
		`{"modelMetrics":%s}}},"shutdownType":"routine","totalPremiumRequests":%d,"totalNanoAiu":0,"totalApiDurationMs":1518,`+
		`"sessionStartTime":1795274539833,"eventsFileSizeBytes":%d,"codeChanges":{"linesAdded":0,"linesRemoved":0,"filesModified":[]},`+
		`"modelMetrics":%s,"agentMetrics":{"main":{"modelMetrics":%s}},"currentModel":%q,"currentTokens":9263,"systemTokens":4975,`+
		`"conversationTokens":94,"toolDefinitionsTokens":4191`,
		l.cost, metrics, metrics, l.cost, l.written, metrics, metrics, l.model)
}
