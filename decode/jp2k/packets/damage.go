package packets

import (
	"errors"
	"fmt"
)

// What is wrong with a tile.
var (
	ErrHeader  = errors.New("the header makes no sense")
	ErrBody    = errors.New("the body goes on where nothing is")
	ErrMissing = errors.New("the packet is not there, or its header is cut short")
	ErrIdle    = errors.New("the progressions lead nowhere")
	ErrHeld    = errors.New("there is more to be known of what has begun than can be held")
	ErrEmpty   = errors.New("too many headers leave out nearly everything")
)

// reasons are those of Damage, in the order of their numbers on disk.
func reasons() []error { return []error{ErrHeader, ErrBody, ErrMissing, ErrIdle, ErrHeld, ErrEmpty} }

// Damage tells of the first packet that could not be read.
type Damage struct {
	Packet int // counted from the tile's first
	Reason error
}

func (d *Damage) Error() string { return fmt.Sprintf("packets: packet %d: %v", d.Packet, d.Reason) }

func (d *Damage) Unwrap() error { return d.Reason }

// asError is d, or nil if there is none.
func (d *Damage) asError() error {
	if d == nil {
		return nil
	}
	return d
}
