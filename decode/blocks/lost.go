package blocks

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"tileserver/codec/ccitt"
	inflate "tileserver/codec/deflate/decoder"
	"tileserver/codec/lzma"
	"tileserver/codec/lzw"
	"tileserver/codec/next"
	"tileserver/codec/packbits"
	"tileserver/codec/thunderscan"
	"tileserver/raster"
)

// Lost is what is lost of a block of which the rest is sound.
type Lost struct {
	Damage raster.Damage

	// Coverage has a plane of the size of Target for each of Samples. It is 0 where pixels are lost.
	// A nil plane means that none is.
	Coverage [][]uint8
}

// lose records that the pixels of a row from a column on are lost, in all samples.
func (j *Job) lose(row, column int, why raster.Loss) { j.loseFrom(row, row+1, column, why) }

// loseRows records that all rows from one on are lost.
func (j *Job) loseRows(row int, why raster.Loss) {
	j.loseFrom(row, j.Target.Height(), 0, why)
}

func (j *Job) loseFrom(row, end, column int, why raster.Loss) {
	width, height := j.Target.Width(), j.Target.Height()
	if row >= height || column >= width {
		return // beyond the image
	}
	if j.Lost == nil {
		j.Lost = &Lost{Coverage: make([][]uint8, len(j.Samples))}
		plane := make([]uint8, width*height)
		for i := range plane {
			plane[i] = raster.Valid
		}
		for i := range j.Lost.Coverage {
			j.Lost.Coverage[i] = plane
		}
	}
	for ; row < end; row++ {
		clear(j.Lost.Coverage[0][row*width:][column:width])
	}
	j.Lost.Damage = j.Lost.Damage.Join(raster.NewDamage([]raster.Loss{why}, false))
}

// The kinds of parts of a block that may be lost.
const (
	lostRow  = "row"
	lostRows = "block"
)

// hasSoundPart reports whether what a decompressor has written until an error is sound, and the job
// takes it. That is so if the input ends too early. A stream of bytes may also seem to because it is
// corrupt, unless the file ends there.
func (j *Job) hasSoundPart(err error) bool {
	isOneOf := func(all ...error) bool {
		return slices.ContainsFunc(all, func(one error) bool { return errors.Is(err, one) })
	}
	return j.TakesParts && (isOneOf(ccitt.ErrTruncated, next.ErrTruncated, thunderscan.ErrTruncated) ||
		j.IsCut && isOneOf(inflate.ErrTruncated, lzma.ErrTruncated, lzw.ErrTruncated, packbits.ErrTruncated, io.ErrUnexpectedEOF))
}

// rowsIn returns how many rows lie completely in so many decompressed bytes.
func (l *Layout) rowsIn(bytes int) int {
	if l.isSubsampled() {
		return bytes / l.chromaBlockRowBytes() * l.Subsampling.Vertical
	}
	return bytes / l.RowBytes()
}

// endsEarly returns the error of a block of which only so many bytes could be decompressed, or
// records what is lost of it if the job takes parts.
func (j *Job) endsEarly(bytes, needed int, err error) error {
	if err == nil {
		err = fmt.Errorf("ends after %d of %d bytes", bytes, needed)
	}
	return j.endsAtRow(j.Layout.rowsIn(bytes), err)
}

// endsAtRow is endsEarly for a block of which so many rows could be decoded.
func (j *Job) endsAtRow(rows int, err error) error {
	if !j.TakesParts || rows == 0 {
		return corruptBlock(err)
	}
	j.loseRows(rows, raster.Loss{Kind: lostRows, Text: fmt.Sprintf("from row %d on: %v", rows, err)})
	return nil
}
