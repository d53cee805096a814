package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"tileserver/raster"
)

func (p *program) read(ctx context.Context, args []string) error {
	set := flags("read")
	level := set.Int("level", 0, "`N` Level to read: 0 is full resolution, then come the overviews")
	windowText := set.String("window", "", "`X,Y,WIDTH,HEIGHT` Pixels of the level to read (default all)")
	bandsText := set.String("bands", "", "`LIST` Bands to write, such as 3,2,1 (default all)")
	out := set.String("o", "", "`FILE` File to write")
	arguments, err := p.parse(set, args)
	if err != nil {
		return err
	}
	from, err := oneFile("read", arguments)
	if err != nil {
		return err
	}
	if *out == "" {
		return usageError("read needs -o OUT")
	}
	config := defaultConfig()
	f, _, err := newOpener(openerConfig{workers: config.Workers, inFlight: config.InFlight}).openFile(ctx, from.path, reading{})
	if err != nil {
		return err
	}
	defer f.Close()
	m, err := pageOf(f, from.page)
	if err != nil {
		return err
	}
	d, err := newDump(m, *level, *windowText, *bandsText)
	if err != nil {
		return err
	}
	if isSameFile(from.path, *out) {
		return usageError("read would overwrite %s", from.path)
	}
	file, err := os.Create(*out)
	if err != nil {
		return err
	}
	return errors.Join(d.write(ctx, file), file.Close())
}

func isSameFile(path, other string) bool {
	a, errA := os.Stat(path)
	b, errB := os.Stat(other)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// dump is the samples of a window of a level, to be written band after band.
type dump struct {
	provider raster.Provider
	level    int
	window   raster.Rect
	bands    []int
}

func newDump(provider raster.Provider, level int, window, bands string) (*dump, error) {
	info := provider.Info()
	if level < 0 || level >= len(info.Levels) {
		return nil, usageError("no level %d; the last is %d", level, len(info.Levels)-1)
	}
	d := &dump{provider: provider, level: level, window: info.Levels[level].Bounds(), bands: info.AllBands()}
	if window != "" {
		n, err := integers(window)
		if err != nil || len(n) != 4 {
			return nil, usageError("--window must be x,y,width,height, not %q", window)
		}
		d.window = raster.Rect{X0: n[0], Y0: n[1], X1: n[0] + n[2], Y1: n[1] + n[3]}
		if d.window.Empty() || d.window.Intersect(info.Levels[level].Bounds()) != d.window {
			return nil, usageError("--window %s reaches beyond the %d x %d pixels of the level", window, info.Levels[level].Width, info.Levels[level].Height)
		}
	}
	if bands != "" {
		n, err := integers(bands)
		if err != nil {
			return nil, usageError("--bands must be numbers such as 3,2,1, not %q", bands)
		}
		d.bands = n
		for i := range d.bands {
			d.bands[i]--
		}
		if err := info.CheckRequest(level, nil, d.bands); err != nil {
			return nil, usageError("%v", err)
		}
	}
	return d, nil
}

func integers(text string) ([]int, error) {
	var numbers []int
	for field := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

// write reads the blocks row by row, and puts each piece where it belongs.
func (d *dump) write(ctx context.Context, w io.WriterAt) error {
	l := d.provider.Info().Levels[d.level]
	first, last := d.window.Y0/l.BlockHeight, (d.window.Y1-1)/l.BlockHeight
	for row := first; row <= last; row++ {
		strip := raster.Rect{X0: d.window.X0, Y0: max(d.window.Y0, row*l.BlockHeight), X1: d.window.X1, Y1: min(d.window.Y1, (row+1)*l.BlockHeight)}
		if err := d.writeStrip(ctx, w, l, strip); err != nil {
			return err
		}
	}
	return nil
}

// writeStrip writes rows that lie in one row of blocks.
func (d *dump) writeStrip(ctx context.Context, w io.WriterAt, l raster.Level, strip raster.Rect) error {
	ids := l.Covering(strip)
	tiles, err := d.provider.Blocks(ctx, d.level, ids, d.bands)
	if err != nil {
		return err
	}
	size := d.provider.Info().Type.Size()
	rowBytes := strip.Width() * size
	rows := make([]byte, strip.Height()*rowBytes)
	for b := range d.bands {
		for i, tile := range tiles {
			at := l.Block(ids[i])
			shared := at.Intersect(strip)
			for y := shared.Y0; y < shared.Y1; y++ {
				from := tile.Plane(b)[((y-at.Y0)*at.Width()+shared.X0-at.X0)*size:]
				copy(rows[(y-strip.Y0)*rowBytes+(shared.X0-strip.X0)*size:], from[:shared.Width()*size])
			}
		}
		toLittleEndian(rows, size)
		offset := (int64(b)*int64(d.window.Height()) + int64(strip.Y0-d.window.Y0)) * int64(rowBytes)
		if _, err := w.WriteAt(rows, offset); err != nil {
			return fmt.Errorf("writing: %w", err)
		}
	}
	return nil
}

// toLittleEndian turns samples round on machines that have them the other way.
func toLittleEndian(samples []byte, size int) {
	one := uint16(1)
	if *(*byte)(unsafe.Pointer(&one)) == 1 || size == 1 {
		return
	}
	for ; len(samples) >= size; samples = samples[size:] {
		switch size {
		case 2:
			binary.LittleEndian.PutUint16(samples, binary.BigEndian.Uint16(samples))
		case 4:
			binary.LittleEndian.PutUint32(samples, binary.BigEndian.Uint32(samples))
		case 8:
			binary.LittleEndian.PutUint64(samples, binary.BigEndian.Uint64(samples))
		}
	}
}
