package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/cli/arguments"
	"parley/settings/didyoumean"
	"parley/tui/keymap"
)

const (
	signInAdvice = "sign in with `copilot login`, or with /login in the window"
	updateAdvice = "`npm install -g @github/copilot@latest` updates the Copilot CLI; Parley is updated as it was installed"
	noSuchThing  = "`parley --help` lists those of Parley"
)

// peerCommands are the commands of other chats with agents that are none here, and what
// to do instead. A name of the slash commands needs no row: it is one in the window.
var peerCommands = map[string]string{
	"acp":         noSuchThing,
	"apply":       noSuchThing,
	"attach":      noSuchThing,
	"auth":        signInAdvice,
	"chat":        "`parley` alone opens the window",
	"cloud":       noSuchThing,
	"continue":    "`parley --continue` resumes the last session of this folder",
	"exec":        "`parley -p PROMPT` answers without a window",
	"explain":     "say what is to be explained, as in parley 'explain main.go'",
	"extensions":  noSuchThing,
	"history":     "`parley sessions` shows the past sessions",
	"init":        "/init in the window writes the agent's instruction file",
	"install":     "`npm install -g @github/copilot` installs the Copilot CLI",
	"login":       signInAdvice,
	"plugin":      noSuchThing,
	"resume":      "`parley --resume ID` resumes a session, and `parley -r` lists them",
	"review":      "say what is to be reviewed, as in parley 'review my last commit'",
	"run":         "`parley -p PROMPT` answers without a window",
	"serve":       noSuchThing,
	"server":      noSuchThing,
	"settings":    "`parley config` shows the settings, and /settings in the window changes them",
	"setup-token": signInAdvice,
	"suggest":     "say what the command is to do, as in parley 'suggest a command that finds large files'",
	"uninstall":   noSuchThing,
	"update":      updateAdvice,
	"upgrade":     updateAdvice,
	"web":         noSuchThing,
}

// peerFlags are flags of other chats with agents, and which ones do that here.
var peerFlags = map[string]string{
	"C":                            "--cwd",
	"add-dir":                      "/add-dir in the window",
	"allow-all-tools":              "--allow-all",
	"dangerously-skip-permissions": "--allow-all",
	"i":                            "a prompt without a flag",
	"interactive":                  "a prompt without a flag",
	"m":                            "--model",
	"output-format":                "--output",
	"v":                            "--version",
	"V":                            "--version",
	"yolo":                         "--allow-all",
}

// meantCommand returns what to do instead of a word that is more likely a command than a
// prompt: a misspelt one of ours, one in the window, or one of another program. It returns ""
// for any other word.
func meantCommand(cmd *cobra.Command, word string) string {
	if strings.ContainsFunc(word, unicode.IsSpace) {
		return ""
	}
	word = strings.TrimPrefix(word, "/")
	names, window := arguments.Names(cmd), keymap.Commands()
	if slash, ok := keymap.Find(window, word); ok && !slices.Contains(names, word) && peerCommands[word] == "" {
		return fmt.Sprintf("/%s is one in the window", slash.Slash)
	}
	others := slices.Concat(slices.Sorted(maps.Keys(peerCommands)), keymap.SlashNames(window))
	like := cmp.Or(didyoumean.Misspelt(word, names), didyoumean.Misspelt(word, others))
	slash, _ := keymap.Find(window, like)
	switch {
	case like == "":
		return ""
	case slices.Contains(names, like):
		return fmt.Sprintf("did you mean `parley %s`?", like)
	case peerCommands[like] != "":
		return peerCommands[like]
	}
	return fmt.Sprintf("did you mean /%s, which is one in the window?", slash.Slash)
}

// onePrompt accepts one argument at most: a prompt of several words is one argument in
// quotes. A word that may be meant as a command is a prompt behind "--" only, so that a
// mistake starts no agent.
func onePrompt(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 1 && strings.TrimSpace(args[0]) == "":
		return errors.New("the prompt is empty; leave it out to start without one")
	case len(args) == 0:
		return nil
	}
	meant := ""
	if cmd.ArgsLenAtDash() != 0 {
		meant = meantCommand(cmd, args[0])
	}
	if len(args) == 2 {
		meant = strings.Replace(meant, " ID`", " "+args[1]+"`", 1)
	}
	switch {
	case meant != "" && len(args) == 1:
		return fmt.Errorf("there is no command %q: %s (`parley -- %s` sends it as a prompt)", args[0], meant, args[0])
	case meant != "":
		return fmt.Errorf("there is no command %q: %s (a prompt of several words needs quotes)", args[0], meant)
	case len(args) == 1:
		return nil
	}
	return fmt.Errorf("a prompt is one argument; put it in quotes: parley %q", strings.Join(args, " "))
}

// flagError returns what is wrong with a flag of the chat: it may be one of a command that
// does not exist, or of another program.
func flagError(cmd *cobra.Command, err error) error {
	if args := cmd.Flags().Args(); !cmd.HasParent() && len(args) > 0 && meantCommand(cmd, args[0]) != "" {
		return onePrompt(cmd, args)
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && !cmd.HasParent() && peerFlags[unknown.GetSpecifiedName()] != "" {
		return fmt.Errorf("%w; did you mean %s?", err, peerFlags[unknown.GetSpecifiedName()])
	}
	return arguments.FlagError(cmd, err)
}
