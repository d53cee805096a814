package guard

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"tileserver/source"
)

// kind is what a call asks of a storage. That calls of one kind are answered says nothing of another:
// while a disk hangs, the system still knows the names and states of files.
type kind uint8

const (
	asking  kind = iota // for names, states and versions
	reading             // bytes
	kindCount
)

// storage is what is known of a storage. Successes between failures do not count, since bytes in memory can be
// read although a disk hangs. But where a storage answers that an object fails, and answers for another one, it
// is the object that is left alone.
type storage struct {
	*breaker
	config *Config

	hasFaults atomic.Bool // whether failures were noted that may be the fault of objects, since the last excuse
	hasFaulty atomic.Bool // whether the map below has objects
	faultyMu  sync.Mutex  // guards the field below
	faulty    map[string]*breaker
}

func newStorage(name string, c *Config) *storage {
	told := messages{"storage", "storage does not answer, its layers cannot be drawn until it does", "storage answers again"}
	return &storage{breaker: newBreaker(name, c, told), config: c, faulty: make(map[string]*breaker)}
}

// call makes a call about an object before a deadline, unless the storage or the object is left alone.
func call[T any](ctx context.Context, at place, k kind, do func(context.Context) (T, error)) (result T, err error) {
	limited := &deadline{Context: ctx, place: at, kind: k}
	defer limited.end()
	if k == asking { // no store tells whether it has names in memory
		err = limited.admit()
	}
	if err == nil {
		result, err = do(limited)
	}
	return result, at.storage.judge(limited, err)
}

// place is an object or a folder on a storage, and how long a call about it may take.
type place struct {
	storage *storage
	path    string
	timeout time.Duration
}

// read reads ranges as a call. It has no function of its own, since reads are many and small.
func (at place) read(ctx context.Context, from source.Source, ranges []source.Range) ([][]byte, error) {
	limited := &deadline{Context: ctx, place: at, kind: reading}
	defer limited.end()
	parts, err := from.ReadRanges(limited, ranges)
	return parts, at.storage.judge(limited, err)
}

// within returns the place with another time for calls.
func (at place) within(timeout time.Duration) place {
	at.timeout = timeout
	return at
}

// admit returns why a call must not go there, or nil. If a probe is due, the call takes it.
func (at place) admit(k kind) *StalledError {
	if object := at.storage.faultyAt(at.path); object != nil {
		if why := object.admit(k); why != nil {
			return why
		}
	}
	return at.storage.admit(k)
}

// faultyAt returns what is known of an object that fails, or nil.
func (s *storage) faultyAt(path string) *breaker {
	if !s.hasFaulty.Load() {
		return nil
	}
	s.faultyMu.Lock()
	defer s.faultyMu.Unlock()
	return s.faulty[path]
}

// judge decides whose fault the error of a call is, if there is one, and returns what to tell the
// caller. A read that found its bytes in memory says nothing of the storage.
func (s *storage) judge(limited *deadline, err error) error {
	reached, refusal := limited.outcome()
	switch {
	case err != nil && refusal != nil:
		s.noteRefused()
		return refusal
	case err != nil && limited.Context.Err() != nil: // the caller has left
		return err
	case errors.Is(err, context.DeadlineExceeded) && limited.hasPassed():
		return s.noteFailure(limited.kind, fmt.Sprintf("no answer within %v", limited.timeout), "")
	case errors.As(err, new(*source.HeldError)): // it answers, but not now
		return err
	case errors.Is(err, source.ErrObjectStalled):
		return s.noteFault(limited, err.Error())
	case errors.Is(err, source.ErrStalled):
		return s.noteFailure(limited.kind, err.Error(), "")
	case reached:
		s.noteWell(limited)
	}
	return err
}

// maxFaulty bounds the objects of a storage that are known to fail.
const maxFaulty = 256

// noteFault counts a failure that may be the fault of the object.
func (s *storage) noteFault(limited *deadline, reason string) error {
	s.hasFaults.Store(true)
	_ = s.faultOf(limited.path).noteFailure(limited.kind, reason, "")
	return s.noteFailure(limited.kind, reason, limited.path)
}

// faultOf returns what is known of an object that fails, from now on.
func (s *storage) faultOf(path string) *breaker {
	s.faultyMu.Lock()
	defer s.faultyMu.Unlock()
	object, isKnown := s.faulty[path]
	if !isKnown {
		if len(s.faulty) >= maxFaulty {
			clear(s.faulty)
		}
		told := messages{"object", "object fails while its storage answers, it is left alone until it does not", "object is well again"}
		object = newBreaker(source.Redacted(path), s.config, told)
		s.faulty[path] = object
		s.hasFaulty.Store(true)
	}
	return object
}

// noteWell notes that a call was answered. If the store has told that it asked the storage, other objects that fail
// do so alone.
func (s *storage) noteWell(limited *deadline) {
	s.noteAnswer(limited.kind)
	if !limited.asked.Load() {
		return
	}
	if s.hasFaults.Swap(false) {
		s.excuse()
	}
	object := s.faultyAt(limited.path)
	if object == nil || !object.noteAnswer(limited.kind) {
		return
	}
	s.faultyMu.Lock()
	defer s.faultyMu.Unlock()
	delete(s.faulty, limited.path)
	s.hasFaulty.Store(len(s.faulty) > 0)
}
