package demo

import (
	"fmt"
	"os"
	"path/filepath"

	"parley/session"
)

// edit makes the change of a file that was approved, which is the one that was
// shown, and no other.
func (t *turn) edit(approved session.PermissionRequest) session.ToolExecutionComplete {
	path, name := approved.FileName, filepath.Base(approved.FileName)
	before, after := approved.FileEdits[0].Before.Content, approved.FileEdits[0].After.Content
	if now, err := os.ReadFile(path); err != nil || string(now) != before {
		return failure("failure", name+" is not what it was when you were asked, so nothing was changed.")
	}
	if err := os.WriteFile(path, []byte(after), 0o600); err != nil {
		return failure("failure", fmt.Sprintf("The file could not be written: %v", err))
	}
	t.s.edited(name, before, after)
	complete := success(fmt.Sprintf("File %s updated with changes.", path))
	complete.Result.DetailedContent = approved.Diff
	complete.FileEdits = []session.FileEdit{{Path: path, Kind: "edit"}}
	return complete
}

// view reads a file of the scratch folder.
func (t *turn) view(name string) session.ToolExecutionComplete {
	text, err := os.ReadFile(filepath.Join(t.s.scratch, name))
	if err != nil {
		return failure("failure", fmt.Sprintf("The file %s could not be read: %v", name, err))
	}
	return success(string(text))
}
