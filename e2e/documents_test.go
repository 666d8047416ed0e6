package e2e

import (
	"flag"
	"os"
	"testing"

	"parley/cli"
	"parley/cli/clitest"
	"parley/cli/process"
	"parley/docs/generate"
)

// TestDocuments compares the documents that derive from the program with what it
// generates, and the pictures of the README with the scenes that they were drawn
// from. With -update it writes the documents, plays the scenes and draws them.
func TestDocuments(t *testing.T) {
	t.Parallel()
	update := flag.Lookup("update").Value.String() == "true"
	documents, err := generate.Documents(os.DirFS("."), cli.CommandLine(process.Console{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documents {
		switch old, err := os.ReadFile(d.Path); {
		case err == nil && string(old) == d.Text:
		case update:
			clitest.Put(t, d.Path, d.Text)
		default:
			t.Errorf("%s is not what the program generates: make docs writes it (%v)", d.Path, err)
		}
	}
	if update {
		drawScenes(t)
		return
	}
	checkPictures(t)
}
