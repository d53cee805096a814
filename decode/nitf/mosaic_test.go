package nitf

import (
	"bytes"
	"math"
	"path/filepath"
	"testing"

	"tileserver/decode/nitf/nitftest"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// Segments that are attached one below the other are one picture, with the place of all.
func TestStackedSegments(t *testing.T) {
	const first = 21
	part := func(top, height int) nitftest.Image {
		return nitftest.Image{
			Width: 37, Height: height, BlockWidth: 16, BlockHeight: 8, Value: func(x, y, band int) float64 { return noise(x, y+top, band) },
			Coordinates: "D", Corners: [4][2]float64{{50, 10}, {50, 11}, {49, 11}, {49, 10}},
		}
	}
	above, below, last := part(0, first), part(first, 19), part(first+19, 8)
	below.AttachmentLevel, below.Row = 1, first
	last.AttachmentLevel, last.Row = 2, 19
	below.Corners = [4][2]float64{{49, 10}, {49, 11}, {48, 11}, {48, 10}}
	last.Corners = [4][2]float64{{48, 10}, {48, 11}, {47, 11}, {47, 10}}
	alone := part(0, 5)
	data := nitftest.File{Images: []nitftest.Image{above, below, last, alone}}.Bytes()

	images := open(t, data).Images()
	if len(images) != 2 || images[0].Info().Levels[0].Height != first+19+8 {
		t.Fatalf("%d images, the first of %d rows", len(images), images[0].Info().Levels[0].Height)
	}
	g := images[0].Georeference()
	if south := g.Affine.F + g.Affine.E*(first+19+8-0.5); !g.HasAffine || math.Abs(south-47) > 1e-9 {
		t.Errorf("it ends at the latitude %v, want 47", south)
	}
	rastertest.Suite{
		Open: func(t *testing.T) raster.Provider { return open(t, data).Images()[0] },
		Want: func(_, band, x, y int) (float64, bool) { return noise(x, y, band), true },
	}.Run(t)
}

// Segments that tile a picture in any way are one.
func TestTiledSegments(t *testing.T) {
	part := func(column, row, width, height int) nitftest.Image {
		return nitftest.Image{
			Row: row, Column: column, Width: width, Height: height, BlockWidth: 8, BlockHeight: 8,
			Value:       func(x, y, band int) float64 { return noise(x+column, y+row, band) },
			Coordinates: "D", Corners: [4][2]float64{{50, float64(column)}, {50, float64(column + 1)}, {float64(-row), float64(column + 1)}, {float64(-row), float64(column)}},
		}
	}
	data := nitftest.File{Images: []nitftest.Image{part(0, 0, 20, 10), part(20, 0, 15, 24), part(0, 10, 20, 14)}}.Bytes()
	rastertest.Suite{
		Open: func(t *testing.T) raster.Provider {
			images := open(t, data).Images()
			if len(images) != 1 {
				t.Fatalf("%d images", len(images))
			}
			return images[0]
		},
		Want: func(_, band, x, y int) (float64, bool) { return noise(x, y, band), true },
	}.Run(t)
	g := open(t, data).Images()[0].Georeference()
	if got := g.ControlPoints; len(got) != 4 || got[1].X != 21 || got[3].Y != -10 {
		t.Errorf("control points %+v", got)
	}
}

// Segments that lie on others, or do not tile a picture, are images of their own.
func TestSegmentsThatAreNotTiled(t *testing.T) {
	for name, second := range map[string]nitftest.Image{
		"on it": {AttachmentLevel: 1}, "at a distance": {AttachmentLevel: 1, Column: 8}, "narrower": {AttachmentLevel: 1, Row: 5, Width: 6}, "of another type": {AttachmentLevel: 1, Row: 5, Bits: 16}, "attached to itself": {AttachmentLevel: 2},
	} {
		if images := open(t, nitftest.File{Images: []nitftest.Image{{}, second}}.Bytes()).Images(); len(images) != 2 {
			t.Errorf("%s: %d images", name, len(images))
		}
	}
}

// Four images of a real file are one picture, as its title says.
func TestRealMosaic(t *testing.T) {
	f, err := openReal(t, filepath.Join(testdataFolder(t), "nitf", "imaging-nitf", "ns3361c.nsf"))
	if err != nil {
		t.Fatal(err)
	}
	images := f.Images()
	if l := images[0].Info().Levels[0]; len(images) != 1 || l.Width != 512 || l.Height != 512 {
		t.Fatalf("%d images, the first of %dx%d", len(images), l.Width, l.Height)
	}
	whole, err := planesOf(t, images[0])
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range [][2]int{{256, 256}, {256, 0}, {0, 256}, {0, 0}} { // as located in the file
		part, err := planesOf(t, segmentOf(t, f, i))
		if err != nil {
			t.Fatal(err)
		}
		for y := range 256 {
			if !bytes.Equal(whole[0][(at[1]+y)*512+at[0]:][:256], part[0][y*256:][:256]) {
				t.Fatalf("row %d of image %d differs", y, i+1)
			}
		}
	}
	if g := images[0].Georeference(); !g.HasAffine || math.Abs(g.Affine.A-0.000458) > 1e-6 {
		t.Errorf("placed by %+v", g.Affine)
	}
}
