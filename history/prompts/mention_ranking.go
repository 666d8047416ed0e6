package prompts

import (
	"math"
	"slices"
	"strings"
	"time"

	"parley/history/mentions"
)

// halfLife is after how long a mention, or a command, counts half.
const halfLife = 14 * 24 * time.Hour

// Mentions are the paths that prompts of this repository, or folder, mention as
// @path, and how much each counts: one for a prompt of now, half for one of two
// weeks ago, and so on, all added up. A path is as it was written, without its
// quotes, lines and a slash at its end. It is safe for concurrent use.
func (p *History) Mentions(at Place, now time.Time) map[string]float64 {
	out := map[string]float64{}
	p.mu.RLock()
	defer p.mu.RUnlock()
	in := p.index.within(InRepository, at)
	for e := range p.index.all {
		if in[e.place] {
			for _, path := range p.index.texts[e.text].mentions {
				out[path] += weight(e.time, now)
			}
		}
	}
	return out
}

// Commands are the names of the slash commands that were entered anywhere, and how much
// each counts, as mentions do. It is safe for concurrent use.
func (p *History) Commands(now time.Time) map[string]float64 {
	out := map[string]float64{}
	p.mu.RLock()
	defer p.mu.RUnlock()
	for e := range p.index.all {
		if line, ok := strings.CutPrefix(p.index.texts[e.text].s, "/"); ok {
			name, _, _ := strings.Cut(line, " ")
			out[name] += weight(e.time, now)
		}
	}
	return out
}

// weight is how much a prompt counts that was sent at a time.
func weight(sent, now time.Time) float64 {
	return math.Exp2(-max(0, now.Sub(sent).Hours()) / halfLife.Hours())
}

// mentioned are the paths that a text mentions, each once.
func mentioned(text string) []string {
	var out []string
	for _, m := range mentions.Find(text) {
		if path := strings.TrimSuffix(m.Path, "/"); path != "" && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return slices.Clip(out)
}
