package dump

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// dumped returns an image of odd size whose samples encode their position.
func dumped(blockWidth, blockHeight int) *rastertest.Synthetic {
	info := rastertest.Flat(raster.Uint16, 101, 67, 3, blockWidth, blockHeight)
	return &rastertest.Synthetic{Name: "dumped@1", Has: info, Sample: func(_, band, x, y int) (float64, bool) {
		return float64(1 + band*20000 + y*101 + x), true
	}}
}

// peakProvider records the largest number of bytes that one call returned, and whether the last was in bulk.
type peakProvider struct {
	*rastertest.Synthetic
	bytes    int
	isInBulk bool
}

func (h *peakProvider) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	tiles, err := h.Synthetic.Blocks(ctx, level, ids, bands)
	h.isInBulk = raster.IsInBulk(ctx)
	total := 0
	for _, t := range tiles {
		total += t.Width() * t.Height() * t.Bands() * t.Type().Size()
	}
	h.bytes = max(h.bytes, total)
	return tiles, err
}

func wantedDump(d *Dump) []byte {
	var out []byte
	for _, band := range d.Bands {
		for y := d.Window.Y0; y < d.Window.Y1; y++ {
			for x := d.Window.X0; x < d.Window.X1; x++ {
				v := uint16(1 + band*20000 + y*101 + x)
				out = append(out, byte(v), byte(v>>8))
			}
		}
	}
	return out
}

// The output depends neither on room nor on the order of writes. The memory in use stays within
// room, or within one block of one band.
func TestDumpsDoNotDependOnRoom(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode: a single goroutine writes dumps, so there are no races to find")
	}
	for _, block := range [][2]int{{16, 16}, {101, 1}, {7, 50}, {200, 100}} {
		for _, window := range []raster.Rect{{X1: 101, Y1: 67}, {X0: 15, Y0: 3, X1: 34, Y1: 52}, {X0: 100, Y0: 66, X1: 101, Y1: 67}} {
			for _, room := range []int64{1, 300, 2000, 5000, 1 << 20} {
				p := &peakProvider{Synthetic: dumped(block[0], block[1])}
				d := &Dump{Provider: p, Window: window, Bands: []int{2, 0}, Room: room}
				want := wantedDump(d)
				buffer := samplesBuffer{bytes: make([]byte, len(want))}
				if err := d.writeAt(t.Context(), &buffer); err != nil || !bytes.Equal(buffer.bytes, want) {
					t.Errorf("blocks of %v, window %v, room %d: %v, or other samples", block, window, room, err)
				}
				if most := max(room, int64(2*min(block[0], 101)*min(block[1], 67))); int64(p.bytes) > most {
					t.Errorf("blocks of %v, window %v: %d bytes were held, room is for %d", block, window, p.bytes, most)
				}
				var piped bytes.Buffer
				if err := d.writeInOrder(t.Context(), &piped); err != nil || !bytes.Equal(piped.Bytes(), want) {
					t.Errorf("blocks of %v, window %v, room %d, in order: %v, or other samples", block, window, room, err)
				}
			}
		}
	}
}

// sparseImage stores data in its first columns only.
type sparseImage struct{ *rastertest.Synthetic }

func (s sparseImage) Empty(_ context.Context, _ int, rect raster.Rect) (bool, error) {
	return rect.X0 >= 16, nil
}

// countedWrites counts the bytes written.
type countedWrites struct {
	io.WriterAt
	bytes int
}

func (c *countedWrites) WriteAt(p []byte, offset int64) (int, error) {
	c.bytes += len(p)
	return c.WriterAt.WriteAt(p, offset)
}

func TestMissingBlocksAreNeitherReadNorWritten(t *testing.T) {
	s := dumped(16, 16)
	s.Sample = func(_, _, x, y int) (float64, bool) { return float64(x + y), x < 16 }
	d := &Dump{Provider: sparseImage{s}, Window: raster.Rect{X1: 101, Y1: 67}, Bands: []int{0}, Room: 16 * 16 * 3}
	out := countedWrites{WriterAt: &samplesBuffer{bytes: make([]byte, 101*67*2)}}
	if err := d.writeAt(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	if s.BlocksMade() != 5 || out.bytes > 16*67*2 {
		t.Errorf("%d blocks were read, want 5; %d bytes were written, want %d at most", s.BlocksMade(), out.bytes, 16*67*2)
	}
	s.Has.Pad = 3 // stands for missing data and must be written
	d.Room = 1 << 20
	if err := d.writeAt(t.Context(), &out); err != nil || s.BlocksMade() != 5+35 {
		t.Errorf("%d blocks were read (%v), want all 35", s.BlocksMade()-5, err)
	}
}

// A file whose blocks are no units of storage is read by windows.
func TestWindowsAreReadWithoutBlocks(t *testing.T) {
	p := &rastertest.SyntheticWindows{Synthetic: dumped(16, 16)}
	d := &Dump{Provider: p, Window: raster.Rect{X0: 15, Y0: 3, X1: 34, Y1: 52}, Bands: []int{2, 0}, Room: 2000}
	var piped bytes.Buffer
	if err := d.writeInOrder(t.Context(), &piped); err != nil || !bytes.Equal(piped.Bytes(), wantedDump(d)) {
		t.Errorf("%v, or other samples", err)
	}
	if p.WindowsMade() == 0 || p.BlocksMade() != 0 {
		t.Errorf("%d windows and %d blocks were read, want windows alone", p.WindowsMade(), p.BlocksMade())
	}
}

// A window of whole rows is written as it is, but for samples that are zero.
func TestWholeRowsAreWrittenAsTheyAre(t *testing.T) {
	p := &rastertest.SyntheticWindows{Synthetic: dumped(16, 16)}
	inData := p.Sample
	p.Sample = func(level, band, x, y int) (float64, bool) {
		v, _ := inData(level, band, x, y)
		return v * min(float64(band), 1), true
	}
	d := &Dump{Provider: p, Window: raster.Rect{Y0: 3, X1: 101, Y1: 52}, Bands: []int{2, 0}, Room: 1 << 20}
	want := make([]byte, 2*101*49*2)
	for i := range 101 * 49 {
		binary.LittleEndian.PutUint16(want[2*i:], uint16(1+2*20000+3*101+i))
	}
	buffer := &samplesBuffer{bytes: make([]byte, len(want))}
	out := countedWrites{WriterAt: buffer}
	if err := d.writeAt(t.Context(), &out); err != nil || !bytes.Equal(buffer.bytes, want) {
		t.Errorf("%v, or other samples", err)
	}
	if out.bytes != len(want)/2 {
		t.Errorf("%d bytes were written, want the %d that are not zero", out.bytes, len(want)/2)
	}
}

// A file is written in one pass over the level. In order, each band is a pass of its own.
func TestFilesAreReadInBulk(t *testing.T) {
	p := &peakProvider{Synthetic: dumped(16, 16)}
	d := &Dump{Provider: p, Window: raster.Rect{X1: 101, Y1: 67}, Bands: []int{2, 0}, Room: 1 << 20}
	if err := d.WriteFile(t.Context(), filepath.Join(t.TempDir(), "out")); err != nil || !p.isInBulk {
		t.Errorf("a file is read in bulk: %v (%v)", p.isInBulk, err)
	}
	if err := d.WriteInOrder(t.Context(), io.Discard); err != nil || p.isInBulk {
		t.Errorf("bands in order are read in bulk: %v (%v)", p.isInBulk, err)
	}
}

func TestTooLargeDumpsAreRejected(t *testing.T) {
	info := rastertest.Flat(raster.Float64, 1<<31-1, 1<<31-1, 4, 1<<20, 1<<20)
	d := &Dump{Provider: &rastertest.Synthetic{Has: info}, Window: info.Levels[0].Bounds(), Bands: []int{0, 1, 2, 3}, Room: 1 << 20}
	if size, err := d.bytes(); err == nil {
		t.Errorf("they take %d bytes", size)
	}
}

func TestReadReportsDamage(t *testing.T) {
	lost := func(total bool) func(int, raster.Rect) raster.Damage {
		return func(_ int, r raster.Rect) raster.Damage {
			if r.X0 > 0 && !total {
				return raster.Damage{}
			}
			return raster.NewDamage([]raster.Loss{{Kind: "code-block", Text: "code-block 1: damaged"}}, total)
		}
	}
	for name, test := range map[string]struct {
		change func(*rastertest.Synthetic)
		text   string
		isAll  bool
	}{
		"sound":     {func(*rastertest.Synthetic) {}, "", false},
		"in part":   {func(s *rastertest.Synthetic) { s.Lost = lost(false) }, "1 code-block", false},
		"all of it": {func(s *rastertest.Synthetic) { s.Lost = lost(true) }, "1 code-block", true},
		"holes only": {func(s *rastertest.Synthetic) {
			s.Lost = func(int, raster.Rect) raster.Damage { return lost(false)(0, raster.Rect{}) }
			s.Sample = func(int, int, int, int) (float64, bool) { return 0, false }
		}, "1 code-block", true},
		"no data": {func(s *rastertest.Synthetic) {
			s.Sample = func(int, int, int, int) (float64, bool) { return 0, false }
		}, "", false},
	} {
		s := dumped(16, 16)
		test.change(s)
		d := &Dump{Provider: s, Window: raster.Rect{X1: 101, Y1: 67}, Bands: []int{0}, Room: 1000}
		var out strings.Builder
		if err := d.writeInOrder(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		if d.lost.damage.String() != test.text || d.lost.isAll() != test.isAll {
			t.Errorf("%s: %q, all: %v; want %q, %v", name, d.lost.damage, d.lost.isAll(), test.text, test.isAll)
		}
	}
}
