package config

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"strings"
)

// PublicAddress returns how clients see the root of the server, as far as configured: scheme and
// host, and the path.
func (c *Config) PublicAddress() (origin, basePath string, err error) {
	origin, basePath, err = splitPublicURL(c.PublicURL)
	if err != nil {
		return "", "", c.document.mistake("public_url", "%v", err)
	}
	if c.BasePath == "" {
		return origin, basePath, nil
	}
	own, err := cleanBasePath(c.BasePath)
	if err != nil {
		return "", "", c.document.mistake("base_path", "%v", err)
	}
	if c.PublicURL != "" && own != basePath {
		return "", "", c.document.mistake("base_path", "%q differs from the path of the public URL, %q", own, basePath)
	}
	return origin, own, nil
}

// cleanBasePath returns a path without a trailing slash; the root is "".
func cleanBasePath(text string) (string, error) {
	clean := strings.TrimRight(text, "/")
	u, err := url.Parse(text)
	if err != nil || !strings.HasPrefix(text, "/") || path.Clean(text) != cmp.Or(clean, "/") || u.EscapedPath() != text {
		return "", fmt.Errorf("%q is not a plain path such as /imagery", text)
	}
	return clean, nil
}

// splitPublicURL splits a public URL into scheme and host, and the path. For "" both are empty.
func splitPublicURL(text string) (origin, path string, err error) {
	if text == "" {
		return "", "", nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", "", fmt.Errorf("%q is not an address such as https://maps.example/path", text)
	}
	origin = u.Scheme + "://" + u.Host
	if text != origin+u.Path || u.EscapedPath() != u.Path {
		return "", "", fmt.Errorf("%q has more than a scheme, a host and a plain path", text)
	}
	return origin, strings.TrimRight(u.Path, "/"), nil
}
