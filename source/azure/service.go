// Package azure reads containers of Azure Blob Storage. Its addresses are az://CONTAINER/BLOB, in the account
// of the configuration, and az://ACCOUNT.blob.core.windows.net/CONTAINER/BLOB. A Service owns its tokens, which
// Azure's module for identities finds and fetches. The package must never send a request for a blob itself.
package azure

import (
	"cmp"
	"context"
	"net/http"
	"net/url"

	"tileserver/source/bucket"
	"tileserver/source/credential"
	"tileserver/source/web"
)

// Config configures a Service. Without a key and a signature, requests have a token.
type Config struct {
	Account    string // of addresses that name none
	Endpoint   string // the base URL of its containers; "": that of Azure
	Key        string // of the account, in Base64
	SAS        string // a shared access signature of the account
	Connection string // a connection string, which says any of these; the fields above come first
	Anonymous  bool   // requests prove nothing

	Clock *credential.Clock // of Azure; nil is one of its own
}

// Service is the service of containers at Azure.
type Service struct {
	account   account
	anonymous bool
	tokens    *credential.Kept[string]
	clock     *credential.Clock
}

var _ web.Lister = (*Service)(nil)

// New returns a service. It asks nobody for a token until it is needed.
func New(config Config) (*Service, error) { return newService(config, fetchToken) }

// newService returns a service whose tokens come from fetch.
func newService(config Config, fetch credential.Fetch[string]) (*Service, error) {
	config, err := config.connected()
	if err != nil {
		return nil, err
	}
	own, err := newAccount(config)
	if err != nil {
		return nil, err
	}
	return &Service{account: own, anonymous: config.Anonymous, tokens: credential.New(fetch), clock: cmp.Or(config.Clock, new(credential.Clock))}, nil
}

// Canonical returns the address with the name of an account only if it is another one, and without slashes at
// its end.
func (s *Service) Canonical(path string) string {
	a, err := s.account.split(path)
	if err != nil {
		return path
	}
	return a.path()
}

// Locate returns the URL of a blob.
func (s *Service) Locate(path string) (*url.URL, error) {
	a, base, err := s.find(path)
	if err == nil {
		err = bucket.Address{Bucket: a.container, Key: a.blob}.CheckObject()
	}
	if err != nil {
		return nil, err
	}
	return bucket.Below(base, a.container+"/"+a.blob), nil
}

// find returns an address and the URL of its account.
func (s *Service) find(path string) (a address, base *url.URL, err error) {
	if a, err = s.account.split(path); err != nil {
		return a, nil, err
	}
	base, err = s.account.baseOf(a)
	return a, base, err
}

const (
	versionHeader = "X-Ms-Version"
	version       = "2023-11-03" // of the protocol; accounts of all clouds know it
)

// Sign adds what proves who asks. It adds nothing to a request to anyone but Azure and the endpoint.
func (s *Service) Sign(ctx context.Context, r *http.Request) error {
	isOwn := s.account.has(r.URL)
	if !isOwn && !isAzure(r.URL) {
		return nil
	}
	r.Header.Set(versionHeader, version)
	switch {
	case s.anonymous:
		return nil
	case isOwn && s.account.key != nil:
		s.account.sign(r, s.clock.Now())
		return nil
	case isOwn && s.account.sas != "":
		s.account.addSAS(r)
		return nil
	}
	token, err := s.tokens.Value(ctx)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	return nil
}

// Learn renews a token that has expired, and learns the time of Azure for signatures with a key.
func (s *Service) Learn(ctx context.Context, refused web.Refusal) (again bool) {
	if hadKey := s.account.has(refused.URL) && s.account.key != nil && !s.anonymous; hadKey {
		return bucket.ReadRefused(refused.Body).Code == authenticationFailed && s.clock.Learn(refused.Header)
	}
	hadToken := isAzure(refused.URL)
	if s.account.has(refused.URL) {
		hadToken = !s.account.hasSecret()
	}
	return hadToken && !s.anonymous && isAboutToken(refused) && s.tokens.Renew(ctx)
}

func isAboutToken(refused web.Refusal) bool {
	return refused.Status == http.StatusUnauthorized || bucket.ReadRefused(refused.Body).Code == authenticationFailed
}

// authenticationFailed is how Azure calls that a signature or a token is wrong, or of another time.
const authenticationFailed = "AuthenticationFailed"
