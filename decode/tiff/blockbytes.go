package tiff

import (
	"fmt"
	"math"
	"strconv"

	"tileserver/decode"
)

// pictureBands is how many bands of a block must be readable at once: colours
// and their opacity. Who wants more than fit asks for them in parts.
const pictureBands = 4

// blockNeed is the bytes that reading one block takes, at most. They are not
// integers, since the sides that a file claims may multiply to any number.
type blockNeed struct{ stored, scratch, pixels float64 }

func (n blockNeed) total() float64 { return n.stored + n.scratch + n.pixels }

// need is what a block of p takes with as many bands as a picture has.
func (p *page) need() blockNeed {
	bands := float64(min(p.samples, pictureBands))
	width, height := min(p.blockWidth, p.width), min(p.blockHeight, p.height)
	units := math.Ceil(float64(p.blockHeight) / float64(p.unitHeight))
	if p.planar {
		units *= bands
	}
	stored := p.largestStored(float64(p.layout.RowBytes())*float64(p.unitHeight), float64(p.src.Size()))
	return blockNeed{
		stored:  units * stored,
		scratch: units * float64(decode.ScratchBytes(p.codec, &p.layout, p.unitHeight, int64(stored))),
		pixels:  float64(width) * float64(height) * float64(p.dataType.Size()) * bands,
	}
}

// largestStored is the size of the largest unit in the file, if opening it has
// brought up the sizes, and else a guess that errs upwards: units of more are found
// out when they are asked for.
func (p *page) largestStored(rows, fileBytes float64) float64 {
	counts := &p.index.counts
	switch {
	case p.chopped():
		return min(rows, fileBytes)
	case !counts.isThere():
		return fileBytes // the only unit ends with the file
	case counts.value == nil:
		return min(rows, fileBytes)
	}
	largest := uint64(0)
	for i := range int(p.index.units) {
		if size := uintAt(counts.value, i, counts.kind, counts.order); float64(size) <= fileBytes { // the others are errors of their own
			largest = max(largest, size)
		}
	}
	return float64(largest)
}

// checkBlocks says of an image whose blocks can never be read that it is
// unsupported, and leaves out overviews of the kind: better now than at every
// request.
func (f *family) checkBlocks(limits Limits) {
	for i := len(f.levels) - 1; i >= 0; i-- {
		l := f.levels[i]
		if l.unsupported != nil {
			continue
		}
		err := l.checkBlock(f.masks[i], limits)
		switch {
		case err == nil:
		case i == 0:
			l.unsupported = err
		default:
			f.note("overview %v cannot be read: %v", l, err)
			f.drop(i)
		}
	}
}

func (p *page) checkBlock(mask *page, limits Limits) error {
	n := p.need()
	if mask != nil {
		m := p.maskNeed(mask)
		n = blockNeed{n.stored + m.stored, n.scratch + m.scratch, n.pixels + m.pixels}
	}
	switch {
	case n.total() > float64(limits.BlockBytes):
		return blockTooLarge(fmt.Sprintf("a block of %dx%d pixels takes %s of memory (%s stored, %s decompressed, %s as pixels), over the limit of %s",
			p.blockWidth, p.blockHeight, mebibytes(n.total()), mebibytes(n.stored), mebibytes(n.scratch), mebibytes(n.pixels), mebibytes(float64(limits.BlockBytes))))
	case n.stored > float64(limits.StoredBytes):
		return blockTooLarge(fmt.Sprintf("a block of %dx%d pixels is stored in %s, over the limit of %s",
			p.blockWidth, p.blockHeight, mebibytes(n.stored), mebibytes(float64(limits.StoredBytes))))
	}
	return nil
}

// blockTooLarge says that a block takes more memory than there is for one. It is ErrLimit, and to
// those who only need to know that the image cannot be read, decode.ErrUnsupported.
type blockTooLarge string

func (e blockTooLarge) Error() string { return string(e) }

func (blockTooLarge) Is(target error) bool {
	return target == ErrLimit || target == decode.ErrUnsupported
}

// mebibytes is a size for people, rounded up.
func mebibytes(bytes float64) string {
	return strconv.FormatFloat(math.Ceil(bytes/(1<<20)*100)/100, 'f', -1, 64) + " MiB"
}
