package nitf

import (
	"context"
	"errors"
	"fmt"

	"tileserver/cache"
	jpegstream "tileserver/codec/jpeg"
	jpeg "tileserver/codec/jpeg/decoder"
	"tileserver/codec/jpeg/downsampled"
	"tileserver/decode"
	"tileserver/decode/blocks"
	"tileserver/decode/container"
	"tileserver/decode/pool"
	"tileserver/raster"
	"tileserver/source"
)

// reducedJPEG is a compression that only this format has: the image is reduced, and then coded as
// one stream.
const reducedJPEG blocks.Compression = "downsampled jpeg"

// maxReducedSide is the maximum side of the picture in the stream, by the standard.
const maxReducedSide = 2048

// Shared holds what open files share: the reduced pictures of images, which all of their blocks are
// made from.
type Shared struct {
	pictures *cache.Space[string, reducedPicture] // by the key of the image
}

// NewShared keeps pictures in a cache. If it is nil, each request decodes them anew.
func NewShared(c *cache.Cache) *Shared {
	return &Shared{cache.NewSpace[string, reducedPicture](c, "reduced pictures")}
}

// reducedPicture is the picture of a stream, row by row.
type reducedPicture struct {
	width, height int
	samples       []uint8
}

// Size returns the memory of the picture.
func (p reducedPicture) Size() int64 { return int64(cap(p.samples)) }

// enlargements is a batch whose tasks are windows of an image that was reduced.
type enlargements struct {
	picture       reducedPicture
	width, height int // of the image
	pieces        []*piece
}

func (b enlargements) Len() int { return len(b.pieces) }

// Do enlarges a window of the picture.
func (b enlargements) Do(i int) error {
	p := b.pieces[i]
	scaling := downsampled.Scaling{FromWidth: b.picture.width, FromHeight: b.picture.height, Width: b.width, Height: b.height}
	window := downsampled.Window{Left: p.within.X0, Top: p.within.Y0, Width: p.within.Width(), Height: p.within.Height()}
	return scaling.Enlarge(p.job.Target.Plane(p.firstBand), window, b.picture.samples)
}

// enlarge makes pieces of the reduced picture, which it decodes if the cache does not have it. It
// returns those that are corrupt, which are all or none.
func (m *blockImage) enlarge(ctx context.Context, pieces []*piece) (corrupt []pool.TaskError, err error) {
	if len(pieces) == 0 {
		return nil, nil
	}
	stream := pieces[0].at.where
	picture, err := m.file.config.Shared.pictures.FetchOne(ctx, m.key, func(ctx context.Context) (reducedPicture, error) {
		return m.readPicture(ctx, stream)
	})
	if errors.Is(err, decode.ErrCorruptBlock) {
		for i := range pieces {
			corrupt = append(corrupt, pool.TaskError{Index: i, Count: len(pieces), Err: err})
		}
		return corrupt, nil
	}
	if err != nil {
		return nil, err
	}
	return m.file.config.Pool.Decode(ctx, enlargements{picture, m.grid.width, m.grid.height, pieces})
}

// pictureTask is a batch of one task, which decodes the picture of a stream.
type pictureTask struct {
	stream []byte
	made   *reducedPicture
}

func (pictureTask) Len() int { return 1 }

// Do decodes the picture.
func (t pictureTask) Do(int) (err error) {
	*t.made, err = decodeReduced(t.stream)
	return err
}

// readPicture reads and decodes the picture of a stream. The caller has reserved the memory.
func (m *blockImage) readPicture(ctx context.Context, stream source.Range) (made reducedPicture, err error) {
	parts, err := m.file.src.ReadRanges(ctx, []source.Range{stream})
	if err != nil {
		return made, err
	}
	corrupt, err := m.file.config.Pool.Decode(ctx, pictureTask{parts[0], &made})
	if err == nil && len(corrupt) > 0 {
		err = corrupt[0].Err
	}
	return made, err
}

// pictureBytes returns the memory for the reduced picture of an image that has one: its stream, its
// samples and the decoder's scratch memory. A batch needs it once.
func (m *blockImage) pictureBytes(plans []blockPlan) int64 {
	if m.coding.compression != reducedJPEG || len(plans[0].pieces) == 0 {
		return 0
	}
	stored := plans[0].pieces[0].at.where.Length
	layout := blocks.Layout{Width: maxReducedSide, Samples: 1, Type: raster.Uint8, Bits: 8}
	return stored + maxReducedSide*maxReducedSide + blocks.ScratchBytes(blocks.JPEG, &layout, maxReducedSide, stored)
}

// decodeReduced decodes the picture of a stream.
func decodeReduced(stream []byte) (made reducedPicture, err error) {
	decoder := new(jpeg.Decoder)
	frame, err := openReduced(decoder, stream)
	if err != nil {
		return made, err
	}
	picture := jpeg.Picture[uint8]{Width: frame.Width, Height: frame.Height}
	picture.Planes[0] = make([]uint8, frame.Width*frame.Height)
	if err := decoder.Decode8(&picture); err != nil {
		return made, fmt.Errorf("%w: %w", decode.ErrCorruptBlock, err)
	}
	return reducedPicture{frame.Width, frame.Height, picture.Planes[0]}, nil
}

// openReduced opens a stream, if its picture is one that an image can be reduced to.
func openReduced(decoder *jpeg.Decoder, stream []byte) (frame jpeg.Frame, err error) {
	frame, err = decoder.Open(stream, nil)
	switch {
	case errors.Is(err, jpeg.ErrUnsupported):
		return frame, fmt.Errorf("%w: %w", decode.ErrUnsupported, err)
	case err != nil:
		return frame, fmt.Errorf("%w: %w", decode.ErrCorruptBlock, err)
	case frame.Width > maxReducedSide || frame.Height > maxReducedSide:
		return frame, fmt.Errorf("downsampled JPEG of %dx%d pixels, over the maximum of %dx%d: %w", frame.Width, frame.Height, maxReducedSide, maxReducedSide, decode.ErrUnsupported)
	case frame.Components != 1 || frame.Bits > 8:
		return frame, fmt.Errorf("downsampled JPEG of %s of %d bits: %w", container.Counted(frame.Components, "component"), frame.Bits, decode.ErrUnsupported)
	}
	return frame, nil
}

// setReduced checks that an image is one that can be reduced.
func (c *coding) setReduced(g *grid) error {
	c.compression = reducedJPEG
	if c.bands != 1 || c.layout.Type != raster.Uint8 || g.count() != 1 {
		return fmt.Errorf("downsampled JPEG of %d bands of %v in %d blocks: %w", c.bands, c.layout.Type, g.count(), decode.ErrUnsupported)
	}
	return nil
}

// checkPicture returns an error if the header of the stream says that its picture is not supported.
// Damage shows when the picture is read.
func (m *blockImage) checkPicture(ctx context.Context) error {
	if m.coding.compression != reducedJPEG {
		return nil
	}
	const headBytes = 64 << 10
	head := m.header.Content
	head.Length = min(head.Length, headBytes)
	parts, err := m.file.src.ReadRanges(ctx, []source.Range{head})
	if err != nil {
		return err
	}
	splitter := jpegstream.Splitter{Limit: 1}
	if splitter.Add(parts[0]); len(splitter.Streams) == 0 {
		return nil
	}
	_, err = openReduced(new(jpeg.Decoder), parts[0][splitter.Streams[0].Offset:])
	if errors.Is(err, decode.ErrUnsupported) {
		return err
	}
	return nil
}
