package telemetry

import (
	"strings"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
)

// The attributes and events that the GenAI semantic conventions do not know.
// Those of github.copilot have the names that the Copilot CLI gives its own.
const (
	keyTurnID          = attribute.Key("github.copilot.turn_id")
	keyTurnCount       = attribute.Key("github.copilot.turn_count")
	keyInteractionID   = attribute.Key("github.copilot.interaction_id")
	keyInitiator       = attribute.Key("github.copilot.initiator")
	keyCost            = attribute.Key("github.copilot.cost")
	keyNanoAIU         = attribute.Key("github.copilot.nano_aiu")
	keyAgentType       = attribute.Key("github.copilot.agent.type")
	keyErrorCode       = attribute.Key("github.copilot.error_code")
	keyErrorStatus     = attribute.Key("github.copilot.error_status_code")
	keyMCPServer       = attribute.Key("github.copilot.tool.parameters.mcp_server_name") // content
	keyMCPServerHash   = attribute.Key("github.copilot.tool.parameters.mcp_server_name_hash")
	keyMCPTool         = attribute.Key("github.copilot.tool.parameters.mcp_tool_name")
	keyPermission      = attribute.Key("github.copilot.permission.kind")
	keyResult          = attribute.Key("github.copilot.permission.result")
	keySuccess         = attribute.Key("github.copilot.success")
	keyAbortReason     = attribute.Key("github.copilot.abort_reason")
	keyMessageSource   = attribute.Key("github.copilot.user.message.source")
	keyMessageMode     = attribute.Key("github.copilot.user.message.agent_mode")
	keyTokenLimit      = attribute.Key("github.copilot.token_limit")
	keyPreTokens       = attribute.Key("github.copilot.pre_tokens")
	keyPostTokens      = attribute.Key("github.copilot.post_tokens")
	keyTokensRemoved   = attribute.Key("github.copilot.tokens_removed")
	keyMessagesRemoved = attribute.Key("github.copilot.messages_removed")
	keyEventsRemoved   = attribute.Key("github.copilot.events_removed")

	keyOutcome  = attribute.Key("parley.outcome")   // aborted, cancelled or unfinished: it did not end by itself
	keyWaited   = attribute.Key("parley.waited")    // seconds that a user was waited for
	keyQuestion = attribute.Key("parley.question")  // what was asked: the kind of the event
	keyTrigger  = attribute.Key("parley.trigger")   // why a summary was made
	keyRetry    = attribute.Key("parley.retry")     // why the model is called again
	keyAttempt  = attribute.Key("parley.attempt")   // which attempt has failed, from 1 on
	keyDelivery = attribute.Key("parley.delivery")  // how a message met the turn
	keyUser     = attribute.Key("parley.requested") // who wants a tool: the model, or a user
)

// The ways of parley.outcome.
const (
	aborted    = "aborted"    // a user stopped it
	cancelled  = "cancelled"  // its agent, or its question, was cancelled
	unfinished = "unfinished" // its end was not reported
)

// otherError is the class of an error that has no name (error.type).
const otherError = "_OTHER"

// maxIdentifier is how many bytes an identifier has at most.
const maxIdentifier = 128

// safeIdentifier is an identifier as it can be exported: one word of letters, digits and
// a few marks. Anything else may be content, a path or an address, and is not;
// "" stays "".
func safeIdentifier(id string) string { return safeWord(id, "._:+-") }

// safeModelName is the name of a model as it can be exported. It may have an owner and a
// date, but is no path to a file and no URL.
func safeModelName(name string) string {
	if strings.HasPrefix(name, "/") || strings.HasPrefix(name, ".") || strings.Contains(name, ":/") {
		return otherError
	}
	return safeWord(name, "._:+-/@")
}

// safeWord is a text of letters, digits and some marks, else the class of those that
// are none.
func safeWord(s, marks string) string {
	if len(s) > maxIdentifier || strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(marks, r)
	}) {
		return otherError
	}
	return s
}

// attrs collects the attributes of a span, without those that say nothing.
type attrs []attribute.KeyValue

// unless adds an attribute unless it says nothing.
func (a attrs) unless(nothing bool, kv attribute.KeyValue) attrs {
	if nothing {
		return a
	}
	return append(a, kv)
}

func (a attrs) id(key attribute.Key, value string) attrs {
	return a.unless(value == "", key.String(safeIdentifier(value)))
}

func (a attrs) model(key attribute.Key, name string) attrs {
	return a.unless(name == "", key.String(safeModelName(name)))
}

func (a attrs) count(key attribute.Key, value int) attrs { return a.unless(value == 0, key.Int(value)) }

func (a attrs) amount(key attribute.Key, value float64) attrs {
	return a.unless(value == 0, key.Float64(value))
}

// text is content: it is there only if content is exported, as valid UTF-8,
// which the wire form requires.
func (a attrs) text(on bool, key attribute.Key, value string) attrs {
	return a.unless(!on || value == "", key.String(validUTF8(value)))
}

func validUTF8(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// failed is the class of an error, if there was one.
func (a attrs) failed(class string) attrs {
	return a.id(semconv.ErrorTypeKey, class)
}
