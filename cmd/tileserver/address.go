package main

import (
	"net/url"
	"strings"
)

// splitPublicURL splits how clients see the root of the server into scheme and
// host, and the path; of "", both are empty.
func splitPublicURL(text string) (origin, path string, err error) {
	if text == "" {
		return "", "", nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", "", usageError("public-url must be like https://maps.example/path, not %q", text)
	}
	origin = u.Scheme + "://" + u.Host
	if text != origin+u.Path || u.EscapedPath() != u.Path {
		return "", "", usageError("public-url must have a scheme, a host and a plain path, and no more; %q has", text)
	}
	return origin, strings.TrimRight(u.Path, "/"), nil
}
