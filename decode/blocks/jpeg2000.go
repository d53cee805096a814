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

// jpeg2000Codec decodes small blocks that are whole codestreams of JPEG 2000 or HTJ2K, or files of
// one. Each is decoded on the worker that runs its job. Code-blocks are not cached: a block is
// decoded as a whole, and its pixels take less memory than its coefficients. Formats read large
// blocks in parts, with OpenJPEG2000.
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
	stored := memory(job.source())
	whole := source.Range{Length: stored.Size()}
	config := components.Config{Pool: d.pool, Key: "block", Shared: d.shared, BatchBytes: d.memory.max}
	bands := make([]raster.Band, job.Layout.Samples)
	provider, err := OpenJPEG2000(components.NewReader(context.Background(), stored, whole), whole, config, job.Layout, job.Rows, bands)
	if err != nil {
		return err
	}
	rect := raster.Rect{X1: job.Target.Width(), Y1: job.Target.Height()}
	tile, err := ReadResolution(context.Background(), provider, job.Layout.Halvings, rect, job.Samples)
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

// OpenJPEG2000 opens the codestream in a range of a source, alone or in a file of its own, if it is
// what a layout says of a block of so many rows.
func OpenJPEG2000(r *components.Reader, extent source.Range, config components.Config, l *Layout, rows int, bands []raster.Band) (*pixels.Provider, error) {
	container, err := boxes.Read(r, boxes.Limits{})
	if err != nil {
		return nil, err
	}
	inside := source.Range{Offset: extent.Offset + container.Codestream.Offset, Length: container.Codestream.Length}
	stream, err := components.Open(r.Section(inside), config)
	if err != nil {
		return nil, err
	}
	if err := checkCodestream(stream.Header(), l); err != nil {
		return nil, err
	}
	image := pixels.Image{Key: config.Key, Info: raster.Info{Type: l.Type, Bands: bands}}
	for i := range l.Samples {
		image.Bands = append(image.Bands, pixels.Band{Component: i})
	}
	provider, err := pixels.NewProvider(stream, image)
	if err != nil {
		return nil, err
	}
	return provider, checkResolution(provider.Info().Levels, l, rows)
}

// checkCodestream returns an error if the samples of a codestream do not fit the block.
func checkCodestream(h *codestream.Header, l *Layout) error {
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

// checkResolution returns an error if a codestream is larger than its block.
func checkResolution(levels []raster.Level, l *Layout, rows int) error {
	lowest := min(l.Halvings, len(levels)-1)
	missing := l.Halvings - lowest
	if s := levels[lowest]; s.Width > l.Width<<missing || s.Height > rows<<missing {
		return fmt.Errorf("JPEG 2000 of %dx%d in a block of %dx%d: %w", s.Width, s.Height, l.Width<<missing, rows<<missing, decode.ErrCorruptBlock)
	}
	return nil
}

// ReadResolution reads a rectangle of a codestream whose sides are halved so many times. If the
// codestream has fewer resolutions, it takes pixels of the lowest one: those that lie where the pixels
// of the missing one would.
func ReadResolution(ctx context.Context, p *pixels.Provider, halvings int, rect raster.Rect, bands []int) (raster.Tile, error) {
	levels := p.Info().Levels
	lowest := min(halvings, len(levels)-1)
	missing := halvings - lowest
	l := levels[lowest]
	if right, bottom := (l.Width+1<<missing-1)>>missing, (l.Height+1<<missing-1)>>missing; right < rect.X1 || bottom < rect.Y1 {
		return raster.Tile{}, fmt.Errorf("JPEG 2000 of %dx%d, of which %d,%d is needed: %w", right, bottom, rect.X1, rect.Y1, decode.ErrCorruptBlock)
	}
	if missing == 0 {
		return p.Window(ctx, halvings, rect, bands)
	}
	return readEveryNth(ctx, p, missing, rect, bands)
}

// readEveryNth reads a rectangle of the lowest resolution of a codestream, from which it takes one
// pixel of each 2^halvings in both directions. It holds some rows at a time.
func readEveryNth(ctx context.Context, p *pixels.Provider, halvings int, rect raster.Rect, bands []int) (raster.Tile, error) {
	lowest := len(p.Info().Levels) - 1
	target := raster.NewBuffer(p.Info().Type, rect.Width(), rect.Height(), len(bands))
	rows := max(rect.Height()>>(2*halvings), 1)
	for y := 0; y < rect.Height(); y += rows {
		strip := raster.Rect{X0: rect.X0, Y0: rect.Y0 + y, X1: rect.X1, Y1: min(rect.Y0+y+rows, rect.Y1)}
		finer := raster.Rect{X0: strip.X0 << halvings, Y0: strip.Y0 << halvings, X1: (strip.X1-1)<<halvings + 1, Y1: (strip.Y1-1)<<halvings + 1}
		tile, err := p.Window(ctx, lowest, finer, bands)
		if err != nil {
			return raster.Tile{}, err
		}
		takeEveryNth(target, y, tile, 1<<halvings)
		target.InheritDamage(tile)
	}
	return target.Freeze(), nil
}

// takeEveryNth copies every n-th pixel of every n-th row to the rows from top on.
func takeEveryNth(to *raster.Buffer, top int, from raster.Tile, n int) {
	size, width := from.Type().Size(), to.Width()
	rows := (from.Height() + n - 1) / n
	for band := range from.Bands() {
		pixels, valid := from.Plane(band), from.Validity(band)
		taken := to.Plane(band)[top*width*size:]
		for i := range rows * width {
			at := i/width*n*from.Width() + i%width*n
			copy(taken[i*size:][:size], pixels[at*size:])
			if valid != nil && valid[at] != raster.Valid {
				to.OwnValidity(band)[top*width+i] = valid[at]
			}
		}
	}
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
