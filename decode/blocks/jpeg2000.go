package blocks

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"tileserver/cache"
	"tileserver/decode"
	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/jp2k/pixels"
	"tileserver/decode/pool"
	"tileserver/raster"
	"tileserver/source"
)

// jpeg2000Codec decodes blocks that are whole codestreams of JPEG 2000 or HTJ2K, or files of one.
// Each is decoded on the worker that runs its job. Code-blocks are not cached: a block is decoded as
// a whole, and its pixels take less memory than its coefficients.
type jpeg2000Codec struct{ decoders sync.Pool }

func newJPEG2000() *jpeg2000Codec {
	return &jpeg2000Codec{sync.Pool{New: func() any { return newJPEG2000Decoder() }}}
}

var _ Codec = (*jpeg2000Codec)(nil)

// Decode checks the size that the codestream claims before it decodes anything. Of a damaged block
// it decodes what is sound, if the job takes parts.
func (c *jpeg2000Codec) Decode(job *Job) error {
	if err := job.checkNoColumns(); err != nil {
		return err
	}
	d := c.decoders.Get().(*jpeg2000Decoder)
	defer c.decoders.Put(d)
	d.memory.max = int64(jpeg2000WorkBytes(job.Layout, job.Rows))
	return jpeg2000Error(d.decode(job))
}

// jpeg2000Error wraps an error of the packages below decode/jp2k with the matching sentinel.
func jpeg2000Error(err error) error {
	switch {
	case err == nil || errors.Is(err, decode.ErrCorruptBlock) || errors.Is(err, decode.ErrUnsupported):
		return err
	case errors.Is(err, decode.ErrCorrupt), errors.Is(err, boxes.ErrFormat):
		return fmt.Errorf("%w: %w", decode.ErrCorruptBlock, err)
	}
	return fmt.Errorf("%w: %w", decode.ErrUnsupported, err)
}

// jpeg2000ScratchBytes returns the maximum scratch memory of a block: its pixels once more, and the
// work.
func jpeg2000ScratchBytes(l *Layout, rows int) float64 {
	return l.samplesIn(rows)*float64(l.Type.Size()) + jpeg2000WorkBytes(l, rows)
}

// jpeg2000WorkBytes returns the maximum memory for the headers, the coefficients and the wavelet.
// Where that is not enough, for a large block or one of tiny code-blocks, a part of the block is
// decoded at a time.
func jpeg2000WorkBytes(l *Layout, rows int) float64 {
	const headers, sampleBytes, longSampleBytes, longBits, maxBytes = 1 << 20, 20, 40, 16, 96 << 20
	perSample := float64(sampleBytes)
	if l.Bits > longBits {
		perSample = longSampleBytes
	}
	return headers + min(l.samplesIn(rows)*perSample, maxBytes)
}

func (l *Layout) samplesIn(rows int) float64 {
	return float64(l.Width) * float64(rows) * float64(l.Samples)
}

// jpeg2000Decoder decodes one block at a time and keeps scratch memory from one to the next.
type jpeg2000Decoder struct {
	pool   *pool.Pool
	memory bound
	shared *components.Shared
}

func newJPEG2000Decoder() *jpeg2000Decoder {
	d := &jpeg2000Decoder{shared: components.NewShared(cache.New(0), 0)}
	d.pool = pool.New(pool.Config{Workers: 1, Budget: &d.memory})
	return d
}

func (d *jpeg2000Decoder) decode(job *Job) error {
	provider, err := d.open(job)
	if err != nil {
		return err
	}
	rect := raster.Rect{X1: job.Target.Width(), Y1: job.Target.Height()}
	tile, err := provider.Window(context.Background(), job.Layout.Halvings, rect, job.Samples)
	if err != nil {
		return err
	}
	damage := tile.Damage()
	if !damage.IsZero() && (damage.IsTotal() || !job.TakesParts) {
		return fmt.Errorf("%w: %s", decode.ErrCorruptBlock, damage.Losses()[0].Text)
	}
	lost := &Lost{Damage: damage, Coverage: make([][]uint8, len(job.Samples))}
	for i := range job.Samples {
		copy(job.Target.Plane(job.FirstBand+i), tile.Plane(i))
		lost.Coverage[i] = tile.Validity(i)
	}
	if !damage.IsZero() {
		job.Lost = lost
	}
	return nil
}

// open opens the codestream of a block, if it is what the layout says.
func (d *jpeg2000Decoder) open(job *Job) (*pixels.Provider, error) {
	stored := memory(job.source())
	whole := components.NewReader(context.Background(), stored, source.Range{Length: stored.Size()})
	container, err := boxes.Read(whole, boxes.Limits{})
	if err != nil {
		return nil, err
	}
	extent := source.Range{Offset: container.Codestream.Offset, Length: container.Codestream.Length}
	stream, err := components.Open(whole.Section(extent), components.Config{
		Pool: d.pool, Key: "block", Shared: d.shared, BatchBytes: d.memory.max,
	})
	if err != nil {
		return nil, err
	}
	if err := checkCodestream(stream.Header(), job); err != nil {
		return nil, err
	}
	image := pixels.Image{Info: raster.Info{Type: job.Layout.Type, Bands: make([]raster.Band, job.Layout.Samples)}}
	for i := range job.Layout.Samples {
		image.Bands = append(image.Bands, pixels.Band{Component: i})
	}
	provider, err := pixels.NewProvider(stream, image)
	if err != nil {
		return nil, err
	}
	return provider, checkResolution(provider.Info().Levels, job)
}

// checkCodestream returns an error if the samples of a codestream do not fit the block.
func checkCodestream(h *codestream.Header, job *Job) error {
	l := job.Layout
	if len(h.Components) != l.Samples {
		return fmt.Errorf("JPEG 2000 of %d components in an image of %d samples: %w", len(h.Components), l.Samples, decode.ErrCorruptBlock)
	}
	lowest, _ := l.Type.Limits()
	isSigned := lowest < 0
	for i, c := range h.Components {
		if c.Bits > 8*l.Type.Size() || c.Signed != isSigned {
			return fmt.Errorf("JPEG 2000 whose component %d has %d bits, signed %v, for %v: %w", i, c.Bits, c.Signed, l.Type, decode.ErrUnsupported)
		}
	}
	return nil
}

// checkResolution returns an error if the resolution that the layout asks for does not fit the
// block.
func checkResolution(levels []raster.Level, job *Job) error {
	l, t := job.Layout, job.Target
	if l.Halvings >= len(levels) {
		return fmt.Errorf("JPEG 2000 of %d resolutions, of which number %d is needed: %w", len(levels), l.Halvings+1, decode.ErrCorruptBlock)
	}
	if s := levels[l.Halvings]; s.Width > l.Width || s.Height > job.Rows || s.Width < t.Width() || s.Height < t.Height() {
		return fmt.Errorf("JPEG 2000 of %dx%d in a block of %dx%d: %w", s.Width, s.Height, l.Width, job.Rows, decode.ErrCorruptBlock)
	}
	return nil
}

// Halvings returns how many times the sides of a JPEG2000 block can be halved by decoding it at a
// lower resolution. head is the block, or as much of its beginning as has the headers.
func Halvings(head []byte) (int, error) {
	r := components.NewReader(context.Background(), memory(head), source.Range{Length: int64(len(head))})
	container, err := boxes.Read(r, boxes.Limits{})
	if err != nil {
		return 0, err
	}
	extent := source.Range{Offset: container.Codestream.Offset, Length: container.Codestream.Length}
	header, err := codestream.ReadHeader(r.Section(extent), codestream.Limits{})
	if err != nil {
		return 0, err
	}
	halvings := header.Levels(0)
	for i := range header.Components {
		halvings = min(halvings, header.Levels(i))
	}
	return halvings, nil
}

// memory is a source of bytes in memory that are known by nothing but their place.
type memory []byte

var _ source.Source = memory(nil)

func (memory) Name() string    { return "block" }
func (memory) Version() string { return "" }
func (m memory) Size() int64   { return int64(len(m)) }
func (memory) Close() error    { return nil }

// ReadRanges returns parts of the bytes themselves.
func (m memory) ReadRanges(_ context.Context, ranges []source.Range) ([][]byte, error) {
	if err := source.CheckBounds(ranges, m.Size()); err != nil {
		return nil, err
	}
	parts := make([][]byte, len(ranges))
	for i, r := range ranges {
		parts[i] = m[r.Offset:r.End():r.End()]
	}
	return parts, nil
}

// bound is a budget of bytes that a single job uses. The job's caller has reserved them.
type bound struct{ max int64 }

var _ pool.Budget = (*bound)(nil)

// Acquire fails if there will never be so many bytes.
func (b *bound) Acquire(_ context.Context, n int64) error {
	if n > b.max {
		return fmt.Errorf("over the limit of %d bytes for such a block: %w", b.max, decode.ErrUnsupported)
	}
	return nil
}

// Release does nothing, since Acquire never waits.
func (b *bound) Release(int64) {}

// Max returns the bytes of the job.
func (b *bound) Max() int64 { return b.max }
