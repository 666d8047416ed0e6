package session

import "sync"

// ToolFamily groups the tools that do the same thing under different names.
type ToolFamily uint8

// The families. OtherTool is every tool that is not in the table, and every tool
// of an MCP server: what those do does not follow from their names.
const (
	OtherTool     ToolFamily = iota
	RunCommand               // runs a command in a shell
	ReadShell                // reads what a command in the background printed
	WriteShell               // types into one
	StopShell                // ends one
	ListShells               // lists them
	ReadFile                 // shows a file
	EditFile                 // changes a part of a file
	CreateFile               // writes a file that was not there
	WriteFile                // writes a whole file
	DeleteFile               // removes a file
	PatchFiles               // applies a patch, perhaps to several files
	FileEditor               // shows, changes or creates a file: its argument "command" says which
	SearchText               // searches in files for a pattern
	SearchCode               // searches in files for a meaning
	FindFiles                // finds files by their names
	ListFolder               // lists a folder
	ReadManual               // reads the documentation of the agent itself
	FetchPage                // fetches an address
	SearchWeb                // searches the web
	RunAgent                 // delegates to a sub-agent
	ReadAgent                // reads what a sub-agent in the background answered
	WriteAgent               // writes to one
	ListAgents               // lists them
	QueryDatabase            // queries a database of the session
	UpdateTodos              // changes the list of what is to be done
	ReportIntent             // says what the agent is about to do
	StoreMemory              // remembers a fact
	LoadSkill                // loads a skill
	AskUser                  // asks the user a question
	ExitPlan                 // asks the user to approve a plan
	FinishTask               // says that the task is done
	toolFamilies  = iota
)

// pathArguments are the names by which tools call the path of a file.
var pathArguments = []string{"path", "file_path", "filePath", "filename", "target_file", "absolute_path"}

// toolTable is the one place that knows tools by their names: those of the
// Copilot CLI and the usual names of their kin. Subject are the names of the
// argument that says what a call works on, the usual one first.
var toolTable = [toolFamilies]struct{ tools, subject []string }{
	RunCommand: {
		[]string{
			"bash", "shell", "powershell", "local_shell", "run_in_terminal", "run_command", "execute_command", "exec_command",
			"run_shell_command", "run_terminal_cmd", "terminal",
		},
		[]string{"command", "cmd", "script"},
	},
	ReadShell:  {[]string{"read_bash", "read_powershell", "get_terminal_output"}, []string{"shellId"}},
	WriteShell: {[]string{"write_bash", "write_powershell"}, []string{"shellId"}},
	StopShell:  {[]string{"stop_bash", "stop_powershell"}, []string{"shellId"}},
	ListShells: {[]string{"list_bash", "list_powershell"}, nil},

	ReadFile: {[]string{"view", "read", "read_file", "show_file", "open_file", "view_file"}, pathArguments},
	EditFile: {
		[]string{
			"edit", "edit_file", "str_replace", "replace", "replace_in_file", "replace_string_in_file", "insert_edit_into_file",
			"search_replace", "multi_edit",
		},
		pathArguments,
	},
	CreateFile: {[]string{"create", "create_file"}, pathArguments},
	WriteFile:  {[]string{"write", "write_file", "write_to_file"}, pathArguments},
	DeleteFile: {[]string{"delete", "delete_file", "remove_file"}, pathArguments},
	PatchFiles: {[]string{"apply_patch", "apply_diff"}, pathArguments},
	FileEditor: {[]string{"str_replace_editor", "str_replace_based_edit_tool"}, pathArguments},

	SearchText: {
		[]string{"grep", "rg", "search", "grep_search", "search_files", "search_file_content"},
		[]string{"pattern", "query", "regex"},
	},
	SearchCode: {[]string{"semantic_code_search", "semantic_search", "codebase_search"}, []string{"query"}},
	FindFiles:  {[]string{"glob", "find", "file_search", "find_files", "glob_file_search"}, []string{"pattern", "query", "glob_pattern"}},
	ListFolder: {
		[]string{"ls", "list_dir", "list_directory", "list_files"},
		[]string{"path", "relative_workspace_path", "target_directory", "directory"},
	},
	ReadManual: {[]string{"fetch_copilot_cli_documentation"}, nil},
	FetchPage:  {[]string{"web_fetch", "fetch", "fetch_url", "fetch_webpage"}, []string{"url", "uri"}},
	SearchWeb:  {[]string{"web_search", "google_web_search", "search_web"}, []string{"query", "search_term"}},

	RunAgent:   {[]string{"task", "agent"}, []string{"description"}},
	ReadAgent:  {[]string{"read_agent"}, []string{"agent_id"}},
	WriteAgent: {[]string{"write_agent"}, []string{"agent_id", "agent_ids", "scope"}},
	ListAgents: {[]string{"list_agents"}, nil},

	QueryDatabase: {[]string{"sql", "session_store_sql"}, []string{"description", "query"}},
	UpdateTodos:   {[]string{"update_todo"}, nil},
	ReportIntent:  {[]string{"report_intent"}, []string{"intent"}},
	StoreMemory:   {[]string{"store_memory", "save_memory"}, []string{"fact", "subject"}},
	LoadSkill:     {[]string{"skill"}, []string{"skill"}},
	AskUser:       {[]string{"ask_user"}, []string{"question", "message"}},
	ExitPlan:      {[]string{"exit_plan_mode"}, []string{"summary"}},
	FinishTask:    {[]string{"task_complete"}, []string{"summary"}},
}

// familyByTool is toolTable by the names of the tools.
var familyByTool = sync.OnceValue(func() map[string]ToolFamily {
	families := map[string]ToolFamily{}
	for f, row := range toolTable {
		for _, tool := range row.tools {
			families[tool] = ToolFamily(f)
		}
	}
	return families
})

// FamilyOf returns the family of a tool that is not of an MCP server.
func FamilyOf(tool string) ToolFamily { return familyByTool()[tool] }

// Subject returns the names by which the tools of the family call the argument
// that says what they work on, the usual one first; nil if there is no such
// argument. Callers must not modify it.
func (f ToolFamily) Subject() []string {
	if int(f) >= len(toolTable) {
		return nil
	}
	return toolTable[f].subject
}

// ChangesFiles reports whether the tools of the family change files.
func (f ToolFamily) ChangesFiles() bool { return f >= EditFile && f <= FileEditor }

// editArguments are the names by which tools that change files call a text that
// is replaced, the text in its place, and the whole text of a file.
var editArguments = [...][]string{
	{"old_str", "old_string", "oldString", "old_text"},
	{"new_str", "new_string", "newString", "new_text", "insert_text"},
	{"file_text", "content", "contents"},
}

// EditArguments returns the names of the arguments that hold a text that is
// replaced, the text in its place, and the whole text of a file. Callers must not
// modify them.
func EditArguments() (before, after, whole []string) {
	return editArguments[0], editArguments[1], editArguments[2]
}
