package pool

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"tileserver/decode"
)

// Decode runs a batch whose tasks each decode a block, and counts them. It returns the corrupt ones,
// ordered by index. Any other failure is returned as err, as a TaskError if one task caused it.
// After such a failure, or once ctx has ended, no further task begins. A panic of a decoder is a
// bug and no proof that the block is corrupt, so it is returned as err.
func (p *Pool) Decode(ctx context.Context, batch Batch) (corrupt []TaskError, err error) {
	d := &decoding{Batch: batch, pool: p}
	if err := p.Run(ctx, d); err != nil {
		return nil, err
	}
	slices.SortFunc(d.corrupt, func(a, b TaskError) int { return cmp.Compare(a.Index, b.Index) })
	return d.corrupt, nil
}

// decoding is a batch that counts its tasks and collects the corrupt ones.
type decoding struct {
	Batch
	pool *Pool

	mu      sync.Mutex
	corrupt []TaskError // guarded by mu
}

func (d *decoding) Do(i int) error {
	err := doSafely(func() error { return d.Batch.Do(i) })
	if err == nil {
		d.pool.decoded.Add(1)
		return nil
	}
	d.pool.failed.Add(1)
	if !errors.Is(err, decode.ErrCorrupt) || errors.Is(err, errPanicked) {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.corrupt = append(d.corrupt, TaskError{i, d.Len(), err})
	return nil
}
