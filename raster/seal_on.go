//go:build invariants || race

package raster

import (
	"fmt"
	"hash/crc32"
)

// seal is what a tile's samples were when it was frozen, in builds that check
// invariants (the tag "invariants", or the race detector).
type seal struct{ sum uint32 }

func sealOf(data []byte) seal { return seal{crc32.ChecksumIEEE(data)} }

// CheckFrozen panics, in builds that check invariants, if somebody wrote to t
// after it was frozen.
func (t Tile) CheckFrozen() {
	if t.p != nil && sealOf(t.p.data) != t.p.seal {
		panic(fmt.Sprintf("raster: a frozen %dx%d tile was written to", t.p.width, t.p.height))
	}
}
