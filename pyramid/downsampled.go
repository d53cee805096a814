package pyramid

import (
	"context"
	"fmt"
	"slices"

	"tileserver/raster"
)

// DownsampledConfig says what levels a Downsampled makes.
type DownsampledConfig struct {
	BlockSize int // about that of the made levels; defaultMadeBlockSize where 0

	// MinSize ends the making: the coarsest level is the first whose longer side
	// is no longer than that. 512 where 0.
	MinSize int

	// Pick makes a pixel one of those that it covers, for samples that are names
	// and not amounts: between class 1 and class 5 there is no class 3.
	Pick bool

	// Stored is what levels are made of, where the file's own blocks are others
	// than those of the source. Its pixels are the same. Nil is the source.
	Stored raster.Provider

	// MaxBytes is how much of what is stored one call of Blocks may have decoded
	// to make levels. What takes more gets a TooDearError, and is for Build. 0 is
	// no bound.
	MaxBytes int64

	// PassingBytes is how much of a finer level is kept that was made, or read, on
	// the way to a block. What takes more would drive better things out.
	PassingBytes int64

	// Lasting is where the coarsest levels are kept, as many as take LastingBytes
	// together: they are small, and the dearest to make. Nil keeps them with all
	// other blocks.
	Lasting      *Blocks
	LastingBytes int64
}

const (
	defaultMadeBlockSize = 512
	defaultMinSize       = 512
)

// Downsampled adds coarser levels to a provider whose own end too early. Each is
// half of the one before, made when it is asked for and kept as long as the
// cache has room. A pixel is the mean, by coverage, of the 2x2 pixels that it
// covers exactly, so that no level is shifted against another; where samples are
// names, it is the upper left of those that are valid.
type Downsampled struct {
	source, stored raster.Provider
	blocks         *Blocks
	config         DownsampledConfig
	key            string
	info           raster.Info
	native         int  // levels of the source
	pick           bool // in all bands
	shape          madeShape
	windows        memoryPool
}

var _ raster.SparseProvider = (*Downsampled)(nil)

// NewDownsampled returns source with more levels, whose blocks are kept in blocks.
// Blocks of the source's own levels are passed through.
func NewDownsampled(source raster.Provider, blocks *Blocks, config DownsampledConfig) *Downsampled {
	if config.BlockSize <= 0 {
		config.BlockSize = defaultMadeBlockSize
	}
	if config.MinSize <= 0 {
		config.MinSize = defaultMinSize
	}
	if config.Stored == nil {
		config.Stored = source
	}
	if config.Lasting == nil {
		config.Lasting, config.LastingBytes = blocks, 0
	}
	d := &Downsampled{source: source, stored: config.Stored, blocks: blocks, config: config}
	d.info, d.native = *source.Info(), len(source.Info().Levels)
	d.key = fmt.Sprintf("%s:downsampled:%d:%d", source.Key(), config.BlockSize, config.MinSize)
	if d.pick = config.Pick || d.info.HasPalette(); config.Pick {
		d.key += ":pick"
	}
	d.shape = newMadeShape(d.stored.Info(), config.BlockSize)
	d.info.Levels = slices.Clone(d.info.Levels)
	for {
		last := d.info.Levels[len(d.info.Levels)-1]
		if max(last.Width, last.Height) <= config.MinSize {
			return d
		}
		d.info.Levels = append(d.info.Levels, d.shape.level(last, len(d.info.Levels)-d.native+1))
	}
}

// Key returns the source's with the parameters of the made levels. Without made
// levels nothing differs from the source, and so the key does not either.
func (d *Downsampled) Key() string {
	if d.native == len(d.info.Levels) {
		return d.source.Key()
	}
	return d.key
}

// Info returns the source's with more levels.
func (d *Downsampled) Info() *raster.Info { return &d.info }

// Blocks passes the source's levels through and makes the others, unless that
// takes too much.
func (d *Downsampled) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if level >= 0 && level < d.native {
		return d.source.Blocks(ctx, level, ids, bands)
	}
	if err := d.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	m := d.making(level, bands)
	tiles, missing, err := m.kept(ctx, level, ids)
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		if err := m.checkCost(ctx, level, ids); err != nil {
			return nil, err
		}
		if err := m.complete(ctx, level, ids, tiles, missing); err != nil {
			return nil, err
		}
	}
	for i := range tiles {
		if tiles[i].IsZero() {
			tiles[i] = m.noPixels(level, ids[i])
		}
		if m.asked < len(m.bands) {
			tiles[i] = firstBands(tiles[i], m.asked)
		}
	}
	return tiles, nil
}

// firstBands returns a copy of some bands of a tile.
func firstBands(t raster.Tile, count int) raster.Tile {
	b := raster.NewBuffer(t.Type(), t.Width(), t.Height(), count)
	b.InheritDamage(t)
	validity := make([][]uint8, count)
	for band := range count {
		copy(b.Plane(band), t.Plane(band))
		validity[band] = t.Validity(band)
	}
	return b.Freeze().WithBandValidity(validity)
}

// Kept tells which of the given blocks need no work now.
func (d *Downsampled) Kept(level int, ids []raster.BlockID, bands []int) []bool {
	if level < d.native {
		return keptBy(d.source, level, ids, bands)
	}
	m := d.making(level, bands)
	return keptBlocks(d.spaceOf(level, len(m.bands)), m.keys(level, ids))
}

// spaceOf returns where the blocks of a made level are kept.
func (d *Downsampled) spaceOf(level, bands int) *Blocks {
	if level >= d.firstLasting(bands) {
		return d.config.Lasting
	}
	return d.blocks
}

// firstLasting returns the finest level that is kept for good as a whole, with all that
// are coarser.
func (d *Downsampled) firstLasting(bands int) int {
	first, bytes := len(d.info.Levels), int64(0)
	for ; first > d.native; first-- {
		l := d.info.Levels[first-1]
		bytes += int64(l.Width) * int64(l.Height) * pixelBytes(&d.info, bands)
		if bytes > d.config.LastingBytes {
			break
		}
	}
	return first
}

// withAlpha adds the band of opacity to those that are asked for, if colors are
// to be weighed by it: a transparent pixel may hold any color. alpha is where it
// is, or -1.
func (d *Downsampled) withAlpha(bands []int) (all []int, alpha int) {
	if bands == nil {
		bands = d.info.AllBands()
	}
	band := d.info.Alpha()
	if band < 0 || d.pick || d.info.Premultiplied || len(bands) == 1 && bands[0] == band {
		return bands, -1
	}
	if at := slices.Index(bands, band); at >= 0 {
		return bands, at
	}
	return append(slices.Clone(bands), band), len(bands)
}

// picks tells of each of some bands whether its pixels are picked.
func (d *Downsampled) picks(bands []int) []bool {
	picks := make([]bool, len(bands))
	for i := range bands {
		picks[i] = d.pick || d.info.IsClassified(bands[i:i+1])
	}
	return picks
}
