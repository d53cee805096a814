package stream

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"tileserver/cache"
	"tileserver/raster"
)

// Config says which views a stream has.
type Config struct {
	Level int
	Bands []int       // nil means all
	Area  raster.Rect // the pixels that views cover; empty means the whole level

	Width, Height int // of a view without its halo; the area cuts off those at its right and lower edges
	Halo          Halo
	Border        Border
	Constant      float64 // the sample of the border Constant
	Order         Order   // nil is Rows

	Parallel int // calls of Blocks, and of the function of Each, at a time; 0 means one for each processor

	// MaxViews bounds the views in flight, and MaxBytes the memory of their pixels, of the blocks under
	// them, and of idle blocks. 0 means no bound.
	MaxViews int
	MaxBytes int64

	Memory *raster.MemoryPool // has memory for the pixels of views; nil is one of the stream's own
}

// Halo is how many pixels a view has beyond its sides.
type Halo struct{ Left, Top, Right, Bottom int }

// ErrTooManyViews means that a level has more views of a size than a stream can put in order.
var ErrTooManyViews = errors.New("too many views")

// A Stream is views of a level of a provider. It may be walked several times.
type Stream struct {
	provider raster.Provider
	config   Config
	level    raster.Level
	bands    int
	x, y     axis
	usersX   map[int][]int // by column of blocks
	usersY   map[int][]int // by row of blocks
	sequence []int64       // cells of the grid of views, by rank
	byCell   []int32       // ranks, by cell in ascending order
}

// New returns a stream. It reads nothing. A view that takes more than MaxBytes, with the blocks under it,
// is a cache.ErrOverBudget.
func New(p raster.Provider, c Config) (*Stream, error) {
	if err := p.Info().CheckRequest(c.Level, nil, c.Bands); err != nil {
		return nil, err
	}
	s := &Stream{provider: p, level: p.Info().Levels[c.Level], bands: len(c.Bands)}
	if c.Bands == nil {
		s.bands = len(p.Info().Bands)
	}
	if c.setDefaults(s.level); !c.isPossible(s.level) {
		return nil, fmt.Errorf("views of %dx%d pixels with a halo of %v over %v of a level of %dx%d: %w", c.Width, c.Height, c.Halo, c.Area, s.level.Width, s.level.Height, raster.ErrNoSuchBlock)
	}
	s.config = c
	s.x = axis{s.level.Width, s.level.BlockWidth, c.Area.X0, c.Area.X1, c.Width, c.Halo.Left, c.Halo.Right, c.Border.across()}
	s.y = axis{s.level.Height, s.level.BlockHeight, c.Area.Y0, c.Area.Y1, c.Height, c.Halo.Top, c.Halo.Bottom, c.Border.down()}
	if err := s.checkSize(); err != nil {
		return nil, err
	}
	s.usersX, s.usersY = s.x.users(), s.y.users()
	return s, s.arrange()
}

func (c *Config) setDefaults(l raster.Level) {
	if c.Area == (raster.Rect{}) {
		c.Area = l.Bounds()
	}
	if c.Order == nil {
		c.Order = Rows
	}
	if c.Memory == nil {
		c.Memory = new(raster.MemoryPool)
	}
	if c.Parallel == 0 {
		c.Parallel = runtime.GOMAXPROCS(0)
	}
}

// isPossible reports whether the area lies in a level, and the border exists, and no side is negative.
func (c *Config) isPossible(l raster.Level) bool {
	isInside := !c.Area.Empty() && c.Area.Intersect(l.Bounds()) == c.Area
	return isInside && c.Width > 0 && c.Height > 0 && c.Border <= World &&
		min(c.Halo.Left, c.Halo.Top, c.Halo.Right, c.Halo.Bottom) >= 0 && c.Parallel >= 0 && c.MaxViews >= 0 && c.MaxBytes >= 0
}

// The bounds of what a stream knows of its views beforehand: 12 bytes of each view, and about 64 of each block
// of a row or column of them.
const (
	maxViews = 1 << 22
	maxUses  = 1 << 20
)

// checkSize returns an error for views that are too large, or over too many blocks.
func (s *Stream) checkSize() error {
	if uses := max(s.x.maxUses(), s.y.maxUses()); uses > maxUses {
		return fmt.Errorf("about %d blocks of %dx%d under a row or column of views: %w", uses, s.level.BlockWidth, s.level.BlockHeight, ErrTooManyViews)
	}
	if most := s.maxViewBytes(); s.config.MaxBytes > 0 && most > s.config.MaxBytes {
		return fmt.Errorf("a view of %dx%d pixels takes %d bytes with the blocks under it, %d are allowed: %w", s.config.Width, s.config.Height, most, s.config.MaxBytes, cache.ErrOverBudget)
	}
	return nil
}

// maxViewBytes returns the most memory that a view takes with the blocks under it.
func (s *Stream) maxViewBytes() int64 {
	width, blocksWidth, columns := s.x.most()
	height, blocksHeight, rows := s.y.most()
	return s.pixelBytes(width, height) + s.pixelBytes(blocksWidth, blocksHeight) + int64(columns)*int64(rows)*blockOverheadBytes
}

// blockOverheadBytes is the approximate memory that a block takes besides its pixels.
const blockOverheadBytes = 512

// pixelBytes returns the memory that pixels take with their coverage.
func (s *Stream) pixelBytes(width, height int) int64 {
	const more = 1 << 60 // than any machine has
	info := s.provider.Info()
	bytes := s.bands*info.Type.Size() + 1
	if hasOwnCoverage(info) {
		bytes = s.bands * (info.Type.Size() + 1)
	}
	return int64(min(float64(width)*float64(height)*float64(bytes), more))
}

// hasOwnCoverage reports whether each band may have its own coverage: a value of its own that marks nodata, or
// NaN.
func hasOwnCoverage(info *raster.Info) bool {
	return info.Type.IsFloat() || info.Type.IsComplex() || slices.ContainsFunc(info.Bands, func(b raster.Band) bool { return b.HasNoData })
}

// arrange puts the views in order.
func (s *Stream) arrange() error {
	columns, rows := s.x.count(), s.y.count()
	for p := range s.config.Order(columns, rows) {
		if !p.isIn(columns, rows) {
			return fmt.Errorf("view %d,%d of a grid of %dx%d: %w", p.Column, p.Row, columns, rows, raster.ErrNoSuchBlock)
		}
		if len(s.sequence) == maxViews {
			return fmt.Errorf("over %d of a grid of %dx%d: %w", maxViews, columns, rows, ErrTooManyViews)
		}
		s.byCell = append(s.byCell, int32(len(s.sequence)))
		s.sequence = append(s.sequence, s.cell(p))
	}
	slices.SortFunc(s.byCell, func(a, b int32) int { return cmp.Compare(s.sequence[a], s.sequence[b]) })
	for i := range s.byCell[min(1, len(s.byCell)):] {
		if cell := s.sequence[s.byCell[i]]; cell == s.sequence[s.byCell[i+1]] {
			return fmt.Errorf("view %d,%d twice: %w", cell%int64(columns), cell/int64(columns), raster.ErrNoSuchBlock)
		}
	}
	return nil
}

// cell returns the number of a view in the grid, row by row.
func (s *Stream) cell(p Position) int64 { return int64(p.Row)*int64(s.x.count()) + int64(p.Column) }

// rank returns the rank of a view, if it is in the stream.
func (s *Stream) rank(p Position) (rank int32, isIn bool) {
	at, isIn := slices.BinarySearchFunc(s.byCell, s.cell(p), func(rank int32, cell int64) int { return cmp.Compare(s.sequence[rank], cell) })
	if !isIn {
		return 0, false
	}
	return s.byCell[at], true
}

// Len returns the number of views.
func (s *Stream) Len() int { return len(s.sequence) }
