package stream

import "context"

const (
	// batchBytes is how many bytes of blocks are about enough for one call. Far files are then read in
	// few round trips, and a device decodes many blocks at a time.
	batchBytes = 2 << 20

	// batchViews is the maximum number of views in a batch, which wait for each other.
	batchViews = 64

	// batchesAtATime is how many batches there is memory for, for each that is read at a time: it and
	// another whose views are being delivered.
	batchesAtATime = 2
)

// A batch is views, one after the other, and the blocks that are read for them.
type batch struct {
	views   []*View
	missing []*block
	bytes   int64         // of the missing blocks
	all     int64         // and of the views
	done    chan struct{} // closed when the blocks were read
}

// isFull reports whether a batch has enough blocks for a call, or its share of the memory.
func (s *Stream) isFull(b *batch) bool {
	c, count := &s.config, len(b.views)
	atATime := batchesAtATime * c.Parallel
	return b.bytes >= batchBytes || count >= batchViews ||
		c.MaxViews > 0 && atATime*count >= c.MaxViews || c.MaxBytes > 0 && int64(atATime)*b.all >= c.MaxBytes
}

func (b *batch) add(v *View, missing []*block) {
	if b.done == nil {
		b.done = make(chan struct{})
	}
	bytes := sumOf(missing)
	for _, of := range missing {
		of.done = b.done
	}
	b.views, b.missing = append(b.views, v), append(b.missing, missing...)
	b.bytes, b.all = b.bytes+bytes, b.all+bytes+v.bytes
}

// plan takes one view in flight after the other, as memory permits, and has them read in batches.
func (w *walk) plan(ctx context.Context) error {
	var next batch
	for rank := range w.Len() {
		v := w.newView(rank)
		missing, err := w.admit(ctx, v, &next)
		if err != nil {
			return err
		}
		next.add(v, missing)
		if w.isFull(&next) {
			if err := w.send(ctx, &next); err != nil {
				return err
			}
		}
	}
	return w.send(ctx, &next)
}

// admit waits until there is memory for a view. Views of the next batch must not wait with it, since it may
// wait for theirs.
func (w *walk) admit(ctx context.Context, v *View, next *batch) (missing []*block, err error) {
	for {
		missing, isAdmitted := w.memory.admit(v)
		if isAdmitted {
			return missing, nil
		}
		if err := w.send(ctx, next); err != nil {
			return nil, err
		}
		select {
		case <-w.memory.freed:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// send has a batch read, and empties it.
func (w *walk) send(ctx context.Context, next *batch) error {
	b := *next
	*next = batch{}
	if len(b.views) == 0 {
		return context.Cause(ctx)
	}
	select {
	case w.reading <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	w.readers.Go(func() {
		defer func() { <-w.reading }()
		w.guard(func() error {
			w.read(ctx, b.missing)
			close(b.done)
			if w.isInOrder {
				return nil
			}
			return w.pass(ctx, b.views, true)
		})
	})
	if w.isInOrder {
		return w.pass(ctx, b.views, false)
	}
	return nil
}

// pass passes views on to be delivered, once their blocks are read if they are awaited.
func (w *walk) pass(ctx context.Context, views []*View, isAwaited bool) error {
	for _, v := range views {
		if isAwaited {
			if err := v.await(ctx); err != nil {
				return err
			}
		}
		select {
		case w.views <- v:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
