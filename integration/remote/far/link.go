package main

import (
	"bytes"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// link is a network to a server: what is sent arrives later, and all connections share its rate.
type link struct {
	latency time.Duration // of one way
	rate    float64       // bytes a second of each way

	up, down way
	counts   counts
	rooms    sync.Pool // of pieces that have arrived
}

// counts is what went over a link so far.
type counts struct{ connections, requests, received atomic.Int64 }

// way is a direction of a link.
type way struct {
	mu   sync.Mutex // guards the field below
	free time.Time  // when all that was sent has left
}

// send returns when n bytes arrive that are sent now.
func (w *way) send(n int, l *link) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now := time.Now(); w.free.Before(now) {
		w.free = now
	}
	w.free = w.free.Add(time.Duration(float64(n) / l.rate * float64(time.Second)))
	return w.free.Add(l.latency)
}

const (
	pieceBytes = 64 << 10 // one answer of a server is few pieces, for each of which the line wakes twice
	maxPieces  = 512      // of a connection that are under way
)

// piece is bytes that are under way.
type piece struct {
	room   *[pieceBytes]byte // of the link
	length int
	arrive time.Time
}

// newRoom returns room for a piece, of one that has arrived if there is one.
func (l *link) newRoom() *[pieceBytes]byte {
	if room, ok := l.rooms.Get().(*[pieceBytes]byte); ok {
		return room
	}
	return new([pieceBytes]byte)
}

// carry connects a client with the server. A connection costs a round trip.
func (l *link) carry(client net.Conn, to string) {
	defer client.Close()
	l.counts.connections.Add(1)
	time.Sleep(2 * l.latency)
	server, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer server.Close()
	var carrying sync.WaitGroup
	carrying.Go(func() { l.pump(server, client, &l.up, l.noteRequest) })
	carrying.Go(func() { l.pump(client, server, &l.down, func(p []byte) { l.counts.received.Add(int64(len(p))) }) })
	carrying.Wait()
}

// noteRequest counts requests, which begin a piece as long as clients wait for answers.
func (l *link) noteRequest(p []byte) {
	if bytes.HasPrefix(p, []byte("GET ")) || bytes.HasPrefix(p, []byte("HEAD ")) {
		l.counts.requests.Add(1)
	}
}

// pump carries bytes one way until a side closes the connection.
func (l *link) pump(to, from net.Conn, w *way, note func([]byte)) {
	underWay := make(chan piece, maxPieces)
	go func() {
		defer close(underWay)
		for {
			room := l.newRoom()
			n, err := from.Read(room[:])
			if n > 0 {
				note(room[:n])
				underWay <- piece{room, n, w.send(n, l)}
			}
			if err != nil {
				return
			}
		}
	}()
	for p := range underWay {
		sleepUntil(p.arrive)
		_, err := to.Write(p.room[:p.length])
		l.rooms.Put(p.room)
		if err != nil {
			break
		}
	}
	closeWrite(to)
	from.Close()
	for range underWay { // the reader must not wait for room
	}
}

// closeWrite tells the other side that nothing follows.
func closeWrite(c net.Conn) {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
		return
	}
	_ = c.(io.Closer).Close()
}
