package generate

import "parley/session"

// stateDecisions are the decisions about questions, notices and what is around a turn.
var stateDecisions = []decision{
	{
		session.SessionCompactionStart{},
		"entry, status", "no",
		"the conversation is being summarised, and why",
		"timeline.TestCompactions",
	},
	{
		session.SessionCompactionComplete{},
		"part of an entry, status", "in part",
		"what was removed, with the summary and where the checkpoint is folded away, and its tokens in `/usage`; " +
			"the model reads the summary in place of what it had",
		"timeline.TestCompactions",
	},
	{
		session.SessionTruncation{},
		"entry", "no",
		"how many of the oldest messages the model does not see any more",
		"timeline.TestTruncations",
	},
	{
		session.SessionSnapshotRewind{},
		"entry", "no",
		"what was taken back goes from the timeline, and a line says to before which prompt; a log that is read again has neither",
		"timeline.TestRewind",
	},
	{
		session.SessionContextCleared{},
		"entry", "in part",
		"the agent's memory was cleared; the model reads the first message after it, if there is one",
		"timeline.TestTruncations",
	},
	{
		session.SessionUsageInfo{},
		"status", "no",
		"how full the context is, and with what: system prompt, tools, conversation; how many messages are in it",
		"timeline.TestContextAndQuotas",
	},
	{
		session.AssistantUsage{},
		"status", "no",
		"calls, tokens, time, premium requests and cost so far, by model, by who started the calls and item by item; what the plan " +
			"still gives; the prompt's share in its summary; that the provider's filter cut an answer off is a warning",
		"timeline.TestUsageByModel",
	},
	{
		session.SessionUsageCheckpoint{},
		"status", "no",
		"in a log that is read again, what the session has used of each model so far; a running one adds up `assistant.usage`",
		"timeline.TestStoredUsageByModel",
	},
	{
		session.SessionUsageRecord{},
		"status", "no",
		"in a log that is read again, what one call of a model used",
		"timeline.TestStoredUsage",
	},
	{
		session.PermissionRequested{},
		"part of an entry, question, status", "no",
		"the card that asks, and its call waits",
		"docs/generate.TestQuestions/permission.requested",
	},
	{
		session.PermissionCompleted{},
		"part of an entry, question, status", "as a result",
		"the card closes; the call goes on, or is refused: by whom, you, a rule, a policy, a hook, or because there was no user to " +
			"ask, and why; the summary of the turn counts them; an end without a result is neither",
		"docs/generate.TestQuestions/permission.completed,_refused",
	},
	{
		session.PermissionCarriedForward{},
		"minor entry", "no",
		"a receipt of older versions, which raised no question",
		"timeline.TestLimitsAndEarlierAnswers",
	},
	{
		session.UserInputRequested{},
		"part of an entry, question, status", "no",
		"the card with the question, and its call waits",
		"docs/generate.TestQuestions/user_input.requested",
	},
	{
		session.UserInputCompleted{},
		"part of an entry, question, status", "as a result",
		"the card closes; the answer is with the call; without a call it stays as an entry, which says “Answered” where the event does " +
			"not say more",
		"docs/generate.TestQuestions/user_input.completed",
	},
	{
		session.ElicitationRequested{},
		"question, status", "no",
		"the card with the form or the address",
		"docs/generate.TestQuestions/elicitation.requested",
	},
	{
		session.ElicitationCompleted{},
		"entry, question, status", "as a result",
		"the card closes; question and answer stay as one entry, or with the agent's own call that asked; “Answered” where the event " +
			"does not say more",
		"docs/generate.TestQuestions/elicitation.completed",
	},
	{
		session.ExitPlanModeRequested{},
		"question, status", "no",
		"the card with the plan; the model wrote it in its call",
		"docs/generate.TestQuestions/exit_plan_mode.requested",
	},
	{
		session.ExitPlanModeCompleted{},
		"entry, question, status", "as a result",
		"the card closes; the decision stays as an entry; “Answered” where the event does not say more",
		"docs/generate.TestQuestions/exit_plan_mode.completed",
	},
	{
		session.SamplingRequested{},
		"entry", "no",
		"refused, and a line says so: no server borrows the model",
		"prompts.TestRefusals",
	},
	{
		session.SamplingCompleted{},
		"nothing", "no",
		"the end of what was refused and told at once",
		"docs/generate.TestEventPlaces/sampling.completed",
	},
	{
		session.ExternalToolRequested{},
		"entry, part of an entry", "no",
		"the call, refused with a line: Parley brings no tools of its own",
		"prompts.TestRefusals",
	},
	{
		session.ExternalToolCompleted{},
		"part of an entry", "no",
		"the call ends, as answered; how, its own end says, where one comes",
		"timeline.TestToolsOfTheClient",
	},
	{
		session.CommandQueued{},
		"entry, minor entry", "no",
		"a line that says that the command was carried out, or left out. Carried out are, in a running session, where nothing else is " +
			"open and the draft is empty, and without words after them, the window's own commands that only show something: /help, " +
			"/keys, /session, /usage, /version, /todos, /list-dirs, /clear; never one that permits, sends, changes or ends anything",
		"tui.TestQueuedCommandsThatShow",
	},
	{
		session.CommandExecute{},
		"entry", "no",
		"refused, and a line says so",
		"prompts.TestRefusals",
	},
	{
		session.CommandCompleted{},
		"nothing", "no",
		"the end of what was refused and told at once",
		"docs/generate.TestEventPlaces/command.completed",
	},
	{
		session.McpOAuthRequired{},
		"question, status", "no",
		"the card that asks to sign in to a server",
		"docs/generate.TestQuestions/mcp.oauth_required",
	},
	{
		session.McpOAuthCompleted{},
		"entry, question, status", "no",
		"the card closes; how it ended stays as an entry",
		"docs/generate.TestQuestions/mcp.oauth_completed",
	},
	{
		session.McpOAuthRecoveryCompleted{},
		"entry", "no",
		"whether signing in to a server again has worked",
		"timeline.TestHowServicesWereAnswered",
	},
	{
		session.McpHeadersRefreshRequired{},
		"entry", "no",
		"refused, and a line says so",
		"prompts.TestRefusals",
	},
	{
		session.McpHeadersRefreshCompleted{},
		"nothing", "no",
		"the end of what was refused and told at once",
		"docs/generate.TestEventPlaces/mcp.headers_refresh_completed",
	},
	{
		session.AutoModeSwitchRequested{},
		"question, status", "no",
		"the card that offers another model at a limit",
		"docs/generate.TestQuestions/auto_mode_switch.requested",
	},
	{
		session.AutoModeSwitchCompleted{},
		"entry, question, status", "no",
		"the card closes; the decision stays as an entry",
		"docs/generate.TestQuestions/auto_mode_switch.completed",
	},
	{
		session.SessionLimitsExhaustedRequested{},
		"question, status", "no",
		"the card that asks whether to spend more",
		"docs/generate.TestQuestions/session_limits_exhausted.requested",
	},
	{
		session.SessionLimitsExhaustedCompleted{},
		"entry, question, status", "no",
		"the card closes; the decision stays as an entry",
		"docs/generate.TestQuestions/session_limits_exhausted.completed",
	},
	{
		session.FolderTrustRequested{},
		"question, status", "no",
		"the card that asks whether to trust the folder, and says what it would load",
		"prompts.TestTrust",
	},
	{
		session.FolderTrustCompleted{},
		"entry, question, status", "no",
		"the card closes; the decision stays as an entry",
		"timeline.TestReceipts",
	},
	{
		session.ConfirmationRequested{},
		"question, status", "no",
		"the card with the title and the message of what a chat agent wants confirmed; its data on request",
		"prompts.TestConfirmation",
	},
	{
		session.ConfirmationCompleted{},
		"entry, question, status", "in part",
		"the card closes; the decision stays as an entry, and the agent reads it with the next message, the data unchanged",
		"timeline.TestReceipts",
	},
	{
		session.References{},
		"entry", "yes",
		"under the answer, a line with the names of what it was made from; unfolded, icons, links, which are implicit, and the data. " +
			"One with incomplete metadata is not shown; the agent gets all of them back with its answer",
		"timeline.TestReferences",
	},
	{
		session.AgentError{},
		"entry", "no",
		"under the answer, the error by its type, with code, identifier and the name of what it is about; it ends nothing",
		"timeline.TestErrorsOfAgents",
	},
	{
		session.SessionInfo{},
		"entry", "no",
		"the remark, with its type and its link; that a turn was interrupted or a file made only where no abort and no call shows it",
		"timeline.TestEveryInfoIsShown",
	},
	{
		session.SessionWarning{},
		"entry", "no",
		"the warning, with its link and what to do",
		"timeline.TestRemedies",
	},
	{
		session.SessionError{},
		"entry", "no",
		"the error, with its status, its link and what to do next; never folded",
		"timeline.TestErrorsSayWhatToDo",
	},
	{
		session.SystemNotification{},
		"entry", "as a user message",
		"one line by its kind: what has finished, a message, instructions found; the model does not see `instruction_discovered`",
		"timeline.TestNotifications",
	},
	{
		session.SessionCustomNotification{},
		"entry", "no",
		"one line for each source and subject, with the name and the message of the last one; unfolded, its version and payload",
		"timeline.TestCustomNotifications",
	},
	{
		session.ModelCallFailure{},
		"entry, status", "no",
		"begins the line about the next attempt, where there will be one, with its status code; else that is on the error that follows",
		"timeline.TestRetryBeginsWithTheFailure",
	},
	{
		session.UiEphemeralQuery{},
		"nothing", "no",
		"the call that asks a question beside the conversation returns the answer too, and the window shows that",
		"docs/generate.TestEventPlaces/ui.ephemeral_query",
	},
	{
		session.SessionManagedSettingsEnforced{},
		"entry", "no",
		"which setting the organisation holds",
		"timeline.TestGoldens/hand/notices",
	},
	{
		session.SessionManagedPluginProgress{},
		"entry", "no",
		"which plugins the organisation requires and installs, in one line that says when they are ready",
		"timeline.TestRequiredPlugins",
	},
}
