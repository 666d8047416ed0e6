package prompts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/prompts/schema"
	"parley/session"
)

// shownMembers are the members of a question, by the kind of the card, that its payload
// shows.
var shownMembers = map[string][]string{
	kindShell: {"fullCommandText"},
	kindWrite: {"fileName", "diff", "newFileContents", "fileEdits"},
	kindRead:  {"path"},
	kindPath: {
		"path", "paths", "accessKind", "readOnlyDirectories", "fullCommandText", "fileName", "diff", "newFileContents", "fileEdits",
	},
	kindURL:        {"url", "fullCommandText"},
	kindMCP:        toolMembers,
	kindCustomTool: toolMembers,
	kindHook:       toolMembers,
	kindMemory:     {"subject", "fact", "citations", "reason"},
}

var toolMembers = []string{"serverName", "toolName", "toolTitle", "toolDescription", "args", "toolArgs", "hookMessage"}

// alwaysShownMembers are the members that every card shows in its own words, and those
// that are of no use to a user.
var alwaysShownMembers = []string{
	"kind", "toolCallId", "intention", "warning", "redirectedFrom", "commands", "commandIdentifiers", "commandSegments",
	"possiblePaths", "possibleUrls", "hasWriteFileRedirection", "requestSandboxBypass", "requestSandboxBypassReason",
	"managedApprovalRequired", "canOfferSessionApproval", "canOfferServerWideApproval", "canPersistApproval", "hookMessage", "reason",
	"readOnly", "skipPermission", "shellType", "approvalKey", "assistedApproval", "permissionRecommendation",
}

// mergeRest keeps what has no place on a card of this kind, so that nothing
// that is approved goes unsaid: a kind without a payload of its own shows all of
// it, the others name what else is there. Unknown members are a
// detail there.
func (w *permissionRequest) mergeRest(p session.PromptRequest, a session.PermissionRequest) {
	shown, own := shownMembers[w.kind]
	if own {
		w.rest = joinJSON(pretty(withoutInternal(p.Extra)), pretty(withoutInternal(a.Extra)))
		p.Extra, a.Extra = nil, nil
	}
	first, second := unshownMembers(p, shown), unshownMembers(a, shown)
	if !own {
		w.rest = joinJSON(pretty(first.Raw()), pretty(second.Raw()))
		return
	}
	for _, m := range append(first, second...) {
		said := m.Name + ": " + plain(m.Value)
		if said != "action: store" && !slices.Contains(w.otherFields, said) { // the title says that one
			w.otherFields = append(w.otherFields, said)
		}
	}
}

// unshownMembers are the members of a form of a question that are neither in shown nor
// alwaysShownMembers. What cannot be written as JSON is one text.
func unshownMembers(form any, shown []string) schema.Object {
	raw, err := json.Marshal(form, schema.AnyJSON(), jsontext.AllowInvalidUTF8(true))
	o, ok := schema.Members(raw)
	if err != nil || !ok {
		return schema.Object{{Name: "request", Value: schema.Quoted(strings.ToValidUTF8(fmt.Sprintf("%+v", form), "\ufffd"))}}
	}
	o = o.Without(alwaysShownMembers...).Without(shown...)
	return slices.DeleteFunc(o, func(m schema.Member) bool { return string(m.Value) == "null" })
}

// internal reports whether a member is the runtime's own bookkeeping, which it marks with
// an underscore. Arguments of a tool are not members of the question, and a kind that
// is not known hides nothing.
func internal(m schema.Member) bool { return strings.HasPrefix(m.Name, "_") }

// withoutInternal is an object without the internal members; nil if it has no others.
func withoutInternal(raw jsontext.Value) jsontext.Value {
	o, ok := schema.Members(raw)
	if !ok {
		return raw
	}
	if o = slices.DeleteFunc(o, internal); len(o) == 0 {
		return nil
	}
	return o.Raw()
}
