package handover

import (
	"slices"
	"strconv"
	"strings"
)

// Place is a place in a file. Line and Column count from 1; 0 is not known.
type Place struct {
	File         string // absolute
	Line, Column int
}

// EditorAt returns the command line that opens a file in the user's editor at a place.
// An editor with a window of its own needs no terminal, and is not waited for.
func EditorAt(env []string, p Place) (argv []string, window bool, err error) {
	command, err := FindEditor(env)
	if err != nil {
		return nil, false, err
	}
	flags := waitFlagsOf(command)
	command = slices.DeleteFunc(command, func(word string) bool { return slices.Contains(flags, word) })
	return append(command, p.words(editorName(command))...), flags != nil, nil
}

// words are those behind the command of an editor that open the place in it. An editor
// whose way to name a line is not known gets the file.
func (p Place) words(editor string) []string {
	i := slices.IndexFunc(placeWords, func(w placeWord) bool { return slices.Contains(strings.Fields(w.editors), editor) })
	if i < 0 || p.Line == 0 {
		return []string{p.File}
	}
	fill := strings.NewReplacer("LINE", strconv.Itoa(p.Line), "COLUMN", strconv.Itoa(max(1, p.Column)), "FILE", p.File)
	words := slices.Clone(placeWords[i].words)
	for i, word := range words {
		words[i] = fill.Replace(word)
	}
	return words
}

// placeWord is how some editors are given a place.
type placeWord struct {
	editors string
	words   []string
}

var placeWords = []placeWord{
	{"vim nvim gvim mvim", []string{"+call cursor(LINE,COLUMN)", "FILE"}},
	{"vi view nvi ex joe jed mg ne pico bbedit less", []string{"+LINE", "FILE"}},
	{"nano", []string{"+LINE,COLUMN", "FILE"}},
	{"emacs emacsclient kak micro gedit xed pluma", []string{"+LINE:COLUMN", "FILE"}},
	{"hx helix zed zeditor subl sublime_text atom pulsar", []string{"FILE:LINE:COLUMN"}},
	{"code code-insiders codium vscodium cursor windsurf positron", []string{"-g", "FILE:LINE:COLUMN"}},
	{"idea goland pycharm webstorm clion rustrover", []string{"--line", "LINE", "--column", "COLUMN", "FILE"}},
	{"mate", []string{"-l", "LINE:COLUMN", "FILE"}},
	{"kate", []string{"-l", "LINE", "-c", "COLUMN", "FILE"}},
}
