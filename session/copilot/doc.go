// Package copilot holds sessions with the GitHub Copilot CLI runtime: it starts
// the CLI as a JSON-RPC server on its standard input and output, or connects to
// one that listens on a TCP port, and speaks version 3 of its protocol.
//
// The RPC calls, their ids and cancellation are creachadair/jrpc2's. Session
// events do not pass through its client, which hands every message to a
// goroutine of its own and so keeps neither order nor back-pressure; they are
// taken out of the stream before it, in the order they came (see rpcChannel). Nor
// does it write: it would wait with its lock held while the runtime does not
// read (see rpcWriter).
package copilot
