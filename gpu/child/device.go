// Package child runs batches of gpu in a child process of the same program, because the library of a
// driver ends its process on some errors. The program makes a Device, which is a gpu.Executor and starts
// the child, and a command that calls Serve in the child. A batch lies in memory that both share; only
// small messages pass between them. The package owns the child, that memory and its files. It must never
// know what kernels compute, nor the interface of a driver.
//
// A Device is asleep until it is first used, starting, ready, or down. Whoever needs it while it is not
// ready gets gpu.ErrDown at once, and computes on cores. It is started in the background. After a failure
// it is down for a while, and longer after each further one.
package child

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"tileserver/gpu"
)

// Config configures a Device.
type Config struct {
	// The command that calls Serve. It should be the program that is running, even when its file is being
	// replaced, since both must have the same kernels.
	Program     string
	Arguments   []string
	Environment []string // added to that of this process

	MemoryBytes int64 // shared with the child, in halves: one batch is written while another is computed

	StartTime time.Duration // after which a child that has not opened its device is killed
	Deadline  time.Duration // after which a child is killed that has not answered a batch
	IdleTime  time.Duration // after which memory is given back

	Logger *slog.Logger
}

// Device is a gpu.Executor whose device lies in a child process.
type Device struct {
	config Config
	now    func() time.Time
	idle   *time.Timer // gives memory back
	free   chan *slot  // that no batch uses

	mu       sync.Mutex
	slots    []*slot  // nil before the first start
	process  *process // nil while it is asleep, and when there is none after a failure
	isClosed bool
	breaker  breaker
	reported string // the failure that was logged last
	batches  map[*gpu.Batch]*slot
	stats    Stats
}

var _ gpu.Executor = (*Device)(nil)

// New returns a device that is asleep.
func New(config Config) *Device {
	d := &Device{config: config, now: time.Now, free: make(chan *slot, slots), batches: make(map[*gpu.Batch]*slot)}
	d.idle = time.AfterFunc(config.IdleTime, d.freeMemory)
	return d
}

var errClosed = errors.New("it is closed")

// Adapter describes the device. It waits for a device that starts.
func (d *Device) Adapter(ctx context.Context) (gpu.Adapter, error) {
	p, err := d.awake()
	if err != nil {
		return gpu.Adapter{}, err
	}
	select {
	case <-p.opened:
		return p.adapter, p.err()
	case <-ctx.Done():
		return gpu.Adapter{}, context.Cause(ctx)
	}
}

// Begin lays out a batch in memory that the child reads.
func (d *Device) Begin(ctx context.Context, kernel *gpu.Kernel, jobs []gpu.Job) (*gpu.Batch, error) {
	p, err := d.ready()
	if err != nil {
		return nil, err
	}
	layout, err := gpu.LayOut(jobs, p.adapter.Limits)
	if err != nil {
		return nil, err
	}
	s, err := d.take(ctx, p)
	if err != nil {
		return nil, err
	}
	batch := gpu.NewBatch(kernel, jobs, layout, s.memory)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.batches[batch] = s
	return batch, nil
}

// take waits for a slot, but not for that of a child that has failed.
func (d *Device) take(ctx context.Context, p *process) (*slot, error) {
	began := time.Now()
	defer func() { d.waited(time.Since(began)) }()
	select {
	case s := <-d.free:
		return s, nil
	case <-p.ended:
		return nil, p.err()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Run runs a batch in the child. If ctx ends first, the child goes on.
func (d *Device) Run(ctx context.Context, batch *gpu.Batch) error {
	p, err := d.ready()
	if err != nil {
		return err
	}
	s := d.slotOf(batch)
	if err := s.submit(p, batch); err != nil {
		return err
	}
	select {
	case <-s.work.answered:
		d.succeeded(p, batch)
		return nil
	case <-p.ended:
		return p.err()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (d *Device) slotOf(batch *gpu.Batch) *slot {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.batches[batch]
}

// End gives the memory of a batch back: at once, or when the child does not use it any more.
func (d *Device) End(batch *gpu.Batch) {
	d.mu.Lock()
	s := d.batches[batch]
	delete(d.batches, batch)
	d.mu.Unlock()
	d.idle.Reset(d.config.IdleTime)
	switch {
	case s == nil:
	case s.isIdle():
		d.give(s)
	default:
		go func() {
			s.wait()
			d.give(s)
		}()
	}
}

// give makes a slot free.
func (d *Device) give(s *slot) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.isClosed {
		unmapShared(s.memory)
		return
	}
	s.process, s.work = nil, nil
	d.free <- s // has room for all
}
