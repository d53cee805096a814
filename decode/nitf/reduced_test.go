package nitf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"tileserver/cache"
	"tileserver/decode"
	"tileserver/decode/nitf/nitftest"
	"tileserver/decode/pool"
	"tileserver/raster"
	"tileserver/source"
)

// reducedFile returns a file of one image that was reduced, which is large enough for several blocks.
func reducedFile() []byte {
	return nitftest.File{Images: []nitftest.Image{{
		Width: 1600, Height: 1500, Compression: "I1", Value: func(x, y, _ int) float64 { return float64(20 + x/16 + y/16) },
	}}}.Bytes()
}

// A reduced picture is read and decoded once for all blocks that are read together, and once for all
// others too if there is a cache.
func TestReducedPicturesAreDecodedOnce(t *testing.T) {
	data := reducedFile()
	for name, test := range map[string]struct {
		shared *Shared
		times  int64
	}{"without a cache": {nil, 2}, "with one": {NewShared(cache.New(16 << 20)), 1}} {
		counting := &countingSource{Source: source.NewBytes("scene.ntf", data)}
		workers := pool.New(pool.Config{Workers: 2})
		f, err := Open(t.Context(), counting, Config{Pool: workers, Shared: test.shared, Key: "key"})
		if err != nil {
			t.Fatal(err)
		}
		m := f.Images()[0]
		l := m.Info().Levels[0]
		ids := l.Covering(l.Bounds())
		if _, _, err := m.Missing(t.Context()); err != nil { // finds the end of the stream
			t.Fatal(err)
		}
		before := counting.bytes.Load()
		for range 2 {
			tiles, err := m.Blocks(t.Context(), 0, ids, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, tile := range tiles {
				r := l.Block(ids[i])
				if v, _ := tile.At(0, 3, 5); v < float64(18+(r.X0+3)/16+(r.Y0+5)/16) || v > float64(22+(r.X0+3)/16+(r.Y0+5)/16) {
					t.Errorf("%s: block %v begins with %v", name, ids[i], v)
				}
			}
		}
		if read := counting.bytes.Load() - before; read > test.times*int64(len(data)) {
			t.Errorf("%s: %d bytes are read of a file of %d", name, read, len(data))
		}
		if made, want := workers.Stats().Decoded, test.times+2*int64(len(ids)); made != want {
			t.Errorf("%s: %d tasks, want %d", name, made, want)
		}
	}
}

// A request for no bands has no picture to read.
func TestReducedPictureWithoutBands(t *testing.T) {
	if tiles, err := open(t, reducedFile()).Images()[0].Blocks(t.Context(), 0, []raster.BlockID{{}}, []int{}); err != nil || tiles[0].Bands() != 0 {
		t.Errorf("%v", err)
	}
}

// A picture that cannot be read is refused by its header, not with each block.
func TestReducedPicturesThatAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		change func(frame []byte) // from its bits on
		want   string
	}{
		"too wide":   {func(f []byte) { binary.BigEndian.PutUint16(f[3:], 2049) }, "2049x750 pixels, over the maximum of 2048x2048"},
		"too high":   {func(f []byte) { binary.BigEndian.PutUint16(f[1:], 2049) }, "800x2049 pixels, over the maximum"},
		"of 12 bits": {func(f []byte) { f[0] = 12 }, "1 component of 12 bits"},
	} {
		data := reducedFile()
		at := bytes.Index(data, []byte{0xFF, 0xC0, 0, 11})
		data[at+1] = 0xC1 // extended, for 12 bits
		test.change(data[at+4:])
		err := open(t, data).Images()[0].Unsupported()
		if !errors.Is(err, decode.ErrUnsupported) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

// A stream that is damaged makes all blocks nodata, which is told.
func TestDamagedReducedPicture(t *testing.T) {
	data := reducedFile()
	at := bytes.Index(data, []byte{0xFF, 0xDA})
	clear(data[at+20 : len(data)-2])
	m := open(t, data).Images()[0]
	tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}, {Col: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, tile := range tiles {
		if tile.AnyValid() || !tile.Damage().IsTotal() {
			t.Errorf("block %d: valid %t, damage %v", i, tile.AnyValid(), tile.Damage())
		}
	}
}
