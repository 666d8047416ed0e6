package sessiontest

import (
	"slices"

	"parley/session"
)

// Payload is the data of an event in the form of the reference documents.
type Payload struct {
	Kind session.Kind
	Data string
}

// Reference returns every type that the reference documents name (Streaming
// Session Events; System Events and UI Projection) with every field that they
// name for it, in their form where the runtime's differs. Types of the second
// document that are described without fields have none here.
func Reference() []Payload { return slices.Clone(reference) }

var reference = []Payload{
	{"assistant.turn_start", `{"turnId":"0","interactionId":"i"}`},
	{"assistant.intent", `{"intent":"Exploring codebase"}`},
	{"assistant.reasoning", `{"reasoningId":"r","content":"hm"}`},
	{"assistant.reasoning_delta", `{"reasoningId":"r","deltaContent":"h"}`},
	{
		"assistant.message", `{"messageId":"m","content":"c","toolRequests":[{"toolCallId":"t","name":"bash",` +
			`"arguments":{"command":"ls"},"type":"function"}],"reasoningOpaque":"o","reasoningText":"t",` +
			`"encryptedContent":"e","phase":"response","outputTokens":7,"interactionId":"i","parentToolCallId":"p"}`,
	},
	{"assistant.message_delta", `{"messageId":"m","deltaContent":"d","parentToolCallId":"p"}`},
	{"assistant.turn_end", `{"turnId":"0"}`},
	{
		"assistant.usage", `{"model":"gpt-4.1","inputTokens":1,"outputTokens":2,"cacheReadTokens":3,"cacheWriteTokens":4,` +
			`"cost":0.33,"duration":1234.5,"initiator":"sub-agent","apiCallId":"a","providerCallId":"p",` +
			`"parentToolCallId":"t","quotaSnapshots":{"chat":{"usedRequests":1,"remainingPercentage":99.5}},` +
			`"copilotUsage":{"tokenDetails":[{"batchSize":1,"costPerBatch":2,"tokenCount":3,"tokenType":"input"}],"totalNanoAiu":6}}`,
	},
	{"assistant.streaming_delta", `{"totalResponseSizeBytes":5}`},
	{
		"tool.execution_start", `{"toolCallId":"t","toolName":"bash","arguments":{},"mcpServerName":"s","mcpToolName":"n",` +
			`"parentToolCallId":"p"}`,
	},
	{"tool.execution_partial_result", `{"toolCallId":"t","partialOutput":"o"}`},
	{"tool.execution_progress", `{"toolCallId":"t","progressMessage":"50%"}`},
	{
		"tool.execution_complete", `{"toolCallId":"t","success":true,"model":"m","interactionId":"i","isUserRequested":true,` +
			`"result":{"content":"c","detailedContent":"d","contents":[{"type":"text","text":"x"},` +
			`{"type":"terminal","text":"x","exitCode":0,"cwd":"/"},{"type":"image","data":"AA==","mimeType":"image/png"},` +
			`{"type":"audio","data":"AA==","mimeType":"audio/wav"},` +
			`{"type":"resource","resource":{"uri":"u","mimeType":"text/plain","text":"x"}}]},` +
			`"error":{"message":"e","code":"c"},"toolTelemetry":{"n":1},"parentToolCallId":"p"}`,
	},
	{"tool.user_requested", `{"toolCallId":"t","toolName":"bash","arguments":{}}`},
	{
		"session.idle", `{"backgroundTasks":{"agents":[{"agentId":"a","agentType":"explore","description":"d"}],` +
			`"shells":[{"shellId":"s","description":"d"}]}}`,
	},
	{"session.error", `{"errorType":"quota","message":"m","stack":"s","statusCode":429,"providerCallId":"p","url":"u"}`},
	{"session.compaction_start", `{}`},
	{
		"session.compaction_complete", `{"success":true,"error":"e","preCompactionTokens":1,"postCompactionTokens":2,` +
			`"preCompactionMessagesLength":3,"messagesRemoved":4,"tokensRemoved":5,"summaryContent":"s",` +
			`"checkpointNumber":6,"checkpointPath":"p","compactionTokensUsed":{"input":7,"output":8,"cachedInput":9},` +
			`"requestId":"r"}`,
	},
	{"session.title_changed", `{"title":"t"}`},
	{"session.context_changed", `{"cwd":"/","gitRoot":"/","repository":"o/n","branch":"main"}`},
	{"session.usage_info", `{"tokenLimit":1,"currentTokens":2,"messagesLength":3}`},
	{"session.task_complete", `{"summary":"s"}`},
	{
		"session.shutdown", `{"shutdownType":"error","errorReason":"r","totalPremiumRequests":1.5,"totalApiDurationMs":2,` +
			`"sessionStartTime":1795259266288,"codeChanges":{"linesAdded":1,"linesRemoved":2,"filesModified":["a"]},` +
			`"modelMetrics":{"m":{"requests":{"count":1,"cost":2},"usage":{"inputTokens":1,"outputTokens":2,` +
			`"cacheReadTokens":3,"cacheWriteTokens":4}}},"currentModel":"m"}`,
	},
	{
		"permission.requested", `{"requestId":"r","permissionRequest":{"kind":"shell","fullCommandText":"ls","intention":"i",` +
			`"commands":[{"identifier":"ls","readOnly":true}],"possiblePaths":["/"],"toolCallId":"t"}}`,
	},
	{
		"permission.requested", `{"requestId":"r","permissionRequest":{"kind":"write","fileName":"f","diff":"d",` +
			`"intention":"i","newFileContents":"n","toolCallId":"t"}}`,
	},
	{"permission.requested", `{"requestId":"r","permissionRequest":{"kind":"read","path":"p","intention":"i","toolCallId":"t"}}`},
	{
		"permission.requested", `{"requestId":"r","permissionRequest":{"kind":"mcp","serverName":"s","toolName":"n",` +
			`"toolTitle":"t","args":{"a":1},"readOnly":true,"toolCallId":"t"}}`,
	},
	{"permission.requested", `{"requestId":"r","permissionRequest":{"kind":"url","url":"u","intention":"i","toolCallId":"t"}}`},
	{
		"permission.requested", `{"requestId":"r","permissionRequest":{"kind":"memory","subject":"s","fact":"f",` +
			`"citations":"c","toolCallId":"t"}}`,
	},
	{
		"permission.requested", `{"requestId":"r","permissionRequest":{"kind":"custom-tool","toolName":"n",` +
			`"toolDescription":"d","args":{},"toolCallId":"t"}}`,
	},
	{"permission.completed", `{"requestId":"r","result":{"kind":"denied-by-content-exclusion-policy"}}`},
	{"user_input.requested", `{"requestId":"r","question":"q","choices":["a"],"allowFreeform":true}`},
	{"user_input.completed", `{"requestId":"r"}`},
	{
		"elicitation.requested", `{"requestId":"r","message":"m","mode":"form","requestedSchema":{"type":"object",` +
			`"properties":{},"required":[]}}`,
	},
	{"elicitation.completed", `{"requestId":"r"}`},
	{"subagent.started", `{"toolCallId":"t","agentName":"n","agentDisplayName":"d","agentDescription":"x"}`},
	{"subagent.completed", `{"toolCallId":"t","agentName":"n","agentDisplayName":"d"}`},
	{"subagent.failed", `{"toolCallId":"t","agentName":"n","agentDisplayName":"d","error":"e"}`},
	{"subagent.selected", `{"agentName":"n","agentDisplayName":"d","tools":["view"]}`},
	{"subagent.deselected", `{}`},
	{
		"skill.invoked", `{"name":"n","path":"p","content":"c","allowedTools":["view"],"pluginName":"x",` +
			`"pluginVersion":"1"}`,
	},
	{"abort", `{"reason":"user initiated"}`},
	{
		"user.message", `{"content":"c","transformedContent":"t","attachments":[{"type":"file","path":"p",` +
			`"displayName":"d"},{"type":"selection","filePath":"p","displayName":"d","text":"t",` +
			`"selection":{"start":{"line":1,"character":2}}},` +
			`{"type":"blob","data":"AA==","mimeType":"image/png"}],"source":"s","agentMode":"plan","interactionId":"i"}`,
	},
	{
		"system.message", `{"content":"c","role":"developer","name":"n",` +
			`"metadata":{"promptVersion":"1","variables":{"a":1}}}`,
	},
	{"external_tool.requested", `{"requestId":"r","sessionId":"s","toolCallId":"t","toolName":"n","arguments":{}}`},
	{"external_tool.completed", `{"requestId":"r"}`},
	{
		"exit_plan_mode.requested", `{"requestId":"r","summary":"s","planContent":"p","actions":["approve","edit","reject"],` +
			`"recommendedAction":"approve"}`,
	},
	{"exit_plan_mode.completed", `{"requestId":"r"}`},
	{"command.queued", `{"requestId":"r","command":"/help"}`},
	{"command.completed", `{"requestId":"r"}`},

	{
		"system.notification", `{"content":"Discovered instruction: p","kind":{"type":"instruction_discovered",` +
			`"sourcePath":"p","triggerFile":"f","triggerTool":"view","description":"d"}}`,
	},
	{"session.info", `{"infoType":"notification","message":"m","url":"u"}`},
	{"session.warning", `{"warningType":"policy","message":"m","url":"u"}`},
	{"pending_messages.modified", `{}`},
	{"session.custom_notification", `{"version":1,"source":"s","subject":{"a":"b"},"payload":[1]}`},
	{"session.tools_updated", `{}`},
	{"session.mode_changed", `{}`},
	{"session.skills_loaded", `{}`},
	{"session.custom_agents_updated", `{}`},
	{"session.mcp_servers_loaded", `{}`},
	{"session.mcp_server_status_changed", `{}`},
	{"session.extensions_loaded", `{}`},
}
