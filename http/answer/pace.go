package answer

import (
	"errors"
	"math"
	"net/http"
	"os"
	"time"

	"tileserver/layer"
)

// paceWindow is the time over which the rate of a client counts.
const paceWindow = 10 * time.Second

// A pace is how fast clients must read. A body is written in pieces, each with a deadline, so that a
// connection needs neither a timer nor a goroutine for it. What the connection buffers counts as
// read.
type pace struct {
	minRate   int64 // bytes a second; 0 is any rate
	allowance time.Duration
}

// times returns the pace of a client that must read so many times as fast.
func (p pace) times(factor int64) pace { return pace{p.minRate * factor, p.allowance} }

// minPieceBytes bounds the number of pieces if the rate is low.
const minPieceBytes = 64 << 10

// pieceBytes returns how many bytes a client must read within the time for a piece.
func (p pace) pieceBytes() int64 { return max(p.minRate*int64(paceWindow/time.Second), minPieceBytes) }

// pieceTime returns the time for a piece.
func (p pace) pieceTime() time.Duration {
	return max(paceWindow, minPieceBytes*time.Second/time.Duration(p.minRate))
}

// beginPiece sets the deadline of the next piece. The client has the allowance for the first one.
func (e *Exchange) beginPiece(isFirst bool) {
	if e.Sending == nil || e.Sending.pace.minRate == 0 {
		e.pieceLeft = math.MaxInt64
		return
	}
	p := e.Sending.pace.times(e.weight())
	e.pieceLeft = p.pieceBytes()
	allowed := p.pieceTime()
	if isFirst {
		allowed += p.allowance
	}
	e.pieceEnd = time.Now().Add(allowed)
	// An error means that the writer has no deadlines, so no client can stall it.
	_ = http.NewResponseController(e.ResponseWriter).SetWriteDeadline(e.pieceEnd)
}

// pacedBody writes the body of an exchange that has begun. It cuts off a client that reads too
// slowly.
type pacedBody Exchange

// Write writes p in pieces.
func (w *pacedBody) Write(p []byte) (written int, err error) {
	e := (*Exchange)(w)
	for len(p) > 0 && err == nil {
		if e.pieceLeft == 0 {
			e.beginPiece(false)
		}
		var n int
		n, err = e.Write(p[:min(int64(len(p)), e.pieceLeft)])
		written += n
		e.pieceLeft -= int64(n)
		p = p[n:]
	}
	if err != nil && e.isOverdue(err) {
		e.cutOff()
	}
	return written, err
}

// isOverdue reports whether a write failed because of its deadline. HTTP/2 has other errors for that.
func (e *Exchange) isOverdue(err error) bool {
	if e.Sending == nil || e.pieceEnd.IsZero() {
		return false
	}
	return errors.Is(err, os.ErrDeadlineExceeded) || !time.Now().Before(e.pieceEnd)
}

// cutOff ends a response that the client reads too slowly. It resets the connection, since the
// system would otherwise try for minutes to send what it has buffered.
func (e *Exchange) cutOff() {
	e.Sending.cutOff.Add(1)
	e.Err = &layer.Error{Code: layer.Canceled, Message: "the client read too slowly"}
	conn, _, err := http.NewResponseController(e.ResponseWriter).Hijack()
	if err != nil {
		return // the server closes what it shares with other responses
	}
	if resets, ok := conn.(interface{ SetLinger(seconds int) error }); ok {
		_ = resets.SetLinger(0) // an error means that the connection is closed already
	}
	conn.Close()
}
