package resample

import (
	"slices"
	"testing"

	"tileserver/raster"
)

// Files of every type use 255 as full opacity. In 16-bit files, higher values are opaque too.
func TestPlainOpacity(t *testing.T) {
	b := raster.NewBuffer(raster.Uint16, 5, 1, 2)
	copy(raster.Writable[uint16](b, 1), []uint16{0, 100, 255, 300, 65535})
	tile := b.Freeze()
	folded := FoldAlpha(tile, false)
	if got, want := folded.Validity(0), []uint8{0, 100, 255, 255, 255}; !slices.Equal(got, want) {
		t.Errorf("beside plain colours: got %v, want %v", got, want)
	}
	floats := raster.NewBuffer(raster.Float32, 6, 1, 2)
	copy(raster.Writable[float32](floats, 1), []float32{0, 0.5, 1, 2, 128, 300})
	folded = FoldAlpha(floats.Freeze(), false)
	if got, want := folded.Validity(0), []uint8{0, 128, 255, 2, 128, 255}; !slices.Equal(got, want) {
		t.Errorf("of floats: got %v, want %v", got, want)
	}
	// Premultiplied colors imply that the opacity is meant as stored.
	folded = FoldAlpha(tile, true)
	if got, want := folded.Validity(0), []uint8{0, 0, 1, 1, 255}; !slices.Equal(got, want) {
		t.Errorf("beside colours that were multiplied: got %v, want %v", got, want)
	}
}
