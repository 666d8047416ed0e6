package session

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// MessageDelivery says how a message met the agent loop.
type MessageDelivery string

// The deliveries of user.message (docs/protocol.md, section 4.4).
const (
	DeliveredIdle     MessageDelivery = "idle"     // it started a turn
	DeliveredSteering MessageDelivery = "steering" // it was put into the running turn
	DeliveredQueued   MessageDelivery = "queued"   // it had waited for the running turn to end
)

// UserMessage is what a user, or the runtime in their name, sent to the agent.
// It arrives when the message is processed, not when it is sent.
type UserMessage struct {
	body
	Content            string       `json:"content"`
	MessageID          MessageID    `json:"messageId,omitzero"` // what Send returned for it
	TransformedContent string       `json:"transformedContent,omitzero"`
	Attachments        []Attachment `json:"attachments,omitzero"`
	// Source is empty for a user; otherwise "autopilot", "agent-<id>",
	// "command-<name>", "schedule-<id>" or another name.
	Source                           string          `json:"source,omitzero"`
	Delivery                         MessageDelivery `json:"delivery,omitzero"`
	AgentMode                        Mode            `json:"agentMode,omitzero"` // of this message only
	IsAutopilotContinuation          bool            `json:"isAutopilotContinuation,omitzero"`
	TurnID                           string          `json:"turnId,omitzero"`
	InteractionID                    string          `json:"interactionId,omitzero"`
	SupportedNativeDocumentMIMETypes []string        `json:"supportedNativeDocumentMimeTypes,omitzero"`
}

// nudge is how autopilot's message to an agent begins that has stopped without
// completing its task.
const nudge = "You have not yet marked the task as complete using the task_complete tool. " +
	"If you were planning, stop planning and start implementing. " +
	"You aren't done until you have fully completed the task."

// Nudges reports whether a message without a source is worded as autopilot's own.
// It is sure only together with what came before: the agent has stopped in
// autopilot mode, without completing its task. A message that a client sent has
// an id, and is never one.
func (m UserMessage) Nudges() bool {
	return m.Source == "" && m.MessageID == "" && len(m.Attachments) == 0 &&
		(m.AgentMode == "" || m.AgentMode == Autopilot) && strings.HasPrefix(strings.TrimSpace(m.Content), nudge)
}

// AssistantMessage is the complete answer of one model call. Text that was
// streamed for a message id without such an event is void: the call was
// retried or aborted.
type AssistantMessage struct {
	body
	MessageID            MessageID     `json:"messageId"`
	OriginatingMessageID MessageID     `json:"originatingMessageId,omitzero"` // of the user.message it answers
	Model                string        `json:"model,omitzero"`
	Content              string        `json:"content"` // "" for an answer that only calls tools
	ToolRequests         []ToolRequest `json:"toolRequests,omitzero"`
	ReasoningText        string        `json:"reasoningText,omitzero"`
	Phase                string        `json:"phase,omitzero"` // PhaseThinking, PhaseCutOff, or that of an answer
	OutputTokens         int           `json:"outputTokens,omitzero"`
	ChunkIndex           int           `json:"chunkIndex,omitzero"`
	ChunkCount           int           `json:"chunkCount,omitzero"`
	InteractionID        string        `json:"interactionId,omitzero"`
	TurnID               string        `json:"turnId,omitzero"`
	ParentToolCallID     CallID        `json:"parentToolCallId,omitzero"` // of the call that runs the sub-agent
	ReasoningOpaque      string        `json:"reasoningOpaque,omitzero"`  // encrypted, of Anthropic models
	EncryptedContent     string        `json:"encryptedContent,omitzero"` // encrypted, of OpenAI models
	// Attachments are the images, sounds and documents in the answer, which the content refers
	// to. They are Parley's own: only agents of the Agent Client Protocol answer with any.
	Attachments []Attachment `json:"attachments,omitzero"`
}

// The phases that change what a message is. Any other is a phase of an answer:
// "response", and "commentary" and "final_answer", which the runtime passes on
// from the OpenAI Responses API.
const (
	// PhaseThinking marks text that is thinking and no answer.
	PhaseThinking = "thinking"
	// PhaseCutOff marks an answer that broke off: what came of it is kept. It is
	// Parley's own.
	PhaseCutOff = "cut_off"
)

// ToolRequest is one call the model asks for in an AssistantMessage.
type ToolRequest struct {
	ToolCallID       CallID         `json:"toolCallId"`
	Name             string         `json:"name"`
	Arguments        jsontext.Value `json:"arguments,omitzero"` // an object; a string for type custom
	Type             string         `json:"type,omitzero"`      // function when absent, or custom
	ToolTitle        string         `json:"toolTitle,omitzero"`
	IntentionSummary string         `json:"intentionSummary,omitzero"`
	McpServerName    string         `json:"mcpServerName,omitzero"`
	McpToolName      string         `json:"mcpToolName,omitzero"`
	Extra            jsontext.Value `json:",embed"`
}

// AssistantMessageStart announces the id under which text will stream. In a
// turn that already streams, it voids the unfinished text. Ephemeral.
type AssistantMessageStart struct {
	body
	MessageID MessageID `json:"messageId"`
	Phase     string    `json:"phase,omitzero"`
}

// AssistantMessageDelta is a chunk to append to a message. Ephemeral.
type AssistantMessageDelta struct {
	body
	MessageID        MessageID `json:"messageId"`
	DeltaContent     string    `json:"deltaContent"`
	ParentToolCallID CallID    `json:"parentToolCallId,omitzero"`
}

// AssistantReasoning is a complete block of the model's thinking. The runtime
// sends it after the message it led to; other agents send it before.
type AssistantReasoning struct {
	body
	ReasoningID ReasoningID `json:"reasoningId"`
	Content     string      `json:"content"`
}

// AssistantReasoningDelta is a chunk to append to a reasoning block.
// Ephemeral.
type AssistantReasoningDelta struct {
	body
	ReasoningID  ReasoningID `json:"reasoningId"`
	DeltaContent string      `json:"deltaContent"`
}

// AssistantStreamingDelta counts the bytes of the response so far; it carries
// no text. Ephemeral.
type AssistantStreamingDelta struct {
	body
	TotalResponseSizeBytes int `json:"totalResponseSizeBytes"`
}

// AssistantToolCallDelta is a chunk of the raw JSON text of a call's
// arguments while the model still writes them. Ephemeral.
type AssistantToolCallDelta struct {
	body
	ToolCallID CallID `json:"toolCallId"`
	ToolName   string `json:"toolName,omitzero"`
	ToolType   string `json:"toolType,omitzero"` // function or custom
	InputDelta string `json:"inputDelta"`
}

// AssistantServerToolProgress is the state of a tool that runs at the model's
// provider, such as its web search. Ephemeral.
type AssistantServerToolProgress struct {
	body
	ToolKind string `json:"kind"`
	Status   string `json:"status"`
}

// SystemMessage is a system or developer prompt that was put into the model's
// context. The runtime sends it anew in every turn.
type SystemMessage struct {
	body
	Content  string          `json:"content"`
	Role     string          `json:"role"` // system or developer
	Name     string          `json:"name,omitzero"`
	Metadata *PromptMetadata `json:"metadata,omitzero"`
}

// PromptMetadata is the template that a system prompt was made from.
type PromptMetadata struct {
	PromptVersion string         `json:"promptVersion,omitzero"`
	Variables     jsontext.Value `json:"variables,omitzero"`
	Extra         jsontext.Value `json:",embed"`
}

// The kinds of messages.
const (
	KindUserMessage             Kind = "user.message"
	KindAssistantMessage        Kind = "assistant.message"
	KindAssistantMessageStart   Kind = "assistant.message_start"
	KindAssistantMessageDelta   Kind = "assistant.message_delta"
	KindAssistantReasoningDelta Kind = "assistant.reasoning_delta"
	KindAssistantStreamingDelta Kind = "assistant.streaming_delta"
	KindAssistantToolCallDelta  Kind = "assistant.tool_call_delta"
)

var messageCodecs = []codec{
	of[UserMessage](KindUserMessage),
	of[AssistantMessage](KindAssistantMessage),
	of[AssistantMessageStart](KindAssistantMessageStart),
	of[AssistantMessageDelta](KindAssistantMessageDelta),
	of[AssistantReasoning]("assistant.reasoning"),
	of[AssistantReasoningDelta](KindAssistantReasoningDelta),
	of[AssistantStreamingDelta](KindAssistantStreamingDelta),
	of[AssistantToolCallDelta](KindAssistantToolCallDelta),
	of[AssistantServerToolProgress]("assistant.server_tool_progress"),
	of[SystemMessage]("system.message"),
}
