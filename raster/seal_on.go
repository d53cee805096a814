//go:build invariants || race

package raster

import (
	"fmt"
	"hash/crc32"
)

// seal is a checksum of a tile's samples when it was frozen. It exists in builds that check
// invariants (build tag "invariants", or the race detector).
type seal struct{ sum uint32 }

func sealOf(data []byte) seal { return seal{crc32.ChecksumIEEE(data)} }

// CheckFrozen panics if t was written to after it was frozen.
func (t Tile) CheckFrozen() {
	if t.p != nil && sealOf(t.p.data) != t.p.seal {
		panic(fmt.Sprintf("raster: a frozen %dx%d tile was written to", t.p.width, t.p.height))
	}
}
