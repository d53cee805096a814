package nitf

import (
	"errors"
	"math"
	"testing"

	"tileserver/decode"
	"tileserver/decode/nitf/nitftest"
	"tileserver/raster"
)

// largeImages are images of one stream, with the rows that are decoded alone; 0 means all.
func largeImages() map[string]struct {
	image nitftest.Image
	rows  int
} {
	large := nitftest.Image{Width: 1055, Height: 1003, Bits: 12, Value: noise}
	with := func(change func(m *nitftest.Image)) nitftest.Image {
		m := large
		change(&m)
		return m
	}
	three := make([]nitftest.Band, 3)
	smooth := func(x, y, band int) float64 { return float64(x/9+y/7+11*band) / 2 }
	return map[string]struct {
		image nitftest.Image
		rows  int
	}{
		"JPEG":          {with(func(m *nitftest.Image) { m.Compression = "C3" }), 248},
		"lossless JPEG": {with(func(m *nitftest.Image) { m.Compression, m.Lossless.RestartRows = "C5", 5 }), 245},
		"JPEG of half chroma": {with(func(m *nitftest.Image) {
			m.Compression, m.Bits, m.Bands, m.Representation, m.Mode, m.HalfChroma = "C3", 8, three, "YCbCr601", "P", true
			m.Value = smooth
		}), 160},
		"without restarts": {with(func(m *nitftest.Image) { m.Compression = "C5" }), 0},
		"a scan for a band": {with(func(m *nitftest.Image) {
			m.Compression, m.Height, m.Bands, m.Representation = "C5", 371, three, "MULTI"
		}), 0},
		"bands in a scan": {with(func(m *nitftest.Image) {
			m.Compression, m.Height, m.Bands, m.Representation, m.Mode, m.Lossless.RestartRows = "C5", 371, three, "MULTI", "P", 1
		}), 82},
	}
}

// A tile of a large image that is one stream takes the rows of the tile to decode, where the stream
// allows it.
func TestRowsOfOneStreamAreDecodedAlone(t *testing.T) {
	for name, test := range largeImages() {
		t.Run(name, func(t *testing.T) {
			m := openImage(t, test.image)
			level := m.Info().Levels[0]
			rows := test.rows
			if rows == 0 {
				rows = test.image.Height
			}
			if level.BlockHeight != rows || level.BlockWidth != test.image.Width {
				t.Fatalf("blocks of %dx%d, want %dx%d", level.BlockWidth, level.BlockHeight, test.image.Width, rows)
			}
			last := (test.image.Height - 1) / rows
			for _, row := range []int{last, 0, last / 2} {
				id := raster.BlockID{Row: row}
				tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{id}, []int{0})
				if err != nil {
					t.Fatal(err)
				}
				rect := level.Block(id)
				if damage := tiles[0].Damage(); !damage.IsZero() {
					t.Fatalf("block %d: %v", row, damage)
				}
				for y := rect.Y0; y < rect.Y1; y += 7 {
					for x := 0; x < rect.X1; x += 13 {
						got, _ := tiles[0].At(0, x, y-rect.Y0)
						if want := test.image.Value(x, y, 0); math.Abs(got-want) > 4 {
							t.Fatalf("%d,%d is %g, want %g", x, y, got, want)
						}
					}
				}
			}
		})
	}
}

// Rows before the end of a file that is cut are shown.
func TestRowsOfACutStream(t *testing.T) {
	file := nitftest.File{Images: []nitftest.Image{largeImages()["JPEG"].image}}.Bytes()
	m := open(t, file[:len(file)/2]).Images()[0]
	if err := m.Unsupported(); err != nil {
		t.Fatal(err)
	}
	for row, isSound := range []bool{true, true, false, false, false} {
		tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{Row: row}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if damage := tiles[0].Damage(); damage.IsZero() != isSound {
			t.Errorf("block %d: %v", row, damage)
		}
	}
}

// A small file cannot make a reader go through pixels without end.
func TestStreamsOfAnyClaimedSize(t *testing.T) {
	for name, m := range map[string]nitftest.Image{
		"one block":   {Fields: nitftest.Fields{"NROWS": "00065535", "NCOLS": "00065535", "NPPBH": "0000", "NPPBV": "0000"}},
		"many blocks": {Fields: nitftest.Fields{"NROWS": "81919999", "NCOLS": "81919999", "NBPR": "9999", "NBPC": "9999", "NPPBH": "8192", "NPPBV": "8192"}},
	} {
		m.Compression, m.Width, m.Height = "C3", 512, 64
		image := open(t, nitftest.File{Images: []nitftest.Image{m}}.Bytes()).Images()[0]
		if err := image.Unsupported(); !errors.Is(err, decode.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
