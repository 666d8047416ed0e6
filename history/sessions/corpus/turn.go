package corpus

import (
	"bufio"
	"fmt"
	"time"
)

// write writes a log of about that size, whose last event is at that time.
func (l *log) write(out *bufio.Writer, used time.Time, size int64) {
	l.out = out
	l.at = used.Add(-time.Duration(size/2000) * time.Second)
	l.event("session.start", func(b []byte) []byte {
		repository := ""
		if l.repository != "" {
			repository = fmt.Sprintf(`,"gitRoot":%q,"repository":%q,"branch":%q`, l.dir, l.repository, l.branch)
		}
		return fmt.Appendf(b, `{"sessionId":%q,"version":1,"producer":"copilot-agent","copilotVersion":"1.0.102",`+
			`"startTime":%q,"selectedModel":%q,`+
			`"contextTier":null,"context":{"cwd":%q%s},"alreadyInUse":false}`, l.session, stamp(l.at), l.model, l.dir, repository)
	})
	for l.written < size {
		l.prompted()
	}
	l.shutdown()
	l.prompt = append([]byte(nil), l.prompt...)
}

// prompted is a prompt and what follows from it.
func (l *log) prompted() {
	prompt := l.text.cut(l.r, l.length(160, 4000))
	if l.prompt == nil {
		l.prompt = prompt
	}
	l.event("user.message", func(b []byte) []byte {
		b = append(b, `{"content":"`...)
		b = append(b, prompt...)
		b = append(b, `","transformedContent":"<current_datetime>2026-11-21T21:03:41.501+00:00</current_datetime>\n\n`...)
		b = append(b, prompt...)
		return l.words(b, `","messageId":"%q","supportedNativeDocumentMimeTypes":[],"delivery":"idle",`+
			`"interactionId":"%q","turnId":"0"}`)
	})
	for turn := range 1 + l.r.IntN(6) {
		if l.r.Float64() < 0.28 {
			l.add("system.message", `{"role":"system","content":"You are an AI coding agent. %t"}`, 23500)
		}
		l.add("assistant.turn_start", `{"turnId":"%d","interactionId":"%q"}`, turn)
		l.usage()
		l.answered(turn)
		l.add("assistant.turn_end", `{"turnId":"%d"}`, turn)
	}
	if l.r.IntN(12) == 0 {
		l.shutdown()
		l.add("session.resume", `{"resumeTime":"2026-11-21T21:04:17.652Z","contextTier":null,"sessionLimits":null,`+
			`"continuePendingWork":true,`+
			`"eventsFileSizeBytes":29993,"eventCount":9,"selectedModel":"%m","alreadyInUse":false,"sessionWasActive":false}`)
	}
}

func (l *log) usage() {
	in, out := 4000+l.r.IntN(60000), 20+l.r.IntN(1500)
	l.in, l.reply, l.calls = l.in+in, l.reply+out, l.calls+1
	cost := 0
	if l.r.IntN(4) == 0 {
		cost = 1
		l.cost++
	}
	l.add("session.usage_record", `{"usage":{"model":"%m","modelDisplayName":"%m","inputTokens":%d,"outputTokens":%d,`+
		`"cacheReadTokens":0,`+
		`"cacheWriteTokens":0,"cost":%d,"duration":1466,"timeToFirstTokenMs":33.366350000000004,`+
		`"outputTtftMs":33.366420000000005,`+
		`"interTokenLatencyMs":29.22644036734694,"initiator":"user","interactionType":"conversation-agent",`+
		`"isByok":false,"modelProvider":"other",`+
		`"providerType":"openai","isAuto":false,"maxPromptTokens":128000,"transport":"http","requestBodyBytes":43434,`+
		`"requestBodyWireBytes":43434,`+
		`"requestBodyEncoding":"identity","apiCallId":"chatcmpl-%q","rte":false,"apiEndpoint":"/chat/completions",`+
		`"accounting":{"sourceSessionId":"%q",`+
		`"sequence":1,"usageId":"chatcmpl-%q"},"aiCreditsStatus":"unavailable","availableToolCount":16,`+
		`"toolTokenCount":4241,"customToolCallCount":0,`+
		`"unmatchedToolResultCount":0,"orphanToolCallCount":0,"frontierSource":"estimated",`+
		`"cacheDetailsReported":false,"numToolCalls":0,"toolCounts":{},`+
		`"finishReason":"stop","contentFilterTriggered":false}}`, in, out, cost)
}

// answered is one call of the model: what it says and the tool that it calls.
func (l *log) answered(turn int) {
	head := `{"messageId":"%q","originatingMessageId":"%q","model":"%m","content":"%t",`
	foot := `"interactionId":"%q","turnId":"%d","reasoningText":"%t","rte":false,"apiCallId":"chatcmpl-%q"}`
	said, thought := l.length(700, 20000), l.length(250, 8000)
	if l.r.IntN(2) == 0 {
		l.add("assistant.message", head+`"toolRequests":[],`+foot, said, turn, thought)
		return
	}
	call := "call_" + l.id()
	name, args := l.tool()
	l.add("assistant.message", head+fmt.Sprintf(`"toolRequests":[{"toolCallId":%q,"name":%q,"arguments":%s,`+
		`"type":"function","toolTitle":"Running"}],`,
		call, name, args)+foot, said/4, turn, thought)
	l.add("tool.execution_start", fmt.Sprintf(`{"toolCallId":%q,"toolName":%q,"arguments":%s,"turnId":"%%d",`+
		`"model":"%%m","toolTitle":"Running"}`,
		call, name, args), turn)
	if name != "view" {
		l.asked(call, string(args))
	}
	l.result(call, name, turn)
}

func (l *log) tool() (name string, args []byte) {
	path := fmt.Sprintf("%s/src/%s.go", l.dir, Word(l.r.IntN(400)))
	switch l.r.IntN(3) {
	case 0:
		return "bash", l.words(nil, `{"command":"go test ./%t","description":"%t"}`, 20+l.r.IntN(60), 30)
	case 1:
		return "view", fmt.Appendf(nil, `{"path":%q}`, path)
	}
	return "edit", l.words(fmt.Appendf(nil, `{"path":%q,`, path), `"old_str":"%t",`+
		`"new_str":"%t"}`, l.length(300, 8000), l.length(400, 8000))
}

func (l *log) asked(call, args string) {
	l.add("permission.requested", fmt.Sprintf(`{"requestId":"%%q","permissionRequest":{"kind":"shell","toolCallId":%q,`+
		`"fullCommandText":"%%t","intention":"%%t",`+
		`"commands":[{"identifier":"go","readOnly":false}],"possiblePaths":[],"arguments":%s},`+
		`"promptRequest":{"kind":"commands","toolCallId":%q,`+
		`"fullCommandText":"%%t"}}`, call, args, call), 200, 60, 200)
	l.add("permission.completed", fmt.Sprintf(`{"requestId":"%%q","toolCallId":%q,"result":{"kind":"approved"}}`, call))
}

// result ends a call; one of 12 fails.
func (l *log) result(call, name string, turn int) {
	head := fmt.Sprintf(`{"toolCallId":%q,"model":"%%m","interactionId":"%%q","turnId":"%d","rte":false,`, call, turn)
	foot := `,"toolTelemetry":{"properties":{"kind":"tool"},"metrics":{"context_token_limit":128000,` +
		`"context_current_tokens":9352}}}`
	switch {
	case l.r.IntN(12) == 0:
		l.add("tool.execution_complete", head+`"success":false,"error":{"message":"%t","code":"failure"}`+foot, 200)
	case name == "edit":
		lines := 1 + l.r.IntN(30)
		diff := fmt.Sprintf(`diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1,%d +1,%d @@\n`, lines, 2*lines)
		for range lines {
			diff += `-%t\n`
		}
		lengths := []int{120}
		for range lines {
			lengths = append(lengths, 40)
		}
		for range 2 * lines {
			diff += `+%t\n`
			lengths = append(lengths, 40)
		}
		l.add("tool.execution_complete", head+`"success":true,"result":{"content":"%t",`+
			`"detailedContent":"`+diff+`"}`+foot, lengths...)
	default:
		l.add("tool.execution_complete", head+`"success":true,"result":{"content":"%o"}`+foot, l.length(2500, 20000))
	}
}

func (l *log) shutdown() {
	l.event("session.shutdown", func(b []byte) []byte {
		metrics := fmt.Sprintf(`{%q:{"requests":{"count":%d,"cost":%g},"usage":{"inputTokens":%d,"outputTokens":%d,`+
			`"cacheReadTokens":0,"cacheWriteTokens":0},`+
			`"totalNanoAiu":0,"aiCreditsStatus":"unavailable"}}`, l.model, l.calls, l.cost, l.in, l.reply)
		return fmt.Appendf(b, `{"accountingSnapshot":{"totalPremiumRequestCost":%g,"modelMetrics":%s,`+
			`"agentMetrics":{"main":{"modelMetrics":%s}}},`+
			`"shutdownType":"routine","totalPremiumRequests":%g,"totalNanoAiu":0,"totalApiDurationMs":1518,`+
			`"sessionStartTime":1795274539833,`+
			`"eventsFileSizeBytes":%d,"codeChanges":{"linesAdded":0,"linesRemoved":0,"filesModified":[]},`+
			`"modelMetrics":%s,"agentMetrics":{"main":{`+
			`"modelMetrics":%s}},"currentModel":%q,"currentTokens":9263,"systemTokens":4975,"conversationTokens":94,`+
			`"toolDefinitionsTokens":4191}`,
			l.cost, metrics, metrics, l.cost, l.written, metrics, metrics, l.model)
	})
}
