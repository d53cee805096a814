package transport

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/url"
	"sync"
	"syscall"
	"time"

	"tileserver/source/permit"
)

// Config configures a Client. The zero value of a field means its default.
type Config struct {
	Permit permit.Policy // for redirects, and for requests that are not trusted

	// HeaderTimeout is how long a try may take until its answer begins, and IdleTimeout how long its body may
	// pause. Default: 10 s.
	HeaderTimeout, IdleTimeout time.Duration

	// MaxParallel bounds the requests of an origin at a time. An origin that says that it is too much gets
	// fewer. Default: 32.
	MaxParallel int

	UserAgent string
}

// Client sends requests. It is safe for concurrent use.
type Client struct {
	config Config

	trusted http.RoundTripper // to servers that the operator named
	guarded http.RoundTripper // to others

	detours detours

	mu      sync.Mutex // guards the field below
	origins map[string]*origin
}

const (
	defaultTimeout     = 10 * time.Second
	defaultMaxParallel = 32
	idleConnections    = 64 // of an origin
	idleConnectionTime = 90 * time.Second
	dialTimeout        = 5 * time.Second
)

// New returns a Client.
func New(c Config) *Client {
	c.HeaderTimeout, c.IdleTimeout = cmp.Or(c.HeaderTimeout, defaultTimeout), cmp.Or(c.IdleTimeout, defaultTimeout)
	c.MaxParallel = cmp.Or(c.MaxParallel, defaultMaxParallel)
	client := &Client{config: c, origins: make(map[string]*origin), detours: detours{known: make(map[detourKey]detour)}}
	client.trusted = newConnections(nil)
	client.guarded = newConnections(c.Permit.Control)
	return client
}

// newConnections returns a pool of connections to the addresses that control lets pass; nil is all.
func newConnections(control func(network, address string, _ syscall.RawConn) error) http.RoundTripper {
	connector := net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second, Control: control}
	pool := newPool(newDialer(connector.DialContext))
	if control == nil { // a proxy would reach what the control refuses
		pool.Proxy = http.ProxyFromEnvironment
	}
	return pool
}

// newPool returns a pool of the connections of a dialer. Object stores answer faster over many connections than
// over the one of HTTP/2. A body that a server compresses would not have the bytes of the object.
func newPool(d *dialer) *http.Transport {
	pool := &http.Transport{
		DialContext: d.dial, DialTLSContext: d.dialTLS, Protocols: new(http.Protocols), DisableCompression: true,
		MaxIdleConnsPerHost: idleConnections, IdleConnTimeout: idleConnectionTime, TLSHandshakeTimeout: dialTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes, ReadBufferSize: 32 << 10,
	}
	pool.Protocols.SetHTTP1(true)
	return pool
}

const maxHeaderBytes = 64 << 10

// connections returns the pool for an origin.
func (c *Client) connections(isTrusted bool) http.RoundTripper {
	if isTrusted {
		return c.trusted
	}
	return c.guarded
}

// maxOrigins bounds the origins that are remembered.
const maxOrigins = 1024

// originOf returns what is known of the origin of a URL.
func (c *Client) originOf(u *url.URL) *origin {
	name := u.Scheme + "://" + u.Host
	c.mu.Lock()
	defer c.mu.Unlock()
	known, ok := c.origins[name]
	if !ok {
		if len(c.origins) >= maxOrigins {
			c.forgetIdle()
		}
		known = newOrigin(name, c.config.MaxParallel)
		c.origins[name] = known
	}
	return known
}

// forgetIdle forgets the origins that nobody asks now. The caller holds the lock.
func (c *Client) forgetIdle() {
	for name, known := range c.origins {
		if known.turns.isIdle() && known.hold.left() == 0 {
			delete(c.origins, name)
		}
	}
}

// Gap returns the distance between two ranges of an object at which it takes as long to read what lies
// between them as to ask once more.
func (c *Client) Gap(u *url.URL) int64 {
	asked := c.originOf(u)
	_, limit := asked.turns.state()
	return asked.pace.gap(limit)
}

// Enter waits for a turn to ask the origin of a URL. The caller ends it with Leave.
func (c *Client) Enter(ctx context.Context, u *url.URL) (*Turn, error) {
	asked := c.originOf(u)
	if err := asked.turns.enter(ctx); err != nil {
		return nil, err
	}
	return &Turn{client: c, origin: asked}, nil
}

// Turn is the permission to ask an origin.
type Turn struct {
	client *Client
	origin *origin
}

// Leave ends the turn.
func (t *Turn) Leave() { t.origin.turns.leave() }
