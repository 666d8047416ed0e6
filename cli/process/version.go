package process

import (
	"runtime/debug"
	"strings"
)

// Release is the version of this source tree.
const Release = "0.1.0"

// Version is the release, and where the binary was built from a repository,
// the revision: "0.1.0 (3f2a91c04d17, modified)".
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Release
	}
	return describe(info.Settings)
}

func describe(settings []debug.BuildSetting) string {
	var parts []string
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			parts = append(parts, s.Value[:min(12, len(s.Value))])
		case s.Key == "vcs.modified" && s.Value == "true":
			parts = append(parts, "modified")
		}
	}
	if len(parts) == 0 {
		return Release
	}
	return Release + " (" + strings.Join(parts, ", ") + ")"
}
