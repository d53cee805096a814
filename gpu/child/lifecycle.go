package child

import (
	"errors"
	"fmt"
	"os"

	"tileserver/gpu"
)

// ready returns the child, if it can take a batch.
func (d *Device) ready() (*process, error) {
	p, err := d.awake()
	if err == nil && !isClosed(p.opened) {
		err = down(errStarting)
	}
	return p, err
}

var (
	errStarting = errors.New("it is being started")
	errLingers  = errors.New("its process has not ended yet")
)

// down returns the error for callers that compute on cores.
func down(why error) error { return fmt.Errorf("%w: %w", gpu.ErrDown, why) }

// awake returns the child. If there is none, it starts one in the background, unless one failed a moment
// ago.
func (d *Device) awake() (*process, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.isClosed {
		return nil, down(errClosed)
	}
	if failure := d.breaker.refuses(d.now()); failure != nil {
		return nil, down(failure)
	}
	if d.process != nil && isClosed(d.process.ended) {
		return nil, down(errLingers)
	}
	if d.process == nil {
		d.process = newProcess(&d.config)
		d.stats.Starts++
		go d.supervise(d.process)
	}
	return d.process, nil
}

// supervise starts a child and stays until it is no more.
func (d *Device) supervise(p *process) {
	err := p.end(d.attend(p))
	d.failed(p, err)
	<-p.exited
	d.forget(p)
}

// attend starts a child and takes its replies until it fails.
func (d *Device) attend(p *process) error {
	shared, err := d.shared()
	if err != nil {
		return err
	}
	replies, err := p.start(shared, d.config.StartTime)
	if err != nil {
		return err
	}
	defer replies.Close()
	incoming := messages(replies)
	if err := p.greet(incoming); err != nil {
		return err
	}
	d.started(p)
	return p.listen(incoming)
}

// shared returns the slots, which children inherit one after the other.
func (d *Device) shared() ([]*slot, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.slots != nil || d.isClosed {
		return d.slots, nil
	}
	made, err := newSlots(d.slotBytes())
	d.slots = made
	for _, s := range made {
		d.free <- s
	}
	return made, err
}

// slotBytes returns the size of a slot, in whole pages.
func (d *Device) slotBytes() int64 {
	page := int64(os.Getpagesize())
	return d.config.MemoryBytes / slots / page * page
}

// started notes that a child has opened its device.
func (d *Device) started(p *process) {
	p.adapter.Limits.BatchBytes = min(p.adapter.Limits.BatchBytes, d.slotBytes())
	d.mu.Lock()
	defer d.mu.Unlock()
	d.reported = ""
	close(p.opened)
	a := &p.adapter
	d.config.Logger.Info("GPU is ready", "adapter", a.Name, "driver", a.Driver, "backend", a.Backend, "software", a.IsSoftware,
		"process", p.command.Process.Pid)
}

// succeeded notes that a child has run a batch.
func (d *Device) succeeded(p *process, batch *gpu.Batch) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !isClosed(p.ended) {
		d.breaker.reset()
	}
	d.stats.Batches++
	d.stats.BytesIn += int64(len(batch.Records) + len(batch.Input))
	d.stats.BytesOut += int64(len(batch.Output))
}

// failed notes that a child ended, and lets those go that wait for it.
func (d *Device) failed(p *process, why error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.isClosed {
		d.breaker.open(why, d.now())
		d.stats.Failures++
		d.report(p, why)
	}
	if isClosed(p.exited) {
		d.process = nil
	}
	if !isClosed(p.opened) {
		close(p.opened)
	}
	close(p.ended)
}

// report logs a failure, once while each start fails for the same reason.
func (d *Device) report(p *process, why error) {
	text := why.Error()
	if text == d.reported {
		return
	}
	message := "GPU failed, cores do its work until it is back"
	if !isClosed(p.opened) {
		message, d.reported = "GPU cannot be used, cores do its work", text
	}
	attributes := []any{"err", why, "retry", d.breaker.delay}
	if printed := p.output.String(); printed != "" {
		attributes = append(attributes, "output", printed)
	}
	d.config.Logger.Warn(message, attributes...)
}

// forget notes that a child is no more. Only then may another be started.
func (d *Device) forget(p *process) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.process == p {
		d.process = nil
	}
}

// freeMemory gives memory back, here and on the device.
func (d *Device) freeMemory() {
	for range slots {
		select {
		case s := <-d.free:
			s.discard()
			d.give(s)
		default:
		}
	}
	if p := d.opened(); p != nil {
		p.freeMemory()
	}
}

// opened returns the child, if it has opened its device.
func (d *Device) opened() *process {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.process == nil || !isClosed(d.process.opened) {
		return nil
	}
	return d.process
}

// Close ends the child. Batches keep their memory until they end.
func (d *Device) Close() error {
	d.mu.Lock()
	d.isClosed = true
	p := d.process
	d.mu.Unlock()
	d.idle.Stop()
	var err error
	if p != nil {
		err = p.close()
	}
	d.closeSlots()
	return err
}

// closeSlots unmaps memory that no batch uses. It must wait for the child, since one that is being started
// inherits the files.
func (d *Device) closeSlots() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.slots {
		s.file.Close()
	}
	for {
		select {
		case s := <-d.free:
			unmapShared(s.memory)
		default:
			return
		}
	}
}
