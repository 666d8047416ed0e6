package session_test

import (
	"testing"

	"parley/session"
)

// TestFamilyOf: the documented names of tools and the runtime's own are
// known, and no others are guessed.
func TestFamilyOf(t *testing.T) {
	t.Parallel()
	for family, tools := range map[session.ToolFamily][]string{
		session.RunCommand:    {"bash", "powershell", "shell", "local_shell", "run_command", "execute_command", "run_in_terminal"},
		session.ReadFile:      {"view", "read_file"},
		session.EditFile:      {"edit", "edit_file", "str_replace"},
		session.CreateFile:    {"create", "create_file"},
		session.WriteFile:     {"write", "write_file"},
		session.DeleteFile:    {"delete_file"},
		session.PatchFiles:    {"apply_patch"},
		session.FileEditor:    {"str_replace_editor"},
		session.SearchText:    {"grep", "rg", "grep_search", "search_files"},
		session.FindFiles:     {"glob", "file_search"},
		session.ListFolder:    {"list_dir", "list_directory"},
		session.FetchPage:     {"fetch", "web_fetch"},
		session.QueryDatabase: {"sql"},
		session.OtherTool:     {"", "Bash", "get_weather", "tst-echo", "read_files"},
	} {
		for _, tool := range tools {
			if got := session.FamilyOf(tool); got != family {
				t.Errorf("%q: %d, want %d", tool, got, family)
			}
		}
	}
	for f := range session.ToolFamily(255) {
		want := f == session.EditFile || f == session.CreateFile || f == session.WriteFile || f == session.DeleteFile ||
			f == session.PatchFiles || f == session.FileEditor
		if f.ChangesFiles() != want {
			t.Errorf("%d changes files: %v", f, !want)
		}
		f.Subject() // of a family that does not exist, too
	}
}
