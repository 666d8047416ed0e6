package generate

import "parley/session"

// sessionDecisions are the decisions about settings, catalogues and the session itself.
var sessionDecisions = []decision{
	{
		session.SessionModeChanged{},
		"entry, status", "no",
		"the mode; the change is one line, and several in a row are one",
		"timeline.TestSettingsAreToldOnce",
	},
	{
		session.SessionModeNoticeDelivered{},
		"minor entry", "as a user message",
		"what the model was told of the mode, if it was told it apart from a prompt",
		"timeline.TestWhatTheModelIsTold",
	},
	{
		session.SessionModelChange{},
		"entry, status", "no",
		"the model and its effort; the change is one line",
		"timeline.TestSettingsAreToldOnce",
	},
	{
		session.SessionModelDeselected{},
		"entry, status", "no",
		"the model is no longer offered, and what to do",
		"timeline.TestGoldens/hand/settings",
	},
	{
		session.SessionAutoModeResolved{},
		"status", "no",
		"the model that was chosen",
		"tui.TestPlacesBesideTheTimeline/chosen_model",
	},
	{
		session.SessionAutoTierSwitchFailed{},
		"entry", "no",
		"that the model could not be switched, and why",
		"timeline.TestOtherSettings",
	},
	{
		session.SessionPermissionsChanged{},
		"entry, status", "no",
		"who decides about permissions; loud when nobody is asked",
		"timeline.TestPermissionModes",
	},
	{
		session.SessionSessionLimitsChanged{},
		"entry", "no",
		"how much the session may spend",
		"timeline.TestLimitsAndEarlierAnswers",
	},
	{
		session.SessionPlanChanged{},
		"entry", "no",
		"that the plan was written, changed or removed",
		"timeline.TestGoldens/session_rpc_side_effects",
	},
	{
		session.SessionWorkspaceFileChanged{},
		"minor entry", "no",
		"a file of the session's own folder, such as notes; the call that wrote it is there",
		"timeline.TestOtherSettings",
	},
	{
		session.SessionScheduleCreated{},
		"entry", "no",
		"what is to be done, and when",
		"timeline.TestSchedules",
	},
	{
		session.SessionScheduleCancelled{},
		"entry", "no",
		"that the schedule has ended",
		"timeline.TestGoldens/schedule_every_and_stop",
	},
	{
		session.SessionScheduleRearmed{},
		"minor entry", "no",
		"when the schedule runs next",
		"timeline.TestOtherSettings",
	},
	{
		session.SessionToolsUpdated{},
		"panel, status", "no",
		"the list of servers, or of a server's tools, that is open in `/mcp` is read again, and a hint names the model; in `/session`, " +
			"when that was",
		"tui.TestToolsAreReadAgain",
	},
	{
		session.SessionSkillsLoaded{},
		"status", "no",
		"the skills that are on, in `/status`",
		"timeline.TestCatalog",
	},
	{
		session.SessionCustomAgentsUpdated{},
		"entry, status", "no",
		"the custom agents, in `/status`; what is wrong with their files is told once",
		"timeline.TestCatalog",
	},
	{
		session.SessionExtensionsLoaded{},
		"entry, status", "no",
		"the extensions and how they do, in `/status`; one that fails is told once",
		"timeline.TestCatalog",
	},
	{
		session.SessionMcpServersLoaded{},
		"entry, status", "no",
		"the MCP servers and how they do; trouble is in the status line, and that a server does not work is told once",
		"timeline.TestCatalog",
	},
	{
		session.SessionMcpServerStatusChanged{},
		"entry, status", "no",
		"how the server does; that it fails or wants signing in is told once until it works again",
		"timeline.TestServers",
	},
	{
		session.SessionMcpServerToolsLoaded{},
		"status", "no",
		"how many tools the server offers, in `/status`",
		"timeline.TestCatalog",
	},
	{
		session.SessionMcpServerRemoved{},
		"status", "no",
		"the server goes from the list",
		"timeline.TestCatalog",
	},
	{
		session.SessionMcpServerNeedsReconnect{},
		"entry, status", "no",
		"that the server has lost its connection",
		"timeline.TestServers",
	},
	{
		session.McpToolsListChanged{},
		"nothing", "no",
		"only that a server's list is another; it is read whenever somebody asks for it",
		"docs/generate.TestEventPlaces/mcp.tools.list_changed",
	},
	{
		session.McpResourcesListChanged{},
		"nothing", "no",
		"the same as of `mcp.tools.list_changed`",
		"docs/generate.TestEventPlaces/mcp.resources.list_changed",
	},
	{
		session.McpPromptsListChanged{},
		"nothing", "no",
		"the same as of `mcp.tools.list_changed`",
		"docs/generate.TestEventPlaces/mcp.prompts.list_changed",
	},
	{
		session.CommandsChanged{},
		"panel", "no",
		"the agent's slash commands, in completion and palette",
		"tui.TestPlacesBesideTheTimeline/commands",
	},
	{
		session.CapabilitiesChanged{},
		"nothing", "no",
		"what clients of the runtime can show; Parley told it so",
		"docs/generate.TestEventPlaces/capabilities.changed",
	},
	{
		session.SessionStart{},
		"status", "no",
		"model, folder, git root, repository and branch",
		"timeline.TestStatusOfSettings",
	},
	{
		session.SessionResume{},
		"entry, status", "no",
		"“Resumed”, and with which other model; what was open is closed, with its summary",
		"timeline.TestResumeSaysWithWhat",
	},
	{
		session.SessionShutdown{},
		"entry, status", "no",
		"the closing card: changes in code, models, requests, time; and the summary of a prompt that was open; the model that was selected",
		"timeline.TestClosing",
	},
	{
		session.SessionTitleChanged{},
		"status, title", "no",
		"the session's title, in the title of the window",
		"tui.TestPlacesBesideTheTimeline/title",
	},
	{
		session.SessionContextChanged{},
		"entry, status", "no",
		"folder, git root, repository and branch; another folder is one line",
		"timeline.TestWorkingFolder",
	},
	{
		session.SessionHandoff{},
		"entry", "no",
		"where the session comes from, and what was done there",
		"timeline.TestHandoff",
	},
	{
		session.SessionRemoteSteerableChanged{},
		"entry", "no",
		"whether the session can be steered from elsewhere",
		"timeline.TestOtherSettings",
	},
}
