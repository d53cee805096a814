package main

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"tileserver/cmd/tileserver/memory"
	"tileserver/cmd/tileserver/usage"
	"tileserver/dataset"
	"tileserver/decode/container"
	"tileserver/display"
	"tileserver/raster"
)

func (p *program) read(ctx context.Context, args []string) error {
	set := usage.Options("read")
	level := set.Int("level", 0, "`N` Level to read: 0 is full resolution, then come the overviews")
	windowText := set.String("window", "", "`X,Y,WIDTH,HEIGHT` Pixels of the level to read (default all)")
	bandsText := set.String("bands", "", "`LIST` Bands to write, by number or name, such as 3,2,1 or red,nir (default all)")
	out := set.String("o", "", "`FILE` File to write, or - for the standard output")
	inFlight := memory.Option(set)
	arguments, err := p.parse(set, args)
	if err != nil {
		return err
	}
	image, err := oneFile(ctx, "read", arguments)
	if err != nil {
		return err
	}
	if *out == "" {
		return usage.Mistakef("read needs -o OUT")
	}
	restore, err := memory.Limit(*inFlight)
	if err != nil {
		return err
	}
	defer restore()
	f, _, err := fileOpener(*inFlight).Open(ctx, image.Path, dataset.Options{})
	if err != nil {
		return dataset.FileError{Image: image, Layer: fileLayer, Err: err}
	}
	defer f.Close()
	m, err := container.ImageOf(f, image.Number)
	if err != nil {
		return err
	}
	d, err := newDump(m, *level, *windowText, *bandsText)
	if err != nil {
		return err
	}
	if isSameFile(image.Path, *out) {
		return usage.Unusablef("read would overwrite %s", image.Path)
	}
	d.room = int64(*inFlight) / readShare
	if err = checkAnyStored(ctx, m); err == nil {
		err = p.writeDump(ctx, d, *out)
	}
	if failed := outputError(err, *out); failed != nil {
		return failed
	}
	if err != nil {
		return memory.Hint(fmt.Errorf("%v: %w", image, err), *inFlight)
	}
	return damagedOf(image.String(), d.lost.damage)
}

// checkAnyStored returns an error if the headers alone show that nothing of the image can be
// decoded. Other errors in the headers show when the pixels are read.
func checkAnyStored(ctx context.Context, m container.Image) error {
	damage, known, err := m.Missing(ctx)
	if err == nil && known && damage.IsTotal() {
		return nothingDecoded(damage)
	}
	return context.Cause(ctx)
}

// writeDump writes samples to a regular file at random offsets, with holes for missing data. To
// other outputs it writes them in sequence. It removes an incomplete file.
func (p *program) writeDump(ctx context.Context, d *dump, out string) error {
	if out == "-" {
		return cmp.Or(d.writeInOrder(ctx, p.stdout), d.checkDecoded())
	}
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		return errors.Join(cmp.Or(d.writeInOrder(ctx, file), d.checkDecoded()), file.Close())
	}
	err = errors.Join(cmp.Or(err, d.writeFile(ctx, file)), file.Close())
	if err != nil {
		return errors.Join(err, os.Remove(out))
	}
	return nil
}

// writeFile writes samples to an empty file.
func (d *dump) writeFile(ctx context.Context, file *os.File) error {
	size, err := d.bytes()
	if err != nil {
		return err
	}
	if err := file.Truncate(size); err != nil {
		return fmt.Errorf("the samples take %d bytes: %w", size, err)
	}
	return cmp.Or(d.writeAt(ctx, file), d.checkDecoded())
}

// checkDecoded returns an error if none of the samples could be decoded.
func (d *dump) checkDecoded() error {
	if d.lost.isAll() {
		return nothingDecoded(d.lost.damage)
	}
	return nil
}

func isSameFile(path, other string) bool {
	a, errA := os.Stat(path)
	b, errB := os.Stat(other)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

func newDump(provider raster.Provider, level int, window, bands string) (*dump, error) {
	info := provider.Info()
	if level < 0 || level >= len(info.Levels) {
		return nil, usage.Unusablef("no level %d; the last is %d", level, len(info.Levels)-1)
	}
	d := &dump{provider: provider, level: level, window: info.Levels[level].Bounds(), bands: info.AllBands()}
	if window != "" {
		n, err := integers(window)
		if err != nil || len(n) != 4 {
			return nil, usage.Mistakef("--window must be x,y,width,height, not %q", window)
		}
		d.window = raster.Rect{X0: n[0], Y0: n[1], X1: n[0] + n[2], Y1: n[1] + n[3]}
		if d.window.Empty() || d.window.Intersect(info.Levels[level].Bounds()) != d.window {
			return nil, usage.Unusablef("--window %s reaches beyond the %d x %d pixels of the level", window, info.Levels[level].Width, info.Levels[level].Height)
		}
	}
	if bands != "" {
		chosen, err := bandsOf(info, level, bands)
		if err != nil {
			return nil, usage.Unusablef("%v", err)
		}
		d.bands = chosen
	}
	return d, nil
}

// bandsOf parses a list of bands, which are numbers from 1 or names.
func bandsOf(info *raster.Info, level int, text string) ([]int, error) {
	numbers, err := integers(text)
	if err != nil {
		return display.BandsNamed(info, strings.Split(text, ","))
	}
	for i := range numbers {
		numbers[i]--
	}
	return numbers, info.CheckRequest(level, nil, numbers)
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

// toLittleEndian swaps the bytes of samples on big-endian machines.
func toLittleEndian(samples []byte, t raster.DataType) {
	one, size := uint16(1), t.Size()
	if t.IsComplex() {
		size = t.Part().Size()
	}
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
