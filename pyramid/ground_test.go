package pyramid

import (
	"math"
	"testing"

	"tileserver/geo"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// Degrees of longitude shrink toward the poles; those of latitude hardly change. Without a place on
// the earth, the distance is that of the lattice.
func TestGroundDistances(t *testing.T) {
	placement, err := geo.NewAffinePlacement(geo.Affine{A: 0.1, C: 10, E: -0.1, F: 60})
	if err != nil {
		t.Fatal(err)
	}
	source := &rastertest.Synthetic{Name: "heights", Has: rastertest.Flat(raster.Uint8, 40, 30, 1, 16, 16)}
	placed := NewGeoreferenced(source, geo.CRS84(), placement)
	view := View{Lattice: geo.Lattice{ResolutionX: 1, ResolutionY: -1}, Rect: raster.Rect{X0: 7, Y0: 0, X1: 9, Y1: 30}}
	along, across := placed.GroundDistances(view)
	for y, want := range map[int]float64{0: 5589, 29: 6066} {
		if math.Abs(along[y]-want) > 30 || math.Abs(across[y]-11140) > 30 {
			t.Errorf("row %d: %v m along and %v m across, want %v and 11140", y, along[y], across[y], want)
		}
	}
	view.Rect.X0 = 0
	if moved, _ := placed.GroundDistances(view); moved[0] != along[0] {
		t.Errorf("views of one lattice have the distances %v and %v", moved[0], along[0])
	}
	view.Lattice = geo.Lattice{ResolutionX: 3, ResolutionY: -5}
	along, across = New(source).GroundDistances(view)
	if along[4] != 3 || across[4] != 5 || len(along) != 30 || len(across) != 30 {
		t.Errorf("without a place: %v and %v", along, across)
	}
}
