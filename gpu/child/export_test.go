//go:build unix

package child

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// SetClock replaces the clock of the breaker.
func (d *Device) SetClock(now func() time.Time) { d.now = now }

// FreeMemory does what happens after the idle time.
func (d *Device) FreeMemory() { d.freeMemory() }

// FailLingering does what happens when a child fails whose process the system ends only later.
func (d *Device) FailLingering() (end func()) {
	d.mu.Lock()
	p := newProcess(&d.config)
	p.failure, d.process = errLate, p
	d.mu.Unlock()
	d.failed(p, errLate)
	return func() {
		close(p.exited)
		d.forget(p)
	}
}

// Process returns the number of the child.
func (d *Device) Process() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.process.running.Pid
}

// Pages returns how many blocks the shared memory takes.
func (d *Device) Pages() (blocks int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.slots {
		var stat unix.Stat_t
		if err := unix.Fstat(int(s.file.Fd()), &stat); err != nil {
			panic(err)
		}
		blocks += stat.Blocks
	}
	return blocks
}

// NewShared returns shared memory.
func NewShared(bytes int64) (*os.File, error) { return newShared(bytes) }

// MaxMessageBytes bounds a message.
const MaxMessageBytes = maxMessageBytes
