package session

import (
	"net/url"
	"path/filepath"
	"strings"
)

// FileURL is the address of a file by its absolute path (RFC 8089, sections 2 and E.2).
func FileURL(path string) url.URL {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // else a drive would be taken for a host
	}
	return url.URL{Scheme: "file", Path: path}
}
