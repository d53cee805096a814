package disktier

import (
	"bytes"
	"context"
	"sync"
	"time"
)

const (
	// maxWaitingBytes bounds the memory of blocks that wait to be written, and of those that are being
	// written. What comes when it is full is not kept.
	maxWaitingBytes = 32 << 20

	// maxWriters is how many blocks are written at a time.
	maxWriters = 4

	// closePatience is how long the end of a Tier waits for writes.
	closePatience = 2 * time.Second
)

// queue has the blocks that wait to be written. They can be read until they are.
type queue struct {
	keeper      keeper
	noteWriting func(block []byte, err error) // is told of each write

	mu       sync.Mutex          // guards the fields below
	waiting  map[blockKey][]byte // and being written
	order    []blockKey          // of those that no writer has taken
	bytes    int64               // of all
	dropped  int64
	writers  int
	isClosed bool
	ended    chan struct{} // is closed when no writer is left after isClosed
}

func newQueue(keeper keeper, noteWriting func(block []byte, err error)) *queue {
	return &queue{keeper: keeper, noteWriting: noteWriting, waiting: make(map[blockKey][]byte), ended: make(chan struct{})}
}

// find returns a block that waits, or nil.
func (q *queue) find(key blockKey) []byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting[key]
}

// add adds a copy of a block, unless there is no memory for it. It waits for nobody.
func (q *queue) add(key blockKey, block []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, isThere := q.waiting[key]; isThere {
		return
	}
	if q.isClosed || q.bytes+int64(len(block)) > maxWaitingBytes {
		q.dropped++
		return
	}
	q.waiting[key] = bytes.Clone(block) // the memory around it may go
	q.order = append(q.order, key)
	q.bytes += int64(len(block))
	if q.writers < maxWriters {
		q.writers++
		go q.write()
	}
}

// write writes blocks as long as any wait.
func (q *queue) write() {
	for key, block, ok := q.next(); ok; key, block, ok = q.next() {
		err := q.keeper.put(context.Background(), key, block)
		q.noteWriting(block, err)
		q.forget(key, block, err)
	}
}

// next takes the block that has waited for longest. If there is none, the writer ends.
func (q *queue) next() (key blockKey, block []byte, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.order) == 0 {
		q.order = nil
		q.writers--
		q.endIfDone()
		return key, nil, false
	}
	key, q.order = q.order[0], q.order[1:]
	return key, q.waiting[key], true
}

// forget ends the wait of a block.
func (q *queue) forget(key blockKey, block []byte, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.waiting, key)
	q.bytes -= int64(len(block))
	if err != nil {
		q.dropped++
	}
}

// endIfDone tells whoever closes the queue that nothing is written any more. The caller holds the lock.
func (q *queue) endIfDone() {
	if q.isClosed && q.writers == 0 {
		close(q.ended)
	}
}

// close takes no more blocks, and waits for a while until those that are there are written.
func (q *queue) close() {
	q.mu.Lock()
	if !q.isClosed {
		q.isClosed = true
		q.endIfDone()
	}
	q.mu.Unlock()
	select {
	case <-q.ended:
	case <-time.After(closePatience):
	}
}

// lost returns how many blocks were not written.
func (q *queue) lost() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dropped
}
