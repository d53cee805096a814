package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"tileserver/source"
)

// Plain is the service of web servers: an address is the URL of an object. It lists no folders.
type Plain struct {
	Proof Proof // in each request; nil is none
}

// Proof is headers that prove who asks. Its methods are safe for concurrent use, and return soon.
type Proof interface {
	// Header returns the headers, which nobody changes.
	Header() http.Header

	// Renew is told that a server refused them, and reports whether they are others now.
	Renew() (isNew bool)
}

var _ Service = Plain{}

// Canonical returns the address with scheme and host in lower case, without a default port and a fragment.
func (Plain) Canonical(path string) string {
	u, err := parse(path)
	if err != nil {
		return path
	}
	u.Scheme, u.Host, u.Fragment, u.RawFragment = strings.ToLower(u.Scheme), strings.ToLower(u.Host), "", ""
	if port := u.Port(); port == "443" && u.Scheme == "https" || port == "80" && u.Scheme == "http" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	return u.String()
}

// Locate returns the address as a URL.
func (Plain) Locate(path string) (*url.URL, error) {
	u, err := parse(path)
	if err != nil {
		return nil, err
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

func parse(path string) (*url.URL, error) {
	u, err := url.Parse(path)
	if err != nil || u.Host == "" || !source.IsWeb(path) {
		return nil, fmt.Errorf("source: %s is no address of a web server, such as https://example.org/ortho.tif", source.Redacted(path))
	}
	return u, nil
}

// Sign adds the headers, and the user and password of the address.
func (p Plain) Sign(_ context.Context, r *http.Request) error {
	if p.Proof != nil {
		for name, values := range p.Proof.Header() {
			r.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	if user := r.URL.User; user != nil {
		password, _ := user.Password()
		r.SetBasicAuth(user.Username(), password)
	}
	return nil
}

// Learn renews the headers if a server refuses them.
func (p Plain) Learn(_ context.Context, refused Refusal) bool {
	isAboutThem := refused.Status == http.StatusUnauthorized || refused.Status == http.StatusForbidden
	return p.Proof != nil && isAboutThem && p.Proof.Renew()
}
