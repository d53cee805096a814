package main

import (
	"cmp"
	"net/url"
	"path"
	"strings"
)

// publicAddress is how clients see the root of the server, as far as that is configured: scheme
// and host, and the path.
func (c *config) publicAddress() (origin, basePath string, err error) {
	origin, basePath, err = splitPublicURL(c.PublicURL)
	if err != nil || c.BasePath == "" {
		return origin, basePath, err
	}
	own, err := cleanBasePath(c.BasePath)
	if err != nil {
		return "", "", err
	}
	if c.PublicURL != "" && own != basePath {
		return "", "", usageError("public-url has the path %q, and base-path says %q", basePath, own)
	}
	return origin, own, nil
}

// cleanBasePath is a path without a slash at the end; that of the root is empty.
func cleanBasePath(text string) (string, error) {
	clean := strings.TrimRight(text, "/")
	u, err := url.Parse(text)
	if err != nil || !strings.HasPrefix(text, "/") || path.Clean(text) != cmp.Or(clean, "/") || u.EscapedPath() != text {
		return "", usageError("base-path must be a plain path like /imagery, not %q", text)
	}
	return clean, nil
}

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
