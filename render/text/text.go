// Package text is what everything that is drawn is made with: how wide a text is,
// where its lines break, what of it is cut off, the spans of a line and their
// styles, and numbers in words. It holds the sanitiser: whatever came from an
// agent, a tool, a file or the network goes through Sanitize or one of its kin
// before it reaches the terminal.
package text
