package prompts

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/render/text"
)

// destroyers are the commands that delete or overwrite without a way back;
// deputies run others with more rights, whatever those are (docs/decisions.md 7).
var (
	destroyers = []string{
		"rm", "rmdir", "unlink", "shred", "dd", "truncate", "mkfs", "wipefs", "fdisk", "parted", "format", "del", "erase", "rd",
		"remove-item", "git clean",
	}
	deputies = []string{"sudo", "doas", "su", "runas"}
)

// hidesCharacters warns of a text that is not what it looks like.
const hidesCharacters = "Holds hidden or control characters; they are shown as ⟦…⟧."

// alerts are the reasons to be careful. With one of them, only once and no are
// offered (docs/decisions.md 7).
func (w *permissionRequest) alerts(home string) []string {
	var out []string
	for _, warning := range w.warnings {
		out = append(out, text.SanitizeShowHidden(warning))
	}
	if w.bypass {
		out = append(out, strings.TrimSuffix("Wants to run outside the sandbox: "+text.SanitizeShowHidden(w.bypassReason), ": "))
	}
	if w.redirects {
		out = append(out, "Writes its output into a file.")
	}
	marks := w.marks(home)
	for _, m := range marks {
		if m.name == "" {
			out = append(out, m.why)
		} else {
			out = append(out, quote(m.name)+" "+m.why)
		}
	}
	for _, c := range w.allCommands {
		name := programName(c)
		switch {
		case slices.ContainsFunc(marks, func(m mark) bool { return m.name == name || strings.HasPrefix(m.name, name+" ") }):
		case slices.Contains(destroyers, name) || strings.HasPrefix(name, "mkfs."):
			out = append(out, quote(c)+" deletes or overwrites, maybe for good.")
		case slices.Contains(deputies, name):
			out = append(out, quote(c)+" runs commands with more rights.")
		}
	}
	if w.deceptive() {
		out = append(out, hidesCharacters)
	}
	for _, a := range append([]string{w.url}, w.addresses...) {
		if reason := lookalike(a); reason != "" && !slices.Contains(out, reason) {
			out = append(out, reason)
		}
	}
	if len(w.conflicts) > 0 || w.commandsDiffer {
		out = append(out, "The agent describes this in two ways; both are shown.")
	}
	return out
}

// marks are those of the command, and of another that is asked for in its place.
func (w *permissionRequest) marks(home string) []mark {
	m := marker{home: home}
	m.text(w.command, 0)
	for _, c := range w.conflicts {
		if c.label == "command" || c.label == "part" {
			m.text(c.text, 0)
		}
	}
	if m.part {
		m.add("", "Not all of it was looked through for what is dangerous: it is too long, or nested too deep.")
	}
	return m.marks
}

// deceptive reports whether anything that is shown holds characters that do
// not show what they are.
func (w *permissionRequest) deceptive() bool {
	texts := []string{
		w.command, w.file, w.contents, w.path, w.url, w.server, w.tool, w.toolTitle, w.description, w.args, w.hookMessage,
		w.subject, w.fact, w.citations, w.reason, w.intention, w.rest, w.bypassReason, w.from,
	}
	if w.diff != "" {
		texts[2] = unixLines(w.diff)
	}
	texts = slices.Concat(texts, w.dirs, w.paths, w.addresses, w.readOnly, w.allCommands, w.warnings, w.otherFields)
	for _, c := range w.conflicts {
		texts = append(texts, c.text)
	}
	return slices.ContainsFunc(texts, text.HasHiddenChars)
}

// unixLines takes the CR from a diff whose content lines all have one: the
// headers never do, and a file with CRLF line ends hides nothing.
func unixLines(diff string) string {
	header := true
	for line := range strings.Lines(diff) {
		line = strings.TrimSuffix(line, "\n")
		if header || strings.HasPrefix(line, `\`) {
			header = !strings.HasPrefix(line, "@@")
			continue
		}
		if line != "" && !strings.HasPrefix(line, "@@") && !strings.HasSuffix(line, "\r") {
			return diff
		}
	}
	return strings.ReplaceAll(diff, "\r\n", "\n")
}

// lookalike returns why the host of an address may not be what it looks like; ""
// when it is.
func lookalike(address string) string {
	if address == "" {
		return ""
	}
	u, err := url.Parse(address)
	if err != nil {
		return "This address cannot be read: " + text.SanitizeShowHidden(address)
	}
	if u.User != nil {
		return "The host is " + quote(u.Host) + "; what comes before the @ is not."
	}
	if odd := oddHost(address); odd != "" {
		return odd
	}
	if strings.ContainsFunc(u.Hostname(), func(r rune) bool { return r >= utf8.RuneSelf }) {
		return "The host holds letters that look like others: " + quote(u.Hostname()) // it is too long for a host
	}
	return ""
}

// oddHost says which letters of the host of an address may look like others; "" if none do.
func oddHost(address string) string {
	letters, ascii, odd := text.OddHost(address)
	if !odd {
		return ""
	}
	return fmt.Sprintf("The host holds letters that may look like others (%s): %s is %s.",
		oddLetters(letters), quote(letters), quote(ascii))
}

// oddLetters are those of a text beyond ASCII, each once and with its number in
// Unicode: on the screen it may be the very letter that it looks like.
func oddLetters(text string) string {
	var odd []string
	for _, r := range text {
		if s := fmt.Sprintf("%c %U", r, r); r >= utf8.RuneSelf && !slices.Contains(odd, s) {
			odd = append(odd, s)
		}
	}
	return strings.Join(odd, ", ")
}
