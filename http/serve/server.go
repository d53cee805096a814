package serve

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"tileserver/access"
	"tileserver/admission"
	"tileserver/http/answer"
	"tileserver/http/documents"
	"tileserver/http/prefetch"
	"tileserver/layer"
)

// Config is the part of the configuration that handlers of protocols share.
type Config struct {
	Catalog   *layer.Catalog
	Documents *documents.Cache // handlers may share it; nil caches nothing

	// Origin is the scheme and host of public addresses, like "https://maps.example". If it is
	// empty, addresses begin with the scheme and host of the request.
	Origin string

	// BasePath is the path of public addresses, like "/imagery". Requests are answered with and
	// without it, because a proxy may cut it off.
	BasePath string

	// Service describes the server in the documents of protocols.
	Service Service

	// Empty is the answer for empty tiles if neither the request nor the layer sets one. The
	// default is a blank picture.
	Empty layer.EmptyAnswer

	// Versioned adds the version of pictures to the addresses in documents, so that clients may
	// cache them without limit: a changed file gets new addresses.
	Versioned bool

	// Visit returns the layer of the file at an address that a request names. Nil visits none.
	Visit func(ctx context.Context, address string) (*layer.Layer, error)

	// Prefetcher loads what viewers of maps ask for next. Handlers may share it, one after the other; nil
	// loads nothing.
	Prefetcher *prefetch.Prefetcher

	// Client returns a number for who makes a request, likely another one for each client. Nil knows no
	// client from another.
	Client func(r *http.Request) uint64

	// Access is what requests may ask of pictures that show no layer. Each layer has its own.
	Access access.Policy

	// CacheControl is sent with pictures. Addresses do not name the version of a file unless
	// Versioned is set, so clients must revalidate, which costs a 304. Revalidating at every pan
	// would cost a round trip for each tile. Never revalidating would show a replaced file as a
	// patchwork of old and new tiles.
	CacheControl string
}

// Service describes the server in the words of its operator. Every field may be empty.
type Service struct {
	Title, Abstract         string
	Keywords                []string
	Provider, Site          string // a name, and the address of its website
	Contact, Email          string // a person
	Fees, AccessConstraints string
}

// defaultServiceTitle is the title of a server whose operator gives it none.
const defaultServiceTitle = "Tile server"

// maxComposing is how many documents may wait to be composed without a cache of documents.
const maxComposing = 4096

// Meter counts what is sent.
type Meter interface {
	CountPicture(origin string)
	ObserveSteps(steps []Step)
}

// Server has what the handlers of all protocols answer with.
type Server struct {
	Config
	meter  Meter
	digest string // of the configuration that documents repeat
	hosts  hosts
}

// New returns a server with the defaults of its configuration.
func New(config Config, meter Meter) *Server {
	if config.BasePath = strings.Trim(config.BasePath, "/"); config.BasePath != "" {
		config.BasePath = "/" + config.BasePath
	}
	if config.Documents == nil {
		config.Documents = documents.NewCache(nil, admission.New(admission.Config{Queue: maxComposing}))
	}
	if config.Visit == nil {
		config.Visit = func(context.Context, string) (*layer.Layer, error) {
			return nil, access.RefuseAddress("to name a file by its address, since the configuration has no url.allow")
		}
	}
	if config.Client == nil {
		config.Client = func(*http.Request) uint64 { return 0 }
	}
	config.Service.Title = cmp.Or(config.Service.Title, defaultServiceTitle)
	return &Server{
		Config: config, meter: meter, hosts: hosts{asked: make(map[string]time.Time)},
		digest: answer.ETagOf(fmt.Appendf(nil, "%q %v", config.Service, config.Versioned)),
	}
}

// Layer is a layer as a request found it. A request finds its layer once and passes it on, not the
// id: if another layer takes the id meanwhile, the answer is still about the one that was found.
type Layer struct {
	*layer.Layer
	Modified time.Time // from LastModified, read before the layer was found
}

// LayerAt returns the layer of the file at an address.
func (s *Server) LayerAt(ctx context.Context, address string) (Layer, error) {
	modified := s.LastModified()
	found, err := s.Visit(ctx, address)
	return Layer{found, modified}, err
}

// Layer finds the layer of an id.
func (s *Server) Layer(ctx context.Context, id string) (Layer, error) {
	modified := s.LastModified()
	found, err := s.Catalog.Find(ctx, id)
	return Layer{found, modified}, err
}
