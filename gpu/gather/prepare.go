package gather

import (
	"context"
	"errors"
	"time"

	"tileserver/gpu"
)

// The time that preparing may take, and the times between a failure and the next attempt to prepare a
// device or to give it a batch.
const (
	preparingFor    = time.Minute
	betweenAttempts = 5 * time.Minute
	afterFailure    = time.Second
)

// prepareSoon prepares in the background the devices that are not, unless that goes on or has just failed.
// The caller holds g.mu.
func (g *Gatherer) prepareSoon() {
	for _, d := range g.devices {
		if g.open.Err() != nil || d.isPrepared() || time.Now().Before(d.again) {
			continue
		}
		d.again = time.Now().Add(preparingFor + betweenAttempts)
		g.preparing.Go(func() {
			ctx, cancel := context.WithTimeout(g.open, preparingFor)
			defer cancel()
			_ = g.prepare(ctx, d) // whoever prepares it tells the operator
		})
	}
}

// Prepare prepares all devices now.
func (g *Gatherer) Prepare(ctx context.Context) error {
	var failed error
	for _, d := range g.devices { // New has set them once and for all
		failed = errors.Join(failed, g.prepare(ctx, d))
	}
	return failed
}

func (g *Gatherer) prepare(ctx context.Context, d *device) error {
	limits, err := d.Prepare(ctx)
	g.mu.Lock()
	defer g.mu.Unlock()
	d.isSoftware = errors.Is(err, ErrSoftware)
	switch {
	case errors.Is(err, gpu.ErrDown):
		d.again = time.Now().Add(afterFailure)
		return err
	case err != nil:
		d.again = time.Now().Add(betweenAttempts)
		return err
	}
	d.limits, d.again = limits, time.Time{}
	g.next()
	return nil
}

// Close ends the preparation of devices in the background, and waits for that. It closes no executor.
func (g *Gatherer) Close() {
	g.mu.Lock()
	g.close() // so that none begins
	g.mu.Unlock()
	g.preparing.Wait()
}
