//go:build !invariants && !race

package raster

// seal is what a tile's samples were when it was frozen, in builds that check
// invariants (the tag "invariants", or the race detector). It is nothing here.
type seal struct{}

func sealOf([]byte) seal { return seal{} }

// CheckFrozen panics, in builds that check invariants, if somebody wrote to t
// after it was frozen.
func (t Tile) CheckFrozen() {}
