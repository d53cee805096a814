package packets

import (
	"errors"
	"fmt"
)

// The reasons of a Damage.
var (
	ErrHeader       = errors.New("invalid packet header")
	ErrBody         = errors.New("the packet body extends beyond the available bytes")
	ErrMissing      = errors.New("missing packet, or truncated packet header")
	ErrIdle         = errors.New("the progressions repeat too many packets")
	ErrTooMuchState = errors.New("the state of unfinished packets needs too much memory")
	ErrEmpty        = errors.New("too many packet headers skip nearly all code-blocks")
)

// reasons returns the reasons, in the order of their numbers on disk.
func reasons() []error {
	return []error{ErrHeader, ErrBody, ErrMissing, ErrIdle, ErrTooMuchState, ErrEmpty}
}

// Damage describes the first packet that could not be read.
type Damage struct {
	Packet int // number of the packet in the tile
	Reason error
}

func (d *Damage) Error() string { return fmt.Sprintf("packets: packet %d: %v", d.Packet, d.Reason) }

func (d *Damage) Unwrap() error { return d.Reason }

// asError returns d, or a nil error if d is nil.
func (d *Damage) asError() error {
	if d == nil {
		return nil
	}
	return d
}
