package nitf

import (
	"bytes"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/container"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/nitf/nitftest"
	"tileserver/geo"
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

// Codestreams of JPEG 2000 that tile a picture are one, with the levels in which all of them begin
// with a whole pixel.
func TestTiledCodestreams(t *testing.T) {
	const width, height, depth = 24, 20, 2
	stream := func(column, row, width int) []byte {
		return jp2ktest.Image{
			Header: codestreamtest.Header{
				Image: wavelet.Rect{X1: width, Y1: height}, FirstTile: wavelet.Rect{X1: width, Y1: height},
				Components: []codestream.Component{{Bits: 8, DX: 1, DY: 1}}, Coding: codestreamtest.Coding{Levels: depth},
			},
			Sample: func(_, x, y int) int64 { return int64(noise(x+column, y+row, 0)) },
		}.Codestream()
	}
	for name, test := range map[string]struct{ first, levels int }{"whole": {width, 3}, "halves": {width - 2, 2}, "odd": {width - 1, 1}} {
		part := func(column, row, width int) nitftest.Image {
			return nitftest.Image{Column: column, Row: row, Width: width, Height: height, Compression: "C8", Data: stream(column, row, width)}
		}
		f := open(t, nitftest.File{Images: []nitftest.Image{part(0, 0, test.first), part(test.first, 0, 2*width-test.first), part(0, height, 2*width)}}.Bytes())
		images := f.Images()
		if len(images) != 1 || len(images[0].Info().Levels) != test.levels {
			t.Fatalf("%s: %d images, levels %+v", name, len(images), images[0].Info().Levels)
		}
		if notes := f.Notes(); len(notes) != 1 || strings.Contains(notes[0], "cannot be joined") != (test.levels <= depth) {
			t.Errorf("%s: notes %q", name, notes)
		}
		rastertest.Suite{
			Open: func(*testing.T) raster.Provider { return images[0] },
			Want: func(level, _, x, y int) (float64, bool) {
				if level > 0 {
					return 128, true
				}
				return noise(x, y, 0), true
			},
			Tolerance: 256, // of the coarse levels
		}.Run(t)
		if test.levels > depth {
			compareWithParts(t, f, images[0], 2*width)
		}
	}
}

// compareWithParts checks that the second level of a picture has the pixels of its parts there.
func compareWithParts(t *testing.T, f *File, picture container.Image, width int) {
	t.Helper()
	read := func(m container.Image) raster.Tile {
		l := m.Info().Levels[1]
		ids := l.Covering(l.Bounds())
		tiles, err := m.Blocks(t.Context(), 1, ids, nil)
		if err != nil {
			t.Fatal(err)
		}
		stitcher := raster.NewStitcher(m.Info().Type, l.Bounds(), 1)
		for i, tile := range tiles {
			stitcher.Put(tile, l.Block(ids[i]))
		}
		return stitcher.Freeze()
	}
	whole := read(picture)
	if whole.Width() != width/2 {
		t.Fatalf("%d columns, want %d", whole.Width(), width/2)
	}
	for i := range f.structure.Images {
		h, part := &f.structure.Images[i], read(segmentOf(t, f, i))
		for y := range part.Height() {
			for x := range part.Width() {
				got, _ := whole.At(0, x+h.Column/2, y+h.Row/2)
				if want, _ := part.At(0, x, y); got != want {
					t.Fatalf("pixel %d,%d of part %d is %v, want %v", x, y, i+1, got, want)
				}
			}
		}
	}
}

// The camera model of a part is moved to the pixels of the picture.
func TestModelOfAMosaic(t *testing.T) {
	const side = 100
	model := nitftest.RPC{
		LineOffset: 30, SampleOffset: 50, LatitudeOffset: 40, LongitudeOffset: 10, LineScale: 30, SampleScale: 50, LatitudeScale: 0.003, LongitudeScale: 0.01, HeightScale: 500,
		LineNumerator: [20]float64{0, 0, -1}, LineDenominator: [20]float64{1}, SampleNumerator: [20]float64{0, 1}, SampleDenominator: [20]float64{1},
	}
	output := [4][2]float64{{0.5, 0.5}, {0.5, 100.5}, {50.5, 0.5}, {50.5, 100.5}}
	chip := nitftest.Chip{Output: output, Full: [4][2]float64{{10.5, 20.5}, {10.5, 220.5}, {110.5, 20.5}, {110.5, 220.5}}} // twice as fine
	for name, tres := range map[string][]nitftest.TRE{"whole": {model.TRE()}, "chip": {model.TRE(), chip.TRE()}} {
		part := nitftest.Image{Width: side, Height: 60, TREs: tres}
		alone := open(t, nitftest.File{Images: []nitftest.Image{part}}.Bytes()).Images()[0]
		right, left := part, part
		right.Column, left.TREs = side, nil
		picture := open(t, nitftest.File{Images: []nitftest.Image{right, left}}.Bytes()).Images()[0]
		if l := picture.Info().Levels[0]; l.Width != 2*side {
			t.Fatalf("%s: %d columns", name, l.Width)
		}
		want, err := container.Locate(t.Context(), alone, container.Placing{RequiresRPC: true})
		if err != nil {
			t.Fatal(err)
		}
		got, err := container.Locate(t.Context(), picture, container.Placing{RequiresRPC: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []geo.Point{{}, {X: 7, Y: 31}, {X: side, Y: 60}} {
			there := geo.Point{X: at.X + side, Y: at.Y}
			a, b := want.Placement.Place(at), got.Placement.Place(there)
			if math.Hypot(a.X-b.X, a.Y-b.Y) > 1e-9 {
				t.Errorf("%s: pixel %v of the picture is at %v, want %v", name, there, b, a)
			}
		}
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
