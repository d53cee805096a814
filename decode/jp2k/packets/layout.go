package packets

import (
	"fmt"
	"unsafe"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/wavelet"
)

// level is one resolution of one component, and the numbers of its precincts and bands in the tile.
type level struct {
	component, resolution int
	precinctColumns       int
	precincts             int
	firstPrecinct         int // number of its first precinct in the tile
	firstBand             int // number of its first band in the tile
}

// layout numbers the precincts and bands of a tile, by component, then by resolution.
type layout struct {
	tile      *codestream.Tile
	levels    []level
	first     []int // index of the first level, by component
	bands     int
	precincts int
	blocks    int
}

// newLayout checks the geometry of a tile against the limits.
func newLayout(t *codestream.Tile, limits Limits) (*layout, error) {
	l := &layout{tile: t, first: make([]int, len(t.Components))}
	for c := range t.Components {
		l.first[c] = len(l.levels)
		for r := range t.Components[c].Resolutions {
			if err := l.add(c, r, limits); err != nil {
				return nil, fmt.Errorf("component %d, resolution %d: %w", c, r, err)
			}
		}
	}
	if t.Layers >= AllLayers || l.precincts*t.Layers > limits.Packets {
		return nil, fmt.Errorf("%d precincts of %d layers: %w", l.precincts, t.Layers, ErrLimit)
	}
	return l, nil
}

func (l *layout) add(component, resolution int, limits Limits) error {
	r := &l.tile.Components[component].Resolutions[resolution]
	precincts, ok := product(r.PrecinctColumns, r.PrecinctRows, limits.Precincts-l.precincts)
	if !ok {
		return fmt.Errorf("%d x %d precincts: %w", r.PrecinctColumns, r.PrecinctRows, ErrLimit)
	}
	if precincts > 0 && resolution > 0 && min(r.PrecinctWidthLog2, r.PrecinctHeightLog2) < 1 {
		return fmt.Errorf("precincts of one sample: %w", ErrLimit)
	}
	l.levels = append(l.levels, level{component, resolution, r.PrecinctColumns, precincts, l.precincts, l.bands})
	l.precincts += precincts
	l.bands += len(r.Bands)
	for b := range r.Bands {
		columns, rows := r.Bands[b].BlockColumns(), r.Bands[b].BlockRows()
		blocks, ok := product(columns, rows, limits.Blocks-l.blocks)
		if !ok {
			return fmt.Errorf("%d x %d code-blocks: %w", columns, rows, ErrLimit)
		}
		l.blocks += blocks
	}
	return nil
}

// product returns the product of two counts, or false if it exceeds limit. It cannot overflow.
func product(a, b, limit int) (int, bool) {
	if a <= 0 || b <= 0 {
		return 0, true
	}
	if a > limit || b > limit/a {
		return 0, false
	}
	return a * b, true
}

// level returns a resolution of a component, or nil if there is none.
func (l *layout) level(component, resolution int) *level {
	if component < 0 || component >= len(l.first) ||
		resolution < 0 || resolution >= len(l.tile.Components[component].Resolutions) {
		return nil
	}
	return &l.levels[l.first[component]+resolution]
}

// precinct returns the number of a precinct in the tile, or -1 if there is none.
func (l *layout) precinct(at PrecinctPosition) int {
	v := l.level(at.Component, at.Resolution)
	if v == nil || at.Column < 0 || at.Row < 0 || at.Column >= v.precinctColumns || at.Row >= l.resolution(v).PrecinctRows {
		return -1
	}
	return v.firstPrecinct + at.Row*v.precinctColumns + at.Column
}

// size returns the memory of l in bytes, without the tile.
func (l *layout) size() int64 {
	return int64(unsafe.Sizeof(*l)) + int64(cap(l.levels))*int64(unsafe.Sizeof(level{})) + int64(cap(l.first))*8
}

func (l *layout) resolution(v *level) *codestream.Resolution {
	return &l.tile.Components[v.component].Resolutions[v.resolution]
}

// tables returns a table without records for each band, in the order of the bands' numbers.
func (l *layout) tables() []table {
	tables := make([]table, 0, l.bands)
	for i := range l.levels {
		bands := l.resolution(&l.levels[i]).Bands
		for b := range bands {
			blocks := wavelet.Rect{X1: bands[b].BlockColumns(), Y1: bands[b].BlockRows()}
			if blocks.Empty() {
				blocks = wavelet.Rect{}
			}
			tables = append(tables, table{blocks: blocks})
		}
	}
	return tables
}
