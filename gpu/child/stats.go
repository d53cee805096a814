package child

import "time"

// State is what a device does.
type State int

// The states of a device.
const (
	Asleep State = iota // until it is first used
	Starting
	Ready
	Down // after a failure, until it is started again
)

func (s State) String() string { return [...]string{"asleep", "starting", "ready", "down"}[s] }

// Stats are numbers for metrics. All but the state count from the start of the program.
type Stats struct {
	State            State
	Starts, Failures int64 // of the child

	Batches           int64 // that succeeded
	BytesIn, BytesOut int64
	Waited            time.Duration // for memory while other batches used it
}

// Stats returns the numbers of the device.
func (d *Device) Stats() Stats {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.stats
	s.State = d.state()
	return s
}

func (d *Device) state() State {
	switch p := d.process; {
	case p == nil && d.breaker.failure == nil:
		return Asleep
	case p == nil, isClosed(p.ended):
		return Down
	case isClosed(p.opened):
		return Ready
	}
	return Starting
}

// waited counts a wait.
func (d *Device) waited(t time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stats.Waited += t
}
