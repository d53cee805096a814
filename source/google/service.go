// Package google reads buckets of Google Cloud Storage by its XML API. Its addresses are gs://BUCKET/KEY. A
// Service owns its tokens, which Google's module for OAuth finds and fetches. The package must never send a
// request for an object itself.
package google

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"

	"tileserver/source/bucket"
	"tileserver/source/credential"
	"tileserver/source/web"
)

// Config configures a Service.
type Config struct {
	Endpoint    string // a base URL; "": that of Google
	Anonymous   bool   // requests have no token
	UserProject string // that pays for requests, if a bucket lets those pay who ask
}

const (
	scheme          = "gs"
	defaultEndpoint = "https://storage.googleapis.com"
	projectHeader   = "X-Goog-User-Project"
)

// Service is the service of buckets at Google.
type Service struct {
	config   Config
	endpoint *url.URL
	tokens   *credential.Kept[string]
}

var _ web.Lister = (*Service)(nil)

// New returns a service. It asks nobody for a token until it is needed.
func New(config Config) (*Service, error) { return newService(config, fetchToken) }

// newService returns a service whose tokens come from fetch.
func newService(config Config, fetch credential.Fetch[string]) (*Service, error) {
	endpoint, err := bucket.ParseEndpoint(cmp.Or(config.Endpoint, defaultEndpoint))
	if err != nil {
		return nil, err
	}
	if !config.Anonymous && !bucket.KeepsSecrets(endpoint) {
		return nil, errors.New("the endpoint must begin with https://, since others could read the token of a request, or requests must be anonymous")
	}
	return &Service{config, endpoint, credential.New(fetch)}, nil
}

// Canonical returns the address with its scheme in lower case, and without slashes at its end.
func (s *Service) Canonical(path string) string {
	a, err := bucket.Split(scheme, path)
	if err != nil {
		return path
	}
	return a.Path(scheme)
}

// Locate returns the URL of an object.
func (s *Service) Locate(path string) (*url.URL, error) {
	a, err := parse(path)
	if err == nil {
		err = a.CheckObject()
	}
	if err != nil {
		return nil, err
	}
	return bucket.Below(s.endpoint, a.Bucket+"/"+a.Key), nil
}

// List returns a page of a folder.
func (s *Service) List(ctx context.Context, folder, after string, get web.Get) (web.Page, error) {
	a, err := parse(folder)
	if err != nil {
		return web.Page{}, err
	}
	f, err := bucket.FolderAt(a.Path(scheme), a)
	if err != nil {
		return web.Page{}, err
	}
	return bucket.ListObjects(ctx, f, bucket.Below(s.endpoint, a.Bucket), after, get)
}

func parse(path string) (bucket.Address, error) {
	a, err := bucket.Split(scheme, path)
	if err != nil {
		return a, err
	}
	return a, bucket.CheckName(a.Bucket)
}

// Sign adds a token to a request. It adds nothing to a request to anyone else.
func (s *Service) Sign(ctx context.Context, r *http.Request) error {
	if !bucket.IsBelow(s.endpoint, r.URL) {
		return nil
	}
	if s.config.UserProject != "" {
		r.Header.Set(projectHeader, s.config.UserProject)
	}
	if s.config.Anonymous {
		return nil
	}
	token, err := s.tokens.Value(ctx)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	return nil
}

// Learn renews a token that has expired.
func (s *Service) Learn(ctx context.Context, refused web.Refusal) (again bool) {
	isAboutToken := refused.Status == http.StatusUnauthorized && bucket.IsBelow(s.endpoint, refused.URL)
	return isAboutToken && !s.config.Anonymous && s.tokens.Renew(ctx)
}
