package demo

import (
	"fmt"
	"os"
	"path/filepath"

	"parley/session"
)

// greetings are what the program in the scratch folder may say. The demo edits
// it from one to the other and back.
var greetings = [2]string{"hello from the demo", "hello, I was edited"}

// program is the text of hello.go.
func program(greeting string) string {
	return "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(\"" + greeting + "\")\n}\n"
}

// edit asks to change one line of hello.go, and does it.
func (t *turn) edit(name string) *tool {
	path := filepath.Join(t.s.scratch, name)
	from, to := greetings[0], greetings[1]
	if text, err := os.ReadFile(path); err == nil && string(text) == program(to) {
		from, to = to, from // without the file, nothing is changed in the end
	}
	diff := fmt.Sprintf("\ndiff --git a%[1]s b%[1]s\nindex 0000000..0000000 100644\n--- a%[1]s\n+++ b%[1]s\n@@ -3,5 +3,5 @@\n"+
		" import \"fmt\"\n \n func main() {\n-\tfmt.Println(\"%[2]s\")\n+\tfmt.Println(\"%[3]s\")\n }\n", path, from, to)
	c := newTool("edit", "Editing file", "change what hello.go says", map[string]string{"path": path, "old_str": from, "new_str": to})
	edits := []session.FileEditChange{{
		Before: &session.FileVersion{Path: path, Content: program(from)}, After: &session.FileVersion{Path: path, Content: program(to)},
	}}
	c.permits = []permit{{
		Needs: []grant{{grantWrite, ""}},
		Request: session.PermissionRequest{
			Kind: "write", Intention: "Edit file", FileName: path, Diff: diff, NewFileContents: program(to),
			FileEdits: edits, CanOfferSessionApproval: true,
		},
		Prompt: session.PromptRequest{
			Kind: "write", Intention: "Edit file", FileName: path, Diff: diff, NewFileContents: program(to),
			FileEdits: edits, CanOfferSessionApproval: true,
		},
	}}
	c.run = func(t *turn, _ *tool) session.ToolExecutionComplete {
		// What was approved is the change that was shown, and no other.
		if now, err := os.ReadFile(path); err != nil || string(now) != program(from) {
			return failure("failure", name+" is not what it was when you were asked, so nothing was changed.")
		}
		if err := os.WriteFile(path, []byte(program(to)), 0o600); err != nil {
			return failure("failure", fmt.Sprintf("The file could not be written: %v", err))
		}
		t.s.edited(name, program(from), program(to))
		complete := success(fmt.Sprintf("File %s updated with changes.", path))
		complete.Result.DetailedContent = diff
		complete.FileEdits = []session.FileEdit{{Path: path, Kind: "edit"}}
		return complete
	}
	return c
}

// view reads a file of the scratch folder.
func (t *turn) view(name string) session.ToolExecutionComplete {
	text, err := os.ReadFile(filepath.Join(t.s.scratch, name))
	if err != nil {
		return failure("failure", fmt.Sprintf("The file %s could not be read: %v", name, err))
	}
	return success(string(text))
}
