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
	d := &decoding{pool: p}
	var counted Batch = decodingTasks{d, batch}
	if b, ok := batch.(DeviceBatch); ok {
		counted = decodingOnDevice{decodingTasks{d, batch}, b}
	}
	if err := p.Run(ctx, counted); err != nil {
		return nil, err
	}
	slices.SortFunc(d.corrupt, func(a, b TaskError) int { return cmp.Compare(a.Index, b.Index) })
	return d.corrupt, nil
}

// decoding counts the tasks of a batch and collects the corrupt ones.
type decoding struct {
	pool *Pool

	mu      sync.Mutex
	corrupt []TaskError // guarded by mu
}

// decodingTasks are tasks of a decoding: all of them, or those that a device has left.
type decodingTasks struct {
	*decoding
	Batch
}

func (d decodingTasks) Do(i int) error {
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

// decodingOnDevice is a decoding that a device can do a part of.
type decodingOnDevice struct {
	decodingTasks
	onDevice DeviceBatch
}

func (d decodingOnDevice) ForDevice() DevicePart {
	if part := d.onDevice.ForDevice(); part != nil {
		return decodingPart{part, d.decoding}
	}
	return nil
}

// decodingPart counts what a device decodes.
type decodingPart struct {
	DevicePart
	decoding *decoding
}

func (p decodingPart) Read(job int, status uint32, output []byte) error {
	err := p.DevicePart.Read(job, status, output)
	if err == nil {
		p.decoding.pool.decoded.Add(1)
	}
	return err
}

func (p decodingPart) Rest() Batch {
	rest := p.DevicePart.Rest()
	if some, ok := rest.(Subset); ok {
		return Subset{decodingTasks{p.decoding, some.Batch}, some.Tasks}
	}
	return decodingTasks{p.decoding, rest}
}
