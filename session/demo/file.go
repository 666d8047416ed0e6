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
func (t *turn) edit() (*tool, error) {
	path := filepath.Join(t.s.scratch, "hello.go")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("look at the file to edit: %w", err)
	}
	from, to := greetings[0], greetings[1]
	if string(text) == program(to) {
		from, to = to, from
	}
	diff := fmt.Sprintf("\ndiff --git a%[1]s b%[1]s\nindex 0000000..0000000 100644\n--- a%[1]s\n+++ b%[1]s\n@@ -3,5 +3,5 @@\n"+
		" import \"fmt\"\n \n func main() {\n-\tfmt.Println(\"%[2]s\")\n+\tfmt.Println(\"%[3]s\")\n }\n", path, from, to)
	c := newTool("edit", "Editing file", "change what hello.go says", map[string]string{"path": path, "old_str": from, "new_str": to})
	edits := []session.FileEditChange{{
		Before: &session.FileVersion{Path: path, Content: program(from)}, After: &session.FileVersion{Path: path, Content: program(to)},
	}}
	c.permits = []permit{{
		needs: []grant{{grantWrite, ""}},
		request: session.PermissionRequest{
			Kind: "write", Intention: "Edit file", FileName: path, Diff: diff, NewFileContents: program(to),
			FileEdits: edits, CanOfferSessionApproval: true,
		},
		prompt: session.PromptRequest{
			Kind: "write", Intention: "Edit file", FileName: path, Diff: diff, NewFileContents: program(to),
			FileEdits: edits, CanOfferSessionApproval: true,
		},
	}}
	c.run = func(t *turn, _ *tool) (session.ToolExecutionComplete, error) {
		// What was approved is the change that was shown, and no other.
		if now, err := os.ReadFile(path); err != nil || string(now) != program(from) {
			return failure("failure", "hello.go is not what it was when you were asked, so nothing was changed."), t.ctx.Err()
		}
		if err := os.WriteFile(path, []byte(program(to)), 0o600); err != nil {
			return failure("failure", fmt.Sprintf("The file could not be written: %v", err)), t.ctx.Err()
		}
		t.s.edited("hello.go", program(from), program(to))
		complete := success(fmt.Sprintf("File %s updated with changes.", path))
		complete.Result.DetailedContent = diff
		complete.FileEdits = []session.FileEdit{{Path: path, Kind: "edit"}}
		return complete, t.ctx.Err()
	}
	return c, nil
}

// playWrite asks to change a file and shows how.
func (t *turn) playWrite() error {
	return t.write("I ask to change a file of my scratch folder. The card shows the change line by line: `y` allows it once, " +
		"`s` every file change of this session, `n` refuses.")
}

func (t *turn) write(before string) error {
	c, err := t.edit()
	if err != nil {
		return t.call(reply{text: "The file to edit is gone from the scratch folder, so there is nothing to show."})
	}
	return t.show(before, c, "The file is changed, and the change stays in the timeline; `ctrl+o` shows it whole.")
}

// view reads a file of the scratch folder.
func view(name string) *tool {
	c := newTool("view", "Viewing file", "view the file "+name, map[string]string{"path": name})
	c.run = func(t *turn, _ *tool) (session.ToolExecutionComplete, error) {
		text, err := os.ReadFile(filepath.Join(t.s.scratch, name))
		complete := success(string(text))
		if err != nil {
			complete = failure("failure", fmt.Sprintf("The file %s could not be read: %v", name, err))
		}
		return complete, t.ctx.Err()
	}
	return c
}

// playRead asks to read a file of the scratch folder.
func (t *turn) playRead() error {
	path := filepath.Join(t.s.scratch, "notes.md")
	c := view("notes.md")
	c.permits = []permit{{
		needs:   []grant{{grantRead, ""}},
		request: session.PermissionRequest{Kind: "read", Intention: "Read file: " + path, Path: path},
		prompt:  session.PromptRequest{Kind: "read", Intention: "Read file: " + path, Path: path},
	}}
	return t.show("I ask to read a file of my scratch folder. `y` allows it once, `s` reading for this session.", c,
		"I have read my notes.")
}

// playPath asks for a file outside the scratch folder. It is never read.
func (t *turn) playPath() error {
	const path, folder = "/etc/hosts", "/etc"
	c := newTool("view", "Viewing file", "view the file at "+path, map[string]string{"path": path})
	c.permits = []permit{{
		needs:   []grant{{grantPath, path}},
		request: session.PermissionRequest{Kind: "read", Intention: "Read file: " + path, Path: path},
		prompt: session.PromptRequest{
			Kind: "path", AccessKind: "read", Paths: []string{path}, ReadOnlyDirectories: []string{folder},
		},
	}}
	c.run = pretend("The demo never leaves its scratch folder: " + path + " was not read.")
	return t.show("I ask for a file **outside** my folder, which a real agent needs your word for. Whatever you say, I only "+
		"pretend to read it.", c, "I pretended: nothing outside the scratch folder was touched.")
}

// playPermissions asks for everything that can be asked for.
func (t *turn) playPermissions() error {
	for _, play := range []func(*turn) error{
		(*turn).playWrite, (*turn).playRead, (*turn).playPath, (*turn).playURL, (*turn).playMCP,
		(*turn).playMemory, (*turn).playCustom, (*turn).playDanger,
	} {
		if err := play(t); err != nil {
			return err
		}
	}
	return nil
}
