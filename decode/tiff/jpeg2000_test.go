package tiff

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tileserver/cache"
	"tileserver/decode/blocks"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
	"tileserver/source"
)

// jpeg2000 is an image of codestreams.
func jpeg2000(img tifftest.Image, change func(*jp2ktest.Image)) tifftest.Image {
	if img.Compression == tifftest.None {
		img.Compression = 34712
	}
	img.Samples, img.Bits = max(img.Samples, 1), max(img.Bits, 8)
	if img.Value == nil {
		img.Value = wave(img.Bits, img.Format)
	}
	if !img.Tiled {
		img.BlockWidth = img.Width
	}
	img.Stored = func(column, row, plane int) []byte {
		height := img.BlockHeight
		if !img.Tiled {
			height = min(height, img.Height-row*img.BlockHeight)
		}
		m := jp2ktest.Image{
			Header: codestreamtest.Header{
				Image: wavelet.Rect{X1: img.BlockWidth, Y1: height}, Components: jp2ktest.Components(img.Samples, img.Bits),
				Coding: codestreamtest.Coding{Levels: 2, BlockWidthLog2: 5, BlockHeightLog2: 5},
			},
		}
		if img.Planar {
			m.Components = m.Components[:1]
		}
		for i := range m.Components {
			m.Components[i].Signed = img.Format == tifftest.Signed
		}
		if change != nil {
			change(&m)
		}
		m.Sample = func(component, x, y int) int64 {
			c := m.Components[component]
			x, y = column*img.BlockWidth/c.DX+x, row*img.BlockHeight/c.DY+y
			return int64(img.Value(x, y, component+plane))
		}
		return m.Codestream()
	}
	return img
}

func TestJPEG2000Blocks(t *testing.T) {
	for _, test := range []struct {
		name   string
		img    tifftest.Image
		change func(*jp2ktest.Image)
	}{
		{"tiles", tifftest.Image{Tiled: true, BlockWidth: 48, BlockHeight: 32, Samples: 3}, nil},
		{"the number of lossy ones", tifftest.Image{Tiled: true, BlockWidth: 48, BlockHeight: 32, Samples: 3, Compression: 33004}, nil},
		{"slides", tifftest.Image{Tiled: true, BlockWidth: 48, BlockHeight: 32, Samples: 3, Compression: 33005, Photometric: tifftest.YCbCr}, nil},
		{"transformed colors", tifftest.Image{Tiled: true, BlockWidth: 48, BlockHeight: 32, Samples: 3}, func(m *jp2ktest.Image) {
			m.Coding.MultipleComponentTransform, m.Steps = true, codestreamtest.ReversibleSteps(9, 2)
		}},
		{"tiles within tiles", tifftest.Image{Tiled: true, BlockWidth: 48, BlockHeight: 32}, func(m *jp2ktest.Image) {
			m.FirstTile = wavelet.Rect{X1: 20, Y1: 20}
		}},
		{"strips", tifftest.Image{BlockHeight: 30, Samples: 2, Bits: 12}, nil},
		{"one strip", tifftest.Image{BlockHeight: 71, Samples: 1, Bits: 16, Format: tifftest.Signed}, nil},
		{"planes", tifftest.Image{Tiled: true, BlockWidth: 48, BlockHeight: 32, Samples: 3, Planar: true}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.img.Width, test.img.Height = 101, 71
			img := jpeg2000(test.img, test.change)
			f := open(t, tifftest.File{Images: []tifftest.Image{img}})
			m := f.Images()[0]
			if err := m.Unsupported(); err != nil {
				t.Fatal(err)
			}
			checkLevel(t, m, 0, func(x, y, band int) float64 { return float64(int64(img.Value(x, y, band))) }, 0)
			if space := m.Info().Colors.Space; space != raster.RGB {
				t.Errorf("the colors are %v", space)
			}
		})
	}
}

// A slide has luminance and chroma, of which half as many columns may be stored.
func TestJPEG2000OfSubsampledChroma(t *testing.T) {
	img := jpeg2000(tifftest.Image{
		Width: 101, Height: 71, Tiled: true, BlockWidth: 48, BlockHeight: 32, Samples: 3, Compression: 33003, Photometric: tifftest.RGB,
	}, func(m *jp2ktest.Image) { m.Components[1].DX, m.Components[2].DX = 2, 2 })
	m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
	checkLevel(t, m, 0, func(x, y, band int) float64 {
		if band > 0 {
			x /= 2
		}
		return float64(int64(img.Value(x, y, band)))
	}, 0)
	if space := m.Info().Colors.Space; space != raster.YCbCr {
		t.Errorf("the colors are %v", space)
	}
}

// resolutionsImage has blocks that can be halved twice.
func resolutionsImage(side int) tifftest.Image {
	return jpeg2000(tifftest.Image{
		Width: 700, Height: 430, Tiled: true, BlockWidth: side, BlockHeight: side,
		Value: func(x, y, band int) float64 { return float64(x/4 + y/8) },
	}, nil)
}

func TestResolutionsOfBlocksAreLevels(t *testing.T) {
	for _, test := range []struct {
		side, levels int
	}{{256, 3}, {128, 2}, {64, 1}} {
		img := resolutionsImage(test.side)
		m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
		if got := len(m.Info().Levels); got != test.levels {
			t.Errorf("tiles of %d give %d levels, want %d", test.side, got, test.levels)
		}
		for level := range m.Info().Levels {
			checkLevel(t, m, level, func(x, y, band int) float64 { return img.Value(x<<level, y<<level, band) }, 3)
		}
	}
	withOverview := []tifftest.Image{resolutionsImage(256), {Width: 350, Height: 215, Value: wave(8, tifftest.Unsigned), Subfile: tifftest.Overview}}
	if got := len(open(t, tifftest.File{Images: withOverview}).Images()[0].Info().Levels); got != 2 {
		t.Errorf("an image with an overview has %d levels, want 2", got)
	}
}

// smooth has averages that resolutions come close to.
func smooth(x, y, band int) float64 { return float64(x/16+y/8+8*band) / 2 }

// Large codestreams are read in parts, which lie in one codestream each.
func TestLargeJPEG2000IsReadInParts(t *testing.T) {
	for _, test := range []struct {
		name   string
		img    tifftest.Image
		blocks [2]int // of the finest level
	}{
		{"one strip", tifftest.Image{BlockHeight: 1091}, [2]int{512, 512}},
		{"one tile that is larger than the image", tifftest.Image{Tiled: true, BlockWidth: 1248, BlockHeight: 1104}, [2]int{512, 512}},
		{"strips", tifftest.Image{BlockHeight: 1000}, [2]int{512, 500}},
		{"tiles", tifftest.Image{Tiled: true, BlockWidth: 1168, BlockHeight: 912, Samples: 3}, [2]int{292, 456}},
		{"strips of a prime number of rows", tifftest.Image{BlockHeight: 997}, [2]int{1217, 997}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.img.Width, test.img.Height, test.img.Value = 1217, 1091, smooth
			img := jpeg2000(test.img, nil)
			m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
			levels := m.Info().Levels
			if got := [2]int{levels[0].BlockWidth, levels[0].BlockHeight}; got != test.blocks {
				t.Errorf("blocks of %v, want %v", got, test.blocks)
			}
			for level := range levels {
				checkLevel(t, m, level, func(x, y, band int) float64 { return math.Trunc(img.Value(x<<level, y<<level, band)) }, 3*float64(min(level, 1)))
			}
		})
	}
}

// Code-blocks of parts are those of the shared cache: another read decodes none of them again.
func TestPartsOfCodestreamsAreCached(t *testing.T) {
	img := jpeg2000(tifftest.Image{Width: 1100, Height: 1000, BlockHeight: 1000, Value: smooth}, nil)
	shared := components.NewShared(cache.New(64<<20), 8<<20)
	data := source.NewBytes("test", encode(t, tifftest.File{Images: []tifftest.Image{img}}))
	f, err := Open(t.Context(), data, Config{Pool: testPool(), Codestreams: components.Config{Shared: shared}})
	if err != nil {
		t.Fatal(err)
	}
	read := func(ids ...raster.BlockID) int64 {
		t.Helper()
		before := shared.Stats().Decoded
		if _, err := f.Images()[0].Blocks(t.Context(), 0, ids, nil); err != nil {
			t.Fatal(err)
		}
		return shared.Stats().Decoded - before
	}
	whole := int64(3 * ((1100+31)/32 + 1) * ((1000+31)/32 + 1))
	if n := read(raster.BlockID{}); n == 0 || n > whole/3 {
		t.Errorf("a part of a codestream of about %d code-blocks decodes %d", whole, n)
	}
	if n := read(raster.BlockID{}); n != 0 {
		t.Errorf("the same part decodes %d code-blocks again", n)
	}
}

// Of a large codestream that is cut or damaged, the sound parts are shown.
func TestDamagedPartsOfCodestreams(t *testing.T) {
	img := jpeg2000(tifftest.Image{Width: 3500, Height: 768, Tiled: true, BlockWidth: 1536, BlockHeight: 768, Value: wave(8, tifftest.Unsigned)}, nil)
	stored := img.Stored
	var beginning []byte // the same of all blocks
	img.Stored = func(column, row, plane int) []byte {
		if column == 2 {
			return beginning
		}
		block := stored(column, row, plane)
		beginning = block[:20]
		if column == 1 {
			return block[:len(block)*2/3]
		}
		return block
	}
	m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
	tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}, {Col: 4, Row: 1}, {Col: 6}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ damaged, total, valid bool }{{false, false, true}, {true, false, true}, {true, true, false}} {
		d := tiles[i].Damage()
		if d.IsZero() == want.damaged || d.IsTotal() != want.total || tiles[i].AnyValid() != want.valid {
			t.Errorf("block %d: lost %v %v, total: %t, valid pixels: %t", i, d, d.Losses(), d.IsTotal(), tiles[i].AnyValid())
		}
		if prefix := fmt.Sprintf("block %d,0 of directory 1: ", i); want.damaged && !strings.HasPrefix(d.Losses()[0].Text, prefix) {
			t.Errorf("lost %v, want the name of the block", d.Losses())
		}
	}
}

// A block that has fewer resolutions than the others is no damage.
func TestBlocksOfFewerResolutions(t *testing.T) {
	for _, side := range []int{256, 1152} {
		img := tifftest.Image{Width: 2*side - 5, Height: side, Tiled: true, BlockWidth: side, BlockHeight: side, Value: smooth}
		levels := 2
		stored := jpeg2000(img, func(m *jp2ktest.Image) { m.Coding.Levels = levels })
		encode := stored.Stored
		stored.Stored = func(column, row, plane int) []byte {
			levels = 2 - 2*column
			return encode(column, row, plane)
		}
		m := open(t, tifftest.File{Images: []tifftest.Image{stored}}).Images()[0]
		if n := len(m.Info().Levels); n != 3 {
			t.Fatalf("%d levels, want 3", n)
		}
		for level := range m.Info().Levels {
			checkLevel(t, m, level, func(x, y, band int) float64 { return math.Trunc(smooth(x<<level, y<<level, band)) }, 3*float64(min(level, 1)))
		}
	}
}

// Of a cut or damaged codestream the sound part is shown.
func TestDamagedJPEG2000(t *testing.T) {
	img := resolutionsImage(256)
	stored := img.Stored
	img.Stored = func(column, row, plane int) []byte {
		block := stored(column, row, plane)
		switch {
		case column == 1 && row == 0:
			block = block[:len(block)*2/3]
		case column == 2 && row == 0:
			block = block[:20]
		}
		return block
	}
	m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
	tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}, {Col: 1}, {Col: 2}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		damaged, total, valid bool
	}{{false, false, true}, {true, false, true}, {true, true, false}} {
		d := tiles[i].Damage()
		if d.IsZero() == want.damaged || d.IsTotal() != want.total || tiles[i].AnyValid() != want.valid {
			t.Errorf("block %d: lost %v %v, total: %t, valid pixels: %t", i, d, d.Losses(), d.IsTotal(), tiles[i].AnyValid())
		}
		if prefix := fmt.Sprintf("block %d,0 of directory 1: ", i); want.damaged && !strings.HasPrefix(d.Losses()[0].Text, prefix) {
			t.Errorf("lost %v, want the name of the block", d.Losses())
		}
	}
}

func TestJPEG2000ThatDoesNotFitItsBlock(t *testing.T) {
	for _, test := range []struct {
		name   string
		img    tifftest.Image
		change func(*jp2ktest.Image)
		want   string
	}{
		{"larger", tifftest.Image{}, func(m *jp2ktest.Image) { m.Image.X1++ }, "of 49x32 in a block of 48x32"},
		{"more components", tifftest.Image{}, func(m *jp2ktest.Image) { m.Components = jp2ktest.Components(2, 8) }, "2 components"},
		{"more bits", tifftest.Image{}, func(m *jp2ktest.Image) { m.Components = jp2ktest.Components(1, 12) }, "12 bits"},
		{"signed", tifftest.Image{}, func(m *jp2ktest.Image) { m.Components[0].Signed = true }, "signed"},
		{"floats", tifftest.Image{Bits: 32, Format: tifftest.Float}, func(m *jp2ktest.Image) { m.Components = jp2ktest.Components(1, 8) }, "JPEG 2000 of 32-bit"},
	} {
		img := test.img
		img.Width, img.Height, img.Tiled, img.BlockWidth, img.BlockHeight = 48, 32, true, 48, 32
		img.Value = func(x, y, band int) float64 { return 1 }
		m := open(t, tifftest.File{Images: []tifftest.Image{jpeg2000(img, test.change)}}).Images()[0]
		_, err := planesOf(t, m, 0)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", test.name, err, test.want)
		}
	}
}

// A codestream that claims a huge size takes no memory.
func TestHugeJPEG2000(t *testing.T) {
	img := tifftest.Image{Width: 48, Height: 32, Tiled: true, BlockWidth: 48, BlockHeight: 32, Compression: 34712}
	img.Stored = func(int, int, int) []byte {
		return codestreamtest.Codestream(codestreamtest.Header{
			Image: wavelet.Rect{X1: 1 << 30, Y1: 1 << 30}, Components: []codestream.Component{{Bits: 8, DX: 1, DY: 1}},
			Coding: codestreamtest.Coding{Levels: 5},
		}, codestreamtest.TilePart{Body: make([]byte, 100)})
	}
	m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
	var err error
	grown := allocatedBy(func() { _, err = planesOf(t, m, 0) })
	if err == nil || grown > 4<<20 {
		t.Errorf("got %v, and %d MiB were allocated", err, grown>>20)
	}
}

func TestHalvings(t *testing.T) {
	img := resolutionsImage(64)
	if n, err := blocks.Halvings(img.Stored(0, 0, 0)[:200]); n != 2 || err != nil {
		t.Errorf("got %d, %v, want 2", n, err)
	}
	if _, err := blocks.Halvings([]byte("no codestream")); err == nil {
		t.Error("no error for something else")
	}
}
