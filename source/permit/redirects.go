package permit

import (
	"net/http"
	"net/url"
	"strings"
)

// maxRedirects is how many redirects a request may follow.
const maxRedirects = 5

// Redirects decides where one request may go on.
type Redirects struct {
	Policy Policy

	// IsTrusted says that the operator named the address of the request. A redirect to another server
	// ends that: then the request goes on as one that somebody else made, with its connections.
	IsTrusted bool

	wasTrusted bool // at the beginning
	followed   int
}

// Follow decides whether the request goes on from one address to another. A trusted server may lead it to
// other addresses of its own, and to public servers: many keep their files elsewhere. Otherwise the address
// must be permitted. None may lead from https to http.
func (r *Redirects) Follow(from, to *url.URL) error {
	if why := r.whyNot(from, to); why != "" {
		return refused("redirect to "+redacted(to.String()), why)
	}
	r.followed++
	r.wasTrusted = r.wasTrusted || r.IsTrusted
	r.IsTrusted = r.IsTrusted && IsSameServer(from, to)
	switch {
	case r.IsTrusted:
		return nil
	case r.wasTrusted:
		return r.Policy.checkPublic(to.String())
	}
	_, err := r.Policy.Check(to.String())
	return err
}

// whyNot returns why no request may go on so, or "".
func (r *Redirects) whyNot(from, to *url.URL) string {
	switch {
	case r.followed >= maxRedirects:
		return "there were too many before"
	case to.Scheme != "http" && to.Scheme != "https":
		return "it leads to another scheme"
	case from.Scheme == "https" && to.Scheme != "https":
		return "it leads from https to http"
	case to.User != nil:
		return "it has a user or a password"
	}
	return ""
}

// IsSameServer reports whether two addresses lie on one server, which may be asked by http and by https.
func IsSameServer(a, b *url.URL) bool {
	return a.Hostname() != "" && strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

// portOf returns the port of an address. Those of http and https are one.
func portOf(u *url.URL) string {
	switch port := u.Port(); {
	case port == "", port == "80" && u.Scheme == "http", port == "443" && u.Scheme == "https":
		return ""
	default:
		return port
	}
}

// Portable returns the headers of a request that may go to another server: none that may prove to a server
// who asks. What is not known is not among them.
func Portable(header http.Header) http.Header {
	portable := make(http.Header)
	for _, name := range [...]string{
		"Accept", "Accept-Encoding", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Range", "User-Agent",
	} {
		if values := header.Values(name); len(values) > 0 {
			portable[name] = values
		}
	}
	return portable
}
