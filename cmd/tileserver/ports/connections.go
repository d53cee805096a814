package ports

import (
	"container/list"
	"net"
	"net/http"
	"sync"
	"time"
)

// Connections bounds the open connections of a port. A connection is *quiet* while it has no request
// in progress. At the limit, a new connection takes the place of the one that has been quiet
// longest. If none is quiet, it waits, and those after it wait in the backlog of the system.
type Connections struct {
	max int

	mu    sync.Mutex // guards the fields below
	ended sync.Cond  // a connection has ended or become quiet, or the port is closed
	open  map[net.Conn]*connection
	quiet list.List // of connections; the one that has been quiet longest is the first
	going int       // open connections that have been closed to make room
	made  int64     // how often room was made, since the start
}

// connection is an open connection.
type connection struct {
	net.Conn
	quiet   *list.Element // nil during a request
	since   time.Time     // when it was accepted
	isNew   bool          // it has had no request
	isGoing bool          // closed to make room, but not yet ended
}

// NewConnections returns the bound of a port: at most max connections.
func NewConnections(max int) *Connections {
	c := &Connections{max: max, open: make(map[net.Conn]*connection)}
	c.ended.L = &c.mu
	return c
}

// ConnectionStats counts connections.
type ConnectionStats struct {
	Open, Quiet int   // now
	Closed      int64 // to make room for others, since the start
}

// Stats returns the present numbers.
func (c *Connections) Stats() ConnectionStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return ConnectionStats{Open: len(c.open), Quiet: c.quiet.Len(), Closed: c.made}
}

// admit waits until there is room for a connection. It fails if that is the case only after isClosed
// reports that the port is closed.
func (c *Connections) admit(conn net.Conn, isClosed func() bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.open) >= c.max {
		if isClosed() {
			return false
		}
		if len(c.open)-c.going >= c.max {
			c.makeRoom()
		}
		c.ended.Wait()
	}
	c.open[conn] = &connection{Conn: conn, since: time.Now(), isNew: true}
	return true
}

// makeRoom closes the connection that has been quiet longest, if any is. The lock must be held.
func (c *Connections) makeRoom() {
	if longest := c.quiet.Front(); longest != nil {
		c.end(longest)
	}
}

// end closes a quiet connection to make room. The lock must be held.
func (c *Connections) end(quiet *list.Element) {
	of := c.quiet.Remove(quiet).(*connection)
	of.quiet, of.isGoing = nil, true
	c.going++
	c.made++
	of.Close()
}

// arrival is how long the first request of a new connection may take. Meanwhile the connection is quiet.
const arrival = 250 * time.Millisecond

// freeDescriptor closes the connection that has been quiet longest, since others need its file
// descriptor. The system lacks one as soon as the last is taken, whether or not anybody waits for
// another, so a new connection is spared until its first request has had time to come.
func (c *Connections) freeDescriptor() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for each := c.quiet.Front(); each != nil; each = each.Next() {
		if of := each.Value.(*connection); !of.isNew || time.Since(of.since) >= arrival {
			c.end(each)
			return
		}
	}
}

// wake lets admit look again.
func (c *Connections) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended.Broadcast()
}

// follow is the hook of a server that tells how its connections change.
func (c *Connections) follow(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := c.open[conn]
	if of == nil {
		return
	}
	if of.quiet != nil {
		c.quiet.Remove(of.quiet)
		of.quiet = nil
	}
	switch state {
	case http.StateNew, http.StateIdle:
		if !of.isGoing {
			of.quiet = c.quiet.PushBack(of)
		}
	case http.StateActive:
		of.isNew = false
		return
	case http.StateClosed, http.StateHijacked:
		delete(c.open, conn)
		if of.isGoing {
			c.going--
		}
	}
	c.ended.Broadcast()
}
