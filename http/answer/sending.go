package answer

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"tileserver/cache"
	"tileserver/layer"
)

// Sending bounds what slow clients cost: the bytes of answers that they have not read, and the time
// that they take to read them. All handlers share it. A nil Sending bounds nothing.
//
// An answer holds its bytes until the client has them or is cut off. Small answers have a share of
// the bytes of their own, so that large ones never keep a map tile waiting. A large body that
// several clients read, such as a cached view, counts once.
type Sending struct {
	pace         pace
	small, large share
	cutOff       atomic.Int64 // clients

	mu   sync.Mutex            // guards sent and the fields of its values
	sent map[*byte]*sharedBody // large bodies that are being sent, by their first byte
}

// SendingConfig configures NewSending.
type SendingConfig struct {
	MaxBytes int64 // of answers that clients have not read; 0 is unlimited

	// MinRate is how many bytes a second a client must read, or it is cut off; 0 is any rate.
	// Allowance is for how long it may read slower at the beginning.
	MinRate   int64
	Allowance time.Duration
}

const (
	// smallBytes is the size up to which an answer is small. Map tiles are, with up to 512 pixels a
	// side: that is what four bytes for each take.
	smallBytes = 1 << 20

	// smallDivisor gives the share of small answers: a quarter of all bytes.
	smallDivisor = 4
)

// NewSending returns a Sending of which nothing is in use.
func NewSending(config SendingConfig) *Sending {
	s := &Sending{pace: pace{config.MinRate, config.Allowance}, sent: make(map[*byte]*sharedBody)}
	if config.MaxBytes > 0 {
		small := config.MaxBytes / smallDivisor
		s.small.budget, s.large.budget = cache.NewBudget(small), cache.NewBudget(config.MaxBytes-small)
	}
	return s
}

// SendingStats describes the use of a Sending.
type SendingStats struct {
	MaxBytes, UsedBytes int64 // MaxBytes is 0 if it is unlimited
	Waiting             int64 // requests whose answers wait for bytes
	CutOff              int64 // clients that read too slowly, since the start
}

// Stats returns a snapshot of the use.
func (s *Sending) Stats() SendingStats {
	return SendingStats{
		MaxBytes: s.small.budget.Max() + s.large.budget.Max(), UsedBytes: s.small.budget.InUse() + s.large.budget.InUse(),
		Waiting: s.small.waiting.Load() + s.large.waiting.Load(), CutOff: s.cutOff.Load(),
	}
}

// shareFor returns the share of answers of n bytes.
func (s *Sending) shareFor(n int64) *share {
	if n <= smallBytes {
		return &s.small
	}
	return &s.large
}

// A share is the part of the bytes that answers of one kind take.
type share struct {
	budget  *cache.Budget // nil is unlimited
	waiting atomic.Int64
}

// acquire takes n bytes. It waits for half of the time that the request has left: the other half is
// for making the answer.
func (s *share) acquire(ctx context.Context, n int64) error {
	if s.budget.TryAcquire(n) {
		return nil
	}
	if err := s.check(n); err != nil {
		return err
	}
	waiting := ctx
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		waiting, cancel = context.WithTimeout(ctx, time.Until(deadline)/2)
		defer cancel()
	}
	s.waiting.Add(1)
	defer s.waiting.Add(-1)
	err := s.budget.Acquire(waiting, n)
	if errors.Is(err, context.DeadlineExceeded) {
		return errSendingFull()
	}
	return err
}

// isPressed reports whether clients must read faster, since an answer waits for their bytes. The one
// that gets bytes next decides: those behind it get none before. For one that takes more than half of
// the share, nearly all other clients would have to leave.
func (s *share) isPressed() bool {
	next := s.budget.NextBytes()
	return 0 < next && next <= s.budget.Max()/2
}

// check returns an error if an answer can never have n bytes.
func (s *share) check(n int64) error {
	if most := s.budget.Max(); s.budget != nil && n > most {
		return TooLarge("the answer may have %d bytes; the limit is %d", n, most)
	}
	return nil
}

// errSendingFull returns the error of an answer that finds no bytes. When the client retries, the
// slowest clients of now have been cut off.
func errSendingFull() error {
	return &layer.Error{Code: layer.Busy, Message: "too many answers wait for slow clients; try again", RetryAfter: paceWindow}
}
