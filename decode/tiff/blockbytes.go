package tiff

import (
	"fmt"
	"math"
	"strconv"

	"tileserver/decode"
	"tileserver/decode/blocks"
)

// pictureBands is the number of bands that one call must be able to read: colors and alpha. Callers
// that need more bands than fit must read them in several calls.
const pictureBands = 4

// blockNeed is the maximum memory for reading one block, in bytes. The numbers are not integers,
// since the sides that a file claims may overflow one when multiplied.
type blockNeed struct{ stored, scratch, pixels float64 }

func (n blockNeed) total() float64 { return n.stored + n.scratch + n.pixels }

// need returns what a block of d needs for as many bands as a picture has.
func (d *directory) need() blockNeed {
	bands := float64(min(d.samples.Count, pictureBands))
	width, height := min(d.blockWidth, d.width), min(d.blockHeight, d.height)
	units := math.Ceil(float64(d.blockHeight) / float64(d.unitHeight))
	if d.samples.Planar {
		units *= bands
	}
	stored := d.largestStored(float64(d.coding.Layout.RowBytes())*float64(d.unitHeight), float64(d.stored.src.Size()))
	return blockNeed{
		stored:  units * stored,
		scratch: units * float64(blocks.ScratchBytes(d.coding.Codec, &d.coding.Layout, d.unitHeight, int64(stored))),
		pixels:  float64(width) * float64(height) * float64(d.samples.Type.Size()) * bands,
	}
}

// largestStored returns the size of the largest unit in the file if the sizes were read at opening.
// Otherwise it estimates; reading a unit checks its actual size. rows is the decompressed size of a
// unit.
func (d *directory) largestStored(rows, fileBytes float64) float64 {
	switch {
	case d.splitsStrip():
		return min(rows, fileBytes)
	case !d.stored.index.HasSizes():
		return min(float64(d.unlistedSize().Bytes), fileBytes)
	}
	largest, known := d.stored.index.LargestSize(d.stored.src.Size())
	if !known {
		return min(rows, fileBytes)
	}
	return float64(largest)
}

// checkBlocks marks an image as unsupported if its blocks need more memory than the limits allow,
// and drops such overviews. That is better than an error at every request.
func (g *imageGroup) checkBlocks(limits Limits) {
	for i := len(g.levels) - 1; i >= 0; i-- {
		l := g.levels[i]
		if l.unsupported != nil || l.isDivided() { // reading parts of codestreams bounds itself
			continue
		}
		err := l.checkBlock(g.masks[i], limits)
		switch {
		case err == nil:
		case i == 0:
			l.unsupported = err
		default:
			g.note("overview %v cannot be read: %v", l, err)
			g.drop(i)
		}
	}
}

func (d *directory) checkBlock(mask *directory, limits Limits) error {
	n := d.need()
	if mask != nil {
		m := d.maskNeed(mask)
		n = blockNeed{n.stored + m.stored, n.scratch + m.scratch, n.pixels + m.pixels}
	}
	switch {
	case n.total() > float64(limits.BlockBytes):
		return blockTooLarge(fmt.Sprintf("a block of %dx%d pixels takes %s of memory (%s stored, %s decompressed, %s as pixels), over the limit of %s",
			d.blockWidth, d.blockHeight, mebibytes(n.total()), mebibytes(n.stored), mebibytes(n.scratch), mebibytes(n.pixels), mebibytes(float64(limits.BlockBytes))))
	case n.stored > float64(limits.StoredBytes):
		return blockTooLarge(fmt.Sprintf("a block of %dx%d pixels is stored in %s, over the limit of %s",
			d.blockWidth, d.blockHeight, mebibytes(n.stored), mebibytes(float64(limits.StoredBytes))))
	}
	return nil
}

// blockTooLarge is the error of a block that needs more memory than the limits allow. It matches
// ErrLimit and decode.ErrBlockTooLarge, and decode.ErrUnsupported for callers that only need to know
// that the image cannot be read.
type blockTooLarge string

func (e blockTooLarge) Error() string { return string(e) }

func (blockTooLarge) Is(target error) bool {
	return target == ErrLimit || target == decode.ErrBlockTooLarge || target == decode.ErrUnsupported
}

// mebibytes formats a size for people, rounded up.
func mebibytes(bytes float64) string {
	return strconv.FormatFloat(math.Ceil(bytes/(1<<20)*100)/100, 'f', -1, 64) + " MiB"
}
