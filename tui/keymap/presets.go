package keymap

// presets are the keys of other programs, as far as they differ and are not
// dangerous here. None answers a question, and none
// changes what is allowed: ctrl+y is no way to that.
var presets = map[string]map[string][]string{
	"copilot": nil,
	"claude": {
		"todo-band":    {"ctrl+t", "leader t"},
		"reasoning":    {"leader r"},
		"background":   {"ctrl+b", "leader b"},
		"letters.back": {"left"},
	},
	"codex": {
		"complete":       {},
		"complete-queue": {"tab"},
		"expand":         {"ctrl+t"},
		"reasoning":      {"leader r"},
		"copy":           {"ctrl+o"},
		"clear":          {"ctrl+l"},
		"redraw":         {"leader ctrl+l"},
	},
	"gemini": {
		"complete":       {},
		"complete-queue": {"tab"},
		"todo-band":      {"ctrl+t", "leader t"},
		"reasoning":      {"leader r"},
		"mouse":          {"ctrl+s", "leader m"},
		"stash":          {"leader k"},
		"background":     {"ctrl+b", "leader b"},
		"letters.back":   {"left"},
		"clear":          {"ctrl+l"},
		"redraw":         {"leader ctrl+l"},
	},
}

// PresetNames are the presets a file of keys can name; the first is what holds
// without one.
func PresetNames() []string { return []string{"copilot", "claude", "codex", "gemini"} }
