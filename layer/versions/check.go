package versions

import (
	"context"
	"errors"
	"io/fs"
	"time"
)

const (
	// checkInterval is the minimum time between two checks of whether a file has changed.
	checkInterval = time.Second

	// A caller waits for checkPatience to learn whether the file has changed, and if it has, for
	// openPatience until the next version is open. These suffice unless the storage hangs. They are
	// longer than a busy disk takes, and than the writing of a file needs to settle.
	checkPatience = 250 * time.Millisecond
	openPatience  = 5 * time.Second
)

// mayCheck reports whether this caller should check the file: one caller per checkInterval does,
// unless the check before it has yet to end. It measures the interval, and so does not mind if the
// clock is set back.
func (s *Sequence[V]) mayCheck() bool {
	previous, now := s.lastCheck.Load(), max(int64(time.Since(s.created)), 1)
	isDue := previous == 0 || now-previous >= int64(checkInterval)
	return isDue && !s.checking.Load() && s.lastCheck.CompareAndSwap(previous, now)
}

// check opens the next version if the file of v has changed. It returns when that is done, or when
// it took long: then the check goes on, since a request must not wait for a storage that hangs.
func (s *Sequence[V]) check(v *V) {
	s.checking.Store(true)
	changed, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		defer s.checking.Store(false)
		if s.config.IsCurrent(v) {
			s.setGone(false)
			return
		}
		close(changed)
		// Other requests use the result, so canceling this request must not stop the opening.
		_, err := s.Next(context.Background(), v)
		s.setGone(errors.Is(err, fs.ErrNotExist))
	}()
	patience := time.NewTimer(checkPatience)
	defer patience.Stop()
	select {
	case <-changed:
		patience.Reset(openPatience)
	case <-done:
	case <-patience.C:
		return
	}
	select {
	case <-done:
	case <-patience.C:
	}
}

func (s *Sequence[V]) setGone(gone bool) {
	if s.gone.Swap(gone) != gone {
		s.config.OnChange()
	}
}
