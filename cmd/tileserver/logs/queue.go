package logs

import (
	"bytes"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// maxQueuedBytes bounds the lines in the queue, and those that are being written. It holds some
// thousand requests.
const maxQueuedBytes = 1 << 20

// queue is a writer of lines whose Write does not wait for the writer below it.
type queue struct {
	to         io.Writer
	reportLost func(lines int64) // writes a line to the same writer
	wake       chan struct{}     // has an element if lines are queued
	ended      chan struct{}     // closed when nothing is written any more
	lost       atomic.Int64      // lines since the start

	mu        sync.Mutex // guards the fields below; held while writing only before the server serves
	isServing bool
	isClosed  bool
	lines     []byte
	losing    int64 // lines lost since the queue was full
}

// Write takes one line. Once a line is lost, so are all until the queue has been emptied: the report
// then stands where they would.
func (q *queue) Write(line []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case !q.isServing && !q.isClosed:
		return q.to.Write(line)
	case q.isClosed, q.losing > 0, len(q.lines)+len(line) > maxQueuedBytes:
		q.losing++
		q.lost.Add(1)
	default:
		q.lines = append(q.lines, line...)
	}
	q.wakeWriter()
	return len(line), nil
}

// wakeWriter must be called with the lock held.
func (q *queue) wakeWriter() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *queue) serve() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.isServing = true
	go q.writeAll()
}

// writeAll writes what is queued until the queue is closed and empty.
func (q *queue) writeAll() {
	defer close(q.ended)
	var spare []byte
	for range q.wake {
		lines, losing, isClosed := q.take(spare)
		if written, err := q.to.Write(lines); err != nil { // nobody reads the log
			q.lost.Add(int64(bytes.Count(lines[written:], []byte{'\n'})))
		}
		if losing > 0 {
			q.reportLost(losing)
		}
		if isClosed {
			return
		}
		spare = lines[:0]
	}
}

// take returns the queued lines and the number of those lost after them. The queue continues in the
// spare memory.
func (q *queue) take(spare []byte) (lines []byte, losing int64, isClosed bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	lines, losing = q.lines, q.losing
	q.lines, q.losing = spare, 0
	return lines, losing, q.isClosed
}

func (q *queue) close(allowed time.Duration) {
	q.mu.Lock()
	isServing := q.isServing && !q.isClosed
	q.isClosed = true
	q.wakeWriter()
	q.mu.Unlock()
	if !isServing {
		return
	}
	select {
	case <-q.ended:
	case <-time.After(allowed):
	}
}
