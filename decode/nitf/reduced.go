package nitf

import (
	"errors"
	"fmt"

	jpeg "tileserver/codec/jpeg/decoder"
	"tileserver/codec/jpeg/downsampled"
	"tileserver/decode"
	"tileserver/decode/blocks"
	"tileserver/raster"
)

// reducedJPEG is a compression that only this format has: the image is reduced, and then coded as
// one stream.
const reducedJPEG blocks.Compression = "downsampled jpeg"

// maxReducedSide is the maximum side of the picture in the stream, by the standard.
const maxReducedSide = 2048

// reducedBatch is a batch whose tasks are windows of an image that was reduced.
type reducedBatch struct {
	width, height int
	pieces        []*piece
}

func (b reducedBatch) Len() int { return len(b.pieces) }

// Do decodes the reduced picture and enlarges a window of it.
func (b reducedBatch) Do(i int) error {
	p := b.pieces[i]
	reduced, frame, err := decodeReduced(p.job.Source)
	if err != nil {
		return err
	}
	scaling := downsampled.Scaling{FromWidth: frame.Width, FromHeight: frame.Height, Width: b.width, Height: b.height}
	window := downsampled.Window{Left: p.within.X0, Top: p.within.Y0, Width: p.within.Width(), Height: p.within.Height()}
	return scaling.Enlarge(p.job.Target.Plane(p.firstBand), window, reduced)
}

// decodeReduced decodes the picture of a stream.
func decodeReduced(stream []byte) ([]uint8, jpeg.Frame, error) {
	decoder := new(jpeg.Decoder)
	frame, err := decoder.Open(stream, nil)
	switch {
	case errors.Is(err, jpeg.ErrUnsupported):
		return nil, frame, fmt.Errorf("%w: %w", decode.ErrUnsupported, err)
	case err != nil:
		return nil, frame, fmt.Errorf("%w: %w", decode.ErrCorruptBlock, err)
	case frame.Components != 1 || frame.Bits > 8 || frame.Width > maxReducedSide || frame.Height > maxReducedSide:
		return nil, frame, fmt.Errorf("a reduced picture of %dx%d, %d components of %d bits: %w", frame.Width, frame.Height, frame.Components, frame.Bits, decode.ErrUnsupported)
	}
	picture := jpeg.Picture[uint8]{Width: frame.Width, Height: frame.Height}
	picture.Planes[0] = make([]uint8, frame.Width*frame.Height)
	if err := decoder.Decode8(&picture); err != nil {
		return nil, frame, fmt.Errorf("%w: %w", decode.ErrCorruptBlock, err)
	}
	return picture.Planes[0], frame, nil
}

// setReduced checks that an image is one that can be reduced.
func (c *coding) setReduced(g *grid) error {
	c.compression = reducedJPEG
	if c.bands != 1 || c.layout.Type != raster.Uint8 || g.count() != 1 {
		return fmt.Errorf("downsampled JPEG of %d bands of %v in %d blocks: %w", c.bands, c.layout.Type, g.count(), decode.ErrUnsupported)
	}
	return nil
}
