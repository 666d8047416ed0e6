package main

import (
	"runtime/debug"
	"strings"
)

// release is the version of this source tree.
const release = "0.1.0"

// version is the release, and where the binary was built from a repository,
// the revision: "0.1.0 (3f2a91c04d17, modified)".
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
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
		return release
	}
	return release + " (" + strings.Join(parts, ", ") + ")"
}
