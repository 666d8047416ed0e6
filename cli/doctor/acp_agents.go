package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"parley/cli/agents"
	"parley/settings"
)

// acpPatience is how long agents may take to start, all side by side.
const acpPatience = 15 * time.Second

// acpFindings judge the agents that speak the Agent Client Protocol and are installed.
// They are started, and no session is opened: whether one is signed in, it says only then.
func acpFindings(ctx context.Context, prefer settings.Settings, env []string) (all findings) {
	ctx, cancel := context.WithTimeout(ctx, acpPatience)
	defer cancel()
	for _, p := range agents.Probe(ctx, prefer, env) {
		if p.Err != nil {
			all.note(p.Option, p.Err.Error(), fmt.Sprintf("Run the agent by itself, then `parley --agent %s`.", p.Option))
			continue
		}
		says := fmt.Sprintf("%s, starts in %.1f s", p.Name, p.Start.Seconds())
		if len(p.SignIn) > 0 {
			says += "; signs in with " + strings.Join(p.SignIn, ", ")
		}
		all.ok(p.Option, says)
	}
	return all
}
