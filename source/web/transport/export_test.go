package transport

import (
	"context"
	"net"
	"net/http"
)

// DialBy lets a client connect to trusted servers by a function, and returns what closes its idle connections.
func (c *Client) DialBy(dial func(ctx context.Context, network, address string) (net.Conn, error)) (closeIdle func()) {
	pool := newPool(newDialer(dial))
	c.trusted = http.RoundTripper(pool)
	return pool.CloseIdleConnections
}
