// Package narrator says in lines of words what a window shows: each thing once, and what
// changes of it.
package narrator

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"parley/render"
	"parley/render/text"
	"parley/session"
	"parley/timeline"
)

// Places are how paths and times are said.
type Places struct {
	Home, Dir string
	Zone      *time.Location
}

// Entries says the entries of timelines as they end, those of a session once, also where it is
// opened again. The zero value has said nothing.
type Entries struct {
	of       *timeline.Timeline
	version  uint64
	progress timeline.Progress // through the entries that were said
	said     map[timeline.EntryID]bool
	coming   map[timeline.EntryID]*render.Speech // messages that are said as they come
	sessions map[session.ID]map[timeline.EntryID]bool
}

// turn turns to a timeline of a session; "" is one that is not known yet.
func (s *Entries) turn(t *timeline.Timeline, of session.ID) {
	if s.sessions == nil {
		s.sessions = map[session.ID]map[timeline.EntryID]bool{}
	}
	if t != s.of {
		*s = Entries{of: t, said: s.sessions[of], coming: map[timeline.EntryID]*render.Speech{}, sessions: s.sessions}
	}
	if s.said == nil {
		s.said = map[timeline.EntryID]bool{}
	}
	if of != "" {
		s.sessions[of] = s.said
	}
}

// mostSaid is how many entries are said where all came at once, as of a session that is
// resumed; of more those from the last prompt on are.
const mostSaid = 20

// Next returns the lines of the entries that have ended since it was called last, with
// sentences also those of the sentences that have. A prompt that the user has typed is not said
// to them.
func (s *Entries) Next(t *timeline.Timeline, of session.ID, typed string, sentences bool, in Places) (lines []string) {
	s.turn(t, of)
	if t.Version() == s.version {
		return nil
	}
	s.version = t.Version()
	if n := lastPrompt(t); len(s.said) == 0 && s.progress.Next(t) == 0 && n > 0 && t.Len() > mostSaid {
		for i := range n {
			s.said[t.At(i).ID] = true
			s.progress.Take(t.At(i))
		}
		lines = append(lines, text.Count(n, "earlier part")+" of the conversation: /export writes all of it to a file.")
	}
	o := render.ExportOptions{Home: in.Home, Dir: in.Dir, Location: in.Zone}
	ended := true
	for i := s.progress.Next(t); i < t.Len(); i++ {
		e := t.At(i)
		if ended = ended && e.State.Final(); ended {
			s.progress.Take(e)
		}
		if !s.said[e.ID] && !e.VerboseOnly {
			lines = append(lines, s.entry(e, typed, sentences, o)...)
		}
	}
	return lines
}

// entry returns what is new of an entry that was not said whole.
func (s *Entries) entry(e *timeline.Entry, typed string, sentences bool, o render.ExportOptions) []string {
	final := e.State.Final()
	if _, ok := e.Body.(*timeline.Message); ok && sentences && !final && s.coming[e.ID] == nil {
		s.coming[e.ID] = &render.Speech{}
	}
	s.said[e.ID] = final
	if coming := s.coming[e.ID]; coming != nil {
		if final {
			delete(s.coming, e.ID)
		}
		return coming.Next(e, o)
	}
	if p, ok := e.Body.(*timeline.Prompt); !final || ok && strings.TrimSpace(p.Text) == strings.TrimSpace(typed) {
		return nil
	}
	return render.Speak(e, o)
}

// lastPrompt returns where the last prompt of a timeline is; 0 if it has none.
func lastPrompt(t *timeline.Timeline) int {
	for i := t.Len() - 1; i > 0; i-- {
		if _, ok := t.At(i).Body.(*timeline.Prompt); ok {
			return i
		}
	}
	return 0
}

// Drawing says what is drawn, such as a card. The zero value has said nothing.
type Drawing struct {
	Of    any // what was said last; nil: nothing
	drawn []string
	lines []string
}

// Next returns the lines that are new in a drawing, as said says a line: all, if it is one of
// another thing than before.
func (d *Drawing) Next(of any, drawn []string, said func(string) string) (fresh []string) {
	if of != d.Of {
		*d = Drawing{Of: of}
	}
	if slices.Equal(drawn, d.drawn) {
		return nil
	}
	d.drawn = slices.Clone(drawn)
	var lines []string
	for _, row := range drawn {
		if l := said(row); l != "" {
			lines = append(lines, l)
		}
	}
	for _, l := range lines {
		if !slices.Contains(d.lines, l) {
			fresh = append(fresh, l)
		}
	}
	d.lines = lines
	return fresh
}

// Plain is a drawn line without colours and blanks around it.
func Plain(line string) string { return strings.TrimSpace(text.Unstyled(line)) }

// Spoken is Plain without the lines around it.
func Spoken(line string) string {
	line = scrollMark.ReplaceAllString(text.Unstyled(line), "")
	return strings.Trim(rule.ReplaceAllString(line, ", "), " \t|+,")
}

// Continues reports whether there is more below what is drawn.
func Continues(drawn []string) bool {
	return slices.ContainsFunc(drawn, func(l string) bool {
		return strings.HasSuffix(scrollMark.FindString(text.Unstyled(l)), "v")
	})
}

// scrollMark is in the last column of a part of a list or a text, where there is more above
// or below.
var scrollMark = regexp.MustCompile(` {2,}[v^]$`)

// rule is one between two texts, or alone.
var rule = regexp.MustCompile(` *-{3,} *`)
