package settings

// Keys are a person's own key bindings, over those of a preset.
type Keys struct {
	// Preset is whose keys are the defaults: copilot, claude, codex or gemini.
	Preset string `toml:"preset"`
	// Bindings are the keys of actions, by the action's name. An action with no
	// keys has none; one that is not named keeps its own.
	Bindings map[string][]string `toml:"bindings"`
}
