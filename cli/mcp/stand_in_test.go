package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// role makes the test binary an MCP server.
const role = "PARLEY_TEST_MCP"

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "edit" {
		if err := edit(os.Args[2], os.Args[3]); err != nil {
			panic(err)
		}
		return
	}
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run())
	case "broken":
		fmt.Fprintln(os.Stderr, "no such thing: \x1b[31mKEY\x1b[0m")
		os.Exit(1)
	case "silent":
		time.Sleep(10 * time.Minute)
	case "chatty":
		//nolint:forbidigo // a program that is no MCP server
		fmt.Println("\nready on \x1b[31mport 80, token=ghp_abcdefghijklmnopqrstuvwxyz0123456789\nsecond line")
		os.Exit(0)
	case "quiet":
		os.Exit(0)
	}
	if err := server().Run(context.Background(), &sdk.StdioTransport{}); err != nil {
		os.Exit(1)
	}
}

// edits are what an editor does: it puts a text in the place of an old one, or of all, and a text in another file.
type edits struct{ Old, New, Other, Text string }

// edit carries out the edits of a file in another one.
func edit(script, file string) error {
	var does edits
	what, err := os.ReadFile(script)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(what, &does); err != nil {
		return err
	}
	if does.Other != "" {
		err = os.WriteFile(does.Other, []byte(does.Text), 0o600)
	}
	if does.New != "" {
		changed := strings.Replace(string(text), cmp.Or(does.Old, string(text)), does.New, 1)
		err = errors.Join(err, os.WriteFile(file, []byte(changed), 0o600))
	}
	return err
}
