package tui

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// TestSaveBlock: s writes the bytes that a block came with to files of their own,
// and says where; what cannot be written is an error.
func TestSaveBlock(t *testing.T) {
	t.Parallel()
	wav := base64.StdEncoding.EncodeToString([]byte("RIFF sound"))
	sc := played(t, nil, "")
	dir := t.TempDir()
	sc.m.win.Front.Info.Dir = dir
	sc.say(session.Event{Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "beep"}})
	sc.say(session.Event{Body: session.ToolExecutionComplete{ToolCallID: "c", Success: true, Result: &session.ToolResult{
		Contents: []session.ContentBlock{
			{Type: "audio", MIMEType: "audio/wav", Data: wav},
			{Type: "audio", MIMEType: "audio/wav", Data: base64.StdEncoding.EncodeToString([]byte("another"))},
			{Type: "resource", Resource: &session.EmbeddedResource{URI: "mem://a/report.pdf", MIMEType: "application/pdf", Blob: wav}},
			{Type: "audio", MIMEType: "audio/wav", Data: "no base64!"},
		},
	}}})
	sc.m.win.Front.Nav.Browse()
	if hints := strings.Join(sc.screen(), "\n"); !strings.Contains(hints, "s save") {
		t.Errorf("nothing says how:\n%s", hints)
	}
	sc.pressed("s")
	for name, want := range map[string]string{"audio.wav": "RIFF sound", "audio-2.wav": "another", "report.pdf": "RIFF sound"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if files, _ := os.ReadDir(dir); len(files) != 3 {
		t.Errorf("there are %v", files)
	}
	screen := strings.Join(sc.screen(), "\n")
	if !strings.Contains(screen, "audio.wav, audio-2.wav, report.pdf") || !strings.Contains(screen, "save 1 file") {
		t.Errorf("got:\n%s", screen)
	}
	if sc.pressed("s"); len(sc.m.win.Front.Hinted()) > 0 {
		t.Errorf("hint %q", sc.m.win.Front.Hinted())
	}
	if _, err := os.Stat(filepath.Join(dir, "audio-3.wav")); err != nil {
		t.Error("a second time it was not saved anew")
	}
}

func TestNothingToSave(t *testing.T) {
	t.Parallel()
	sc := played(t, nil, "blocks.txt")
	sc.m.win.Front.Nav.Browse()
	if sc.pressed("s"); !strings.Contains(sc.m.win.Front.Hinted(), "There is no image, sound or document in it to save.") {
		t.Errorf("hint %q", sc.m.win.Front.Hinted())
	}
}
