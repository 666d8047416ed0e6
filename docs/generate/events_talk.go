package generate

import "parley/session"

// talkDecisions are the decisions about what is said and done in a turn.
var talkDecisions = []decision{
	{
		session.UserMessage{},
		"entry, status", "yes",
		"the prompt with its attachments and their lines, titles and links; a steering or queued one says so; one of another source, " +
			"autopilot's own too where it names none, is shown as that source's; an empty one begins a turn without a bubble",
		"render.TestPrompts",
	},
	{
		session.AssistantMessage{},
		"entry, status", "yes",
		"the answer, and the calls that it asks for; it replaces what was streamed; one of the phase \"thinking\" is shown as a " +
			"thought. Its output tokens count in `/usage` where the log has no usage records",
		"timeline.TestMessages",
	},
	{
		session.AssistantMessageStart{},
		"status", "no",
		"the status says that the agent answers; text of a broken attempt goes",
		"timeline.TestUnfinishedTextIsVoid",
	},
	{
		session.AssistantMessageDelta{},
		"entry, status", "no",
		"the answer as it grows; the whole message takes its place",
		"timeline.TestMessages",
	},
	{
		session.AssistantReasoning{},
		"part of an entry", "no",
		"the thought, before the answer it led to, in any order of their events; the model gets its own sealed form back with the message",
		"timeline.TestThoughtsStandOnceBeforeTheirMessage",
	},
	{
		session.AssistantReasoningDelta{},
		"entry", "no",
		"the thought as it grows",
		"timeline.TestThoughtsStandOnceBeforeTheirMessage",
	},
	{
		session.AssistantStreamingDelta{},
		"nothing", "no",
		"a count of bytes, one for each piece of text that is shown as it comes",
		"docs/generate.TestEventPlaces/assistant.streaming_delta",
	},
	{
		session.AssistantToolCallDelta{},
		"entry, status", "no",
		"the call, with its arguments as the model writes them",
		"timeline.TestACallIsBornAnywhere",
	},
	{
		session.AssistantServerToolProgress{},
		"status", "no",
		"that a tool of the model's provider runs, such as its web search; the answer tells what came of it",
		"timeline.TestDoing",
	},
	{
		session.SystemMessage{},
		"minor entry", "as a system prompt",
		"the prompt; the runtime sends it in each turn, and one that is like the last makes no entry",
		"timeline.TestWhatTheModelIsTold",
	},
	{
		session.ToolUserRequested{},
		"entry, status", "in part",
		"a call that the user made, of a shell or of any other tool, marked as theirs; the turn does not wait for it; " +
			"the model reads it with its output, in the user's name, when it has ended",
		"docs/generate.TestToolsOfTheUser",
	},
	{
		session.ToolExecutionStart{},
		"entry, status", "no",
		"the call runs: what it does, and for how long; the model asked for it in its message",
		"timeline.TestCallOutcomes",
	},
	{
		session.ToolExecutionPartialResult{},
		"part of an entry", "no",
		"the output so far: what the event holds is added to it (an increment, as documented), or takes its place (a snapshot, " +
			"as the runtime sends it); what was sent before tells which",
		"timeline.TestLiveOutput",
	},
	{
		session.ToolShellOutput{},
		"part of an entry", "no",
		"more output at the end of the call's",
		"timeline.TestLiveOutput",
	},
	{
		session.ToolExecutionProgress{},
		"part of an entry", "no",
		"the line under the call that says how far it is, in place of the one before; it goes with the end of the call",
		"timeline.TestProgressOfACall",
	},
	{
		session.ToolExecutionComplete{},
		"part of an entry, status", "as a result",
		"the result in its fullest form (`detailedContent`, else `content`, and what only `contents` has), in place of what " +
			"streamed, or the error with its code; how and where a command ended; changed files, pictures, sounds, documents, " +
			"links; the model reads its `content`, not the fuller text",
		"timeline.TestEndOfACall",
	},
	{
		session.ToolSearchActivated{},
		"minor entry", "in part",
		"which tools were found and added; the model may call these from then on",
		"timeline.TestWhatTheModelIsTold",
	},
	{
		session.McpAppToolCallComplete{},
		"entry", "no",
		"what a server's app did by itself, and whether it failed",
		"timeline.TestCallsOfInterfaces",
	},
	{
		session.SessionBinaryAsset{},
		"nothing", "in part",
		"it holds the bytes of a picture or a sound, once; the call or the prompt that refers to it shows it",
		"timeline.TestPicturesOfCalls",
	},
	{
		session.AssistantTurnStart{},
		"status", "no",
		"busy; the number of turns of the root agent, and of the calls of models by all agents",
		"timeline.TestDoing",
	},
	{
		session.AssistantTurnEnd{},
		"entry, status", "no",
		"in a stored log, the end of being busy and the summary of the prompt; a running session waits for `assistant.idle`",
		"timeline.TestTurnEndOfAStoredLog",
	},
	{
		session.AssistantTurnRetry{},
		"entry, status", "no",
		"one line for all attempts: why, which attempt it is, and when it is made",
		"timeline.TestRetriesAreOneLine",
	},
	{
		session.AssistantIntent{},
		"status", "no",
		"what the agent says it is doing",
		"timeline.TestDoing",
	},
	{
		session.AssistantIdle{},
		"entry, status", "no",
		"the agent has stopped and takes input; the summary says what the prompt led to, as a minor entry " +
			"if it was soon done and called no tool",
		"timeline.TestAgentIsIdle",
	},
	{
		session.SessionIdle{},
		"entry, panel, status", "no",
		"nothing runs any more; what it says still runs in the background is in the status line and in `/tasks`; the summary, if it " +
			"was not told",
		"timeline.TestSessionIsIdle",
	},
	{
		session.Abort{},
		"entry, part of an entry, status", "in part",
		"“Interrupted” and the reason, each reason once; the text so far stays and is marked, and the model will not see it; " +
			"of its open calls it reads that they were interrupted",
		"timeline.TestAbortIsToldOnce",
	},
	{
		session.AgentInterrupted{},
		"nothing", "no",
		"figures of what was cut off, for the runtime's makers; `abort` has told it",
		"docs/generate.TestEventPlaces/agent.interrupted",
	},
	{
		session.SessionTaskComplete{},
		"entry", "no",
		"that the task is complete or blocked, with the agent's summary; being idle is another thing",
		"timeline.TestTaskComplete",
	},
	{
		session.SessionAutopilotStopped{},
		"entry", "no",
		"why autopilot stopped: its limit, an error; that the task is complete was told",
		"timeline.TestGoldens/hand/notices",
	},
	{
		session.SessionAutopilotObjectiveChanged{},
		"status", "no",
		"whether autopilot works towards its goal: active, paused, at its limit, completed",
		"timeline.TestObjective",
	},
	{
		session.PendingMessagesModified{},
		"panel, badge", "no",
		"the queue is read again: the prompts that wait, under the timeline, and their number in the status line",
		"tui.TestPlacesBesideTheTimeline/queue",
	},
	{
		session.SessionBackgroundTasksChanged{},
		"panel, badge", "no",
		"the list of tasks is read again: the number of shells and agents in the status line, and `/tasks`",
		"tui.TestPlacesBesideTheTimeline/tasks",
	},
	{
		session.SessionTodosChanged{},
		"panel", "no",
		"the to-do list is read again, under the timeline and in `/todos`",
		"tui.TestPlacesBesideTheTimeline/todos",
	},
	{
		session.SessionPermissionRecovery{},
		"minor entry", "no",
		"what autopilot tries after a refusal, and that it is stuck",
		"timeline.TestLimitsAndEarlierAnswers",
	},
	{
		session.SubagentStarted{},
		"part of an entry, status", "no",
		"the call becomes the sub-agent's line: its name, kind and model, what it does, for how long",
		"timeline.TestSubagentEnds",
	},
	{
		session.SubagentConfigured{},
		"part of an entry", "no",
		"the model that the sub-agent really runs on, in its line",
		"timeline.TestSubagentLine",
	},
	{
		session.SubagentCompleted{},
		"part of an entry, status", "as a result",
		"the line says that the sub-agent is done, with its calls, tokens and time",
		"timeline.TestSubagentEnds",
	},
	{
		session.SubagentFailed{},
		"part of an entry, status", "as a result",
		"the failure and its reason in the line, never folded; a line of its own when the call had returned",
		"timeline.TestSubagentFailuresAreLoud",
	},
	{
		session.SubagentSelected{},
		"entry, status", "no",
		"which custom agent handles the conversation; unfolded, and in `/session`, its internal name and its tools",
		"timeline.TestCustomAgents",
	},
	{
		session.SubagentDeselected{},
		"entry, status", "no",
		"the default agent handles the conversation again",
		"timeline.TestCustomAgents",
	},
	{
		session.SkillInvoked{},
		"entry", "as a user message",
		"the skill that was loaded and what it may do without asking; the text of one that the user named is a part of the prompt",
		"timeline.TestSkills",
	},
	{
		session.SkillInvokedRef{},
		"entry", "as a user message",
		"the same, of a skill whose text is in the log already",
		"timeline.TestSkills",
	},
	{
		session.SkillContextDelivered{},
		"minor entry", "as a user message",
		"the text of the skill as the model got it",
		"timeline.TestSkills",
	},
	{
		session.SkillContextDeliveredRef{},
		"nothing", "as a user message",
		"it names text that `skill.context_delivered` or `skill.invoked` has told",
		"timeline.TestSkills",
	},
	{
		session.HookStart{},
		"minor entry, status", "no",
		"which hook runs and for which tool; the status says so when nothing else runs",
		"timeline.TestHooks",
	},
	{
		session.HookProgress{},
		"part of an entry", "no",
		"what the running hook says",
		"timeline.TestHooks",
	},
	{
		session.HookEnd{},
		"part of an entry, status", "in part",
		"that the hook ran, with its output; one that failed shows at any density. What it refuses or adds reaches the model",
		"timeline.TestHooks",
	},
	{
		session.WorkflowRunStarted{},
		"entry", "no",
		"a workflow runs: its name",
		"timeline.TestWorkflows",
	},
	{
		session.WorkflowRunUpdated{},
		"nothing", "no",
		"a number that grows with each step; what a step does is told by its own events",
		"timeline.TestWorkflows",
	},
	{
		session.WorkflowRunSettled{},
		"part of an entry", "no",
		"how the workflow ended, with its agents and time",
		"timeline.TestWorkflows",
	},
}
