package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/rogpeppe/go-internal/robustio"
	"github.com/spf13/cobra"

	"parley/cli/agents"
	"parley/cli/output"
	"parley/cli/process"
	"parley/history/secrets"
	"parley/history/sessions"
	"parley/render"
	"parley/render/text"
	"parley/session"
	"parley/timeline"
)

// Formats are what --format takes.
var Formats = []string{"md", "html", "txt", "jsonl"}

// exportFlags are the flags of an export.
type exportFlags struct {
	format, output, turns string
	secrets, force        bool

	kind  render.ExportFormat // after check
	parts render.Range
}

// exportCommand writes a past session as a document.
func (p past) exportCommand() *cobra.Command {
	var o exportFlags
	cmd := &cobra.Command{
		Use:               "export ID",
		Short:             "Write a past session as Markdown, HTML, text or JSON lines",
		Args:              oneID,
		ValidArgsFunction: p.completeID,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := o.check(term.IsTerminal(p.Out.Fd())); err != nil {
				return err
			}
			return process.Fail(p.looking(func(ctx context.Context, l library) error { return p.export(ctx, l, args[0], o) }))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "", "the `form`: "+strings.Join(Formats, ", ")+" (default: by the name of --output, else md)")
	f.StringVar(&o.output, "output", "", "write it to this `file`, which must not be there yet (default: the standard output)")
	f.StringVar(&o.turns, "turns", "", "only these `turns`, by your prompts: 3, 3-5, 3-, -2, last (default: all)")
	f.BoolVar(&o.secrets, "no-redact", false, "leave what looks like a secret as it is")
	f.BoolVar(&o.force, "force", false, "write over a --output that is there already")
	return cmd
}

// check finds what the flags of an export cannot mean.
func (o *exportFlags) check(terminal bool) error {
	if o.output == "-" {
		o.output = ""
	}
	byName := render.ExportFormats()
	end := strings.ToLower(filepath.Ext(o.output))
	if o.format != "" {
		end = "." + o.format
		if !slices.Contains(Formats, o.format) {
			return fmt.Errorf("--format is %s, not %q", strings.Join(Formats, ", "), o.format)
		}
	}
	kind, known := byName[cmp.Or(end, ".md")]
	if !known {
		return fmt.Errorf("the name %s does not say which form; give --format: %s", o.output, strings.Join(Formats, ", "))
	}
	o.kind = kind
	switch {
	case kind == render.ExportHTML && o.output == "" && terminal:
		return errors.New("a page of HTML is nothing for a terminal; give it a file with --output")
	case o.force && o.output == "":
		return errors.New("--force is for --output; name a file with it")
	}
	var err error
	if o.parts, err = render.ParseRange(o.turns); err != nil {
		return fmt.Errorf("--turns: %w", err)
	}
	return nil
}

// export writes a past session.
func (p past) export(ctx context.Context, l library, id string, o exportFlags) error {
	s, err := find(ctx, l, id)
	if err != nil {
		return err
	}
	read := func() (io.ReadCloser, error) { return l.Read(ctx, s.ID) }
	t, err := p.timeline(s, read)
	if err != nil {
		return err
	}
	home, _ := os.UserHomeDir()
	agent := s.Agent
	if agent == agents.Copilot {
		agent = "Copilot CLI"
	}
	e := render.ExportOptions{
		Format: o.kind, Range: o.parts, Log: read, Title: s.Title, Agent: agent, Model: s.Model,
		Dir: cmp.Or(s.Dir, t.Status().Dir), Home: home, Location: p.zone,
	}
	var redactor secrets.Redactor
	err = redactor.Scan(ctx, func(each func(int, string)) error { return render.ExportTexts(t, e, each) })
	if err != nil {
		return fmt.Errorf("export session %s: %w", s.ID, err)
	}
	if !o.secrets {
		e.Redact = redactor.Redact
	}
	var done render.Exported
	err = p.into(o, func(w io.Writer) error {
		done, err = render.WriteExport(w, t, e)
		return err
	})
	if err != nil {
		return err
	}
	p.leaks(&redactor, !o.secrets)
	if done.Unreadable > 0 {
		process.Complain(p.Err, fmt.Errorf("%s could not be read and is left out", text.Count(done.Unreadable, "line")))
	}
	if o.output != "" {
		p.note(fmt.Sprintf("Written to %s, %s.", text.SanitizeLine(o.output), text.Size(int(done.Bytes))))
	}
	return nil
}

// timeline reads a session.
func (p past) timeline(s sessions.Session, read func() (io.ReadCloser, error)) (*timeline.Timeline, error) {
	in, err := read()
	if err != nil {
		return nil, fmt.Errorf("read session %s: %w", s.ID, err)
	}
	defer in.Close()
	t := timeline.New()
	return t, output.EachEvent(p.Console, in, "session "+string(s.ID), func(ev session.Event) { t.Apply(ev) })
}

// leaks reports which secrets a session holds.
func (p past) leaks(redactor *secrets.Redactor, redacted bool) {
	found := redactor.Found()
	if len(found) > 0 {
		what := "left out"
		if !redacted {
			what = "in it as they are"
		}
		p.note(fmt.Sprintf("What looks like a secret is %s:", what))
	}
	for _, l := range found {
		where := "before the first turn"
		if l.Turn > 0 {
			where = fmt.Sprintf("turn %d", l.Turn)
		}
		p.note("  " + plain(l.Kind+" "+l.Masked) + ", " + where)
	}
	if n := redactor.Unsearched(); n > 0 {
		p.note(fmt.Sprintf("It is long: %s of it was not looked through for secrets.", text.Size(n)))
	}
}

// into has do write to where an export goes. A file is there whole, for its owner
// only, or not at all.
func (p past) into(o exportFlags, do func(io.Writer) error) error {
	if o.output == "" {
		return do(p.Out)
	}
	switch there, err := os.Lstat(o.output); {
	case err != nil: // the next step says what
	case !there.Mode().IsRegular(): // a device, which would be lost to everybody
		return fmt.Errorf("%s is no plain file, and stays as it is; give another name", o.output)
	case !o.force:
		return errThere(o.output)
	}
	f, err := os.CreateTemp(filepath.Dir(o.output), ".parley-*")
	if err != nil {
		return fmt.Errorf("make the file: %w", err)
	}
	defer func() { _ = os.Remove(f.Name()) }() // unless it has its name by then
	if err := cmp.Or(do(f), f.Sync()); err != nil {
		_ = f.Close()
		return fmt.Errorf("write %s: %w", o.output, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write %s: %w", o.output, err)
	}
	if o.force {
		return robustio.Rename(f.Name(), o.output)
	}
	switch err := os.Link(f.Name(), o.output); {
	case errors.Is(err, fs.ErrExist):
		return errThere(o.output)
	case err != nil: // a file system without links
		return robustio.Rename(f.Name(), o.output)
	}
	return nil
}

func errThere(name string) error {
	return fmt.Errorf("%s is there already, and stays as it is; give another name, or --force", name)
}
