package copilot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"parley/session"
)

// folderCommand runs a command of the runtime that goes to a folder or adds
// one. The runtime would load what the folder brings along without asking; what
// the session has for it does not. Other commands are not taken.
func (s *Session) folderCommand(ctx context.Context, name, input string) (r session.SlashResult, taken bool, err error) {
	input = strings.TrimSpace(input)
	if input == "" || name != "cwd" && name != "add-dir" {
		return session.SlashResult{}, false, nil
	}
	dir, err := s.written(input)
	if err != nil {
		return session.SlashResult{}, true, fmt.Errorf("find the folder %s: %w", input, err)
	}
	if name == "cwd" {
		return session.SlashResult{Text: "The working folder is " + dir + " now."}, true, s.SetDir(ctx, dir)
	}
	return session.SlashResult{Text: dir + " is open to the agent now."}, true, s.AddDir(ctx, dir)
}

// written is the folder that a user wrote down, from the working folder or
// from the home of the one who runs this program.
func (s *Session) written(dir string) (string, error) {
	if rest, home := strings.CutPrefix(dir, "~"); home && (rest == "" || strings.HasPrefix(rest, "/")) {
		from, err := os.UserHomeDir()
		return filepath.Join(from, rest), err
	}
	if filepath.IsAbs(dir) {
		return filepath.Clean(dir), nil
	}
	return filepath.Join(s.where().dir, dir), nil
}
