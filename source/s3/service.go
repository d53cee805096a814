// Package s3 reads buckets of Amazon S3, and of all servers that speak as S3 does. Its addresses are
// s3://BUCKET/KEY. A Service owns its credentials and what it learned of the regions of buckets; the SDK of
// AWS finds credentials and computes signatures. The package must never send a request for an object itself.
package s3

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"tileserver/source/bucket"
	"tileserver/source/credential"
	"tileserver/source/web"
)

// Config configures a Service. What it leaves out is said by the environment and the profile.
type Config struct {
	Endpoint   string // the base URL of another server than those of AWS
	Region     string
	Profile    string // of the files of AWS
	RoleARN    string // a role to assume
	ExternalID string // that the role demands

	Style         Style
	Anonymous     bool // requests are not signed
	RequesterPays bool // whoever asks pays

	Clock *credential.Clock // of the service; nil is one of its own
}

// Style is how a bucket becomes a part of a URL.
type Style uint8

// The styles of URLs.
const (
	Automatic    Style = iota // VirtualHosts at AWS, PathStyle elsewhere
	PathStyle                 // https://HOST/BUCKET/KEY
	VirtualHosts              // https://BUCKET.HOST/KEY
)

const scheme = "s3"

// Service is the service of buckets at AWS or at another endpoint.
type Service struct {
	config      Config
	signer      *v4.Signer
	credentials *credential.Kept[keys]
	regions     regions
	clock       *credential.Clock

	mu    sync.Mutex // guards the field below, and is held while files are read
	place *place     // nil: not known yet
}

var _ web.Lister = (*Service)(nil)

// New returns a service. It reads no files, and asks nobody for credentials until they are needed.
func New(config Config) (*Service, error) {
	if config.Endpoint != "" {
		if _, err := bucket.ParseEndpoint(config.Endpoint); err != nil {
			return nil, err
		}
	}
	if err := checkRegion(config.Region); config.Region != "" && err != nil {
		return nil, err
	}
	return newService(config, config.load), nil
}

// newService returns a service whose credentials come from what load loads.
func newService(config Config, load func(context.Context) (aws.Config, error)) *Service {
	return &Service{config: config, signer: v4.NewSigner(), credentials: credential.New(fetchKeys(load)), clock: cmp.Or(config.Clock, new(credential.Clock))}
}

// Canonical returns the address with its scheme in lower case, and without slashes at its end.
func (s *Service) Canonical(path string) string {
	a, err := bucket.Split(scheme, path)
	if err != nil {
		return path
	}
	return a.Path(scheme)
}

// Locate returns the URL of an object, in the region of its bucket as far as it is known.
func (s *Service) Locate(path string) (*url.URL, error) {
	a, err := parse(path)
	if err != nil {
		return nil, err
	}
	if err := a.CheckObject(); err != nil {
		return nil, err
	}
	base, err := s.bucketURL(a.Bucket)
	if err != nil {
		return nil, err
	}
	return bucket.Below(base, a.Key), nil
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
	base, err := s.bucketURL(a.Bucket)
	if err != nil {
		return web.Page{}, err
	}
	return bucket.ListObjects(ctx, f, base, after, get)
}

func parse(path string) (bucket.Address, error) {
	a, err := bucket.Split(scheme, path)
	if err != nil {
		return a, err
	}
	return a, bucket.CheckName(a.Bucket)
}

// bucketURL returns the URL of a bucket in its region.
func (s *Service) bucketURL(name string) (*url.URL, error) {
	where, err := s.where(context.Background())
	if err != nil {
		return nil, err
	}
	return where.bucketURL(name, s.regions.of(name, where.region)), nil
}

// where returns where buckets are. It reads files once. An error does not stick: files may be repaired.
func (s *Service) where(ctx context.Context) (*place, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.place != nil {
		return s.place, nil
	}
	found, err := s.config.findPlace(ctx)
	if err == nil {
		s.place = found
	}
	return found, err
}

// Sign moves a request to the region of its bucket and signs it. It adds nothing to a request to anyone
// else: a redirect may lead there.
func (s *Service) Sign(ctx context.Context, r *http.Request) error {
	where, err := s.where(ctx)
	if err != nil {
		return err
	}
	name, isOurs := where.bucketOf(r.URL)
	if !isOurs {
		return nil
	}
	region := s.regions.of(name, where.region)
	where.move(r, name, region)
	if s.config.RequesterPays {
		r.Header.Set(payerHeader, "requester")
	}
	if s.config.Anonymous {
		return nil
	}
	own, err := s.credentials.Value(ctx)
	if err != nil {
		return err
	}
	return s.sign(ctx, r, own, region)
}
