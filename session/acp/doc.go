// Package acp chats with agents that speak the Agent Client Protocol, version 1
// (agentclientprotocol.com), over the standard input and output of a program that is
// started here: Gemini CLI, opencode, the adapters of Claude Code and Codex, and others.
//
// An agent remembers a conversation itself, but what it gives back of one has neither times
// nor all that was said. So the log is Parley's own: talk turns what an agent says into events,
// and a Store keeps them.
package acp
