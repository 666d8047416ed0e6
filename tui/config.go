package tui

import "parley/tui/conversation"

// What a window needs from the program around it, as its conversations use it.
type (
	// Config is all of it.
	Config = conversation.Config
	// Backend is an agent that conversations can be held with.
	Backend = conversation.Backend
	// Preferences are what the user prefers, as their files say it now.
	Preferences = conversation.Preferences
	// Examination draws what was found out about Parley and what is around it, in lines of a
	// width.
	Examination = conversation.Examination
	// Scene is where a mistake happened, as far as the window knows.
	Scene = conversation.Scene
)
