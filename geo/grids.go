package geo

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"tileserver/geo/internal/epsg"
	"tileserver/geo/internal/gridshift"
)

// Grids holds the grid files of datum shifts that an operator has. Datums that have one are moved
// by its nodes, to centimeters, and by the shift of the registry elsewhere. A grid is read when a
// system needs it for the first time, and then stays in memory. Grids is safe for concurrent use.
type Grids struct {
	config GridsConfig
	files  map[string]GridFile // by name in lower case
	key    string

	mutex  sync.Mutex
	loaded map[string]*gridshift.Grid // by name as in the registry; nil for those that cannot be read
	bytes  int64
	datums map[gridsOf]*datumGrids
}

// GridsConfig configures Grids.
type GridsConfig struct {
	Files    []GridFile
	MaxBytes int64                        // for all grids in memory
	Warn     func(name string, err error) // told of a grid that cannot be used; or nil
}

// GridFile is a file in the format NTv2 (.gsb), or one of a pair in the format NADCON (.las, .los).
type GridFile struct {
	Name    string // without a folder
	Version string // identifies the content
	Read    func() ([]byte, error)
}

// NewGrids returns the grids of files. Those that the registry does not know are never read.
func NewGrids(config GridsConfig) *Grids {
	g := &Grids{config: config, files: map[string]GridFile{}, loaded: map[string]*gridshift.Grid{}, datums: map[gridsOf]*datumGrids{}}
	for _, file := range config.Files {
		g.files[strings.ToLower(file.Name)] = file
	}
	var versions []string
	for name, file := range g.files {
		versions = append(versions, name+"@"+file.Version)
	}
	slices.Sort(versions)
	g.key = strings.Join(versions, " ")
	return g
}

// Key identifies the grids: equal keys mean equal coordinates. It is empty if there are none.
func (g *Grids) Key() string {
	if g == nil {
		return ""
	}
	return g.key
}

// Bytes returns the memory that grids take at present.
func (g *Grids) Bytes() int64 {
	if g == nil {
		return 0
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return g.bytes
}

// WithGrids returns the same system for transforms that use grids, at both of their ends. Its key
// is the same.
func (c *CRS) WithGrids(grids *Grids) *CRS {
	if grids == nil || len(grids.files) == 0 {
		return c
	}
	other := *c
	other.grids = grids
	return &other
}

// GridsKey returns the key of the grids of a system, or an empty text.
func (c *CRS) GridsKey() string { return c.grids.Key() }

// gridsOf names a datum and the area in which a system uses it.
type gridsOf struct {
	datum   int
	area    Bounds
	hasArea bool
}

// of returns the grids that move the datum of a system, or nil.
func (g *Grids) of(c *CRS) *datumGrids {
	if g == nil || c.datum.code == 0 || !c.datum.shifted {
		return nil
	}
	key := gridsOf{c.datum.code, c.area, c.hasArea}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if found, ok := g.datums[key]; ok {
		return found
	}
	found := g.load(key)
	g.datums[key] = found
	return found
}

func (g *Grids) load(key gridsOf) *datumGrids {
	shifts, err := epsg.GridShifts(key.datum)
	if err != nil {
		return nil // a broken extract, which tests would have found
	}
	slices.SortStableFunc(shifts, func(a, b epsg.GridShift) int { return key.compare(&a, &b) })
	var found datumGrids
	for _, s := range shifts {
		if grid := g.first(s.Files); grid != nil && s.Area != nil {
			found.shifts = append(found.shifts, gridShift{boundsOfArea(s.Area), grid})
		}
	}
	if len(found.shifts) == 0 {
		return nil
	}
	return &found
}

// compare orders the shifts of a system: first those that cover all of its area, then by accuracy,
// then the local ones, then the latest.
func (k *gridsOf) compare(a, b *epsg.GridShift) int {
	return cmp.Or(
		cmp.Compare(k.uncovered(a), k.uncovered(b)), cmp.Compare(a.Accuracy, b.Accuracy),
		cmp.Compare(size(a), size(b)), cmp.Compare(b.Code, a.Code),
	)
}

// uncovered returns 0 for a shift that covers nearly all of the area of a system, or else 1.
func (k *gridsOf) uncovered(s *epsg.GridShift) int {
	const nearlyAll = 0.98
	if !k.hasArea || s.Area == nil {
		return 0
	}
	shared := k.area.Intersect(boundsOfArea(s.Area))
	if shared.Width()*shared.Height() >= nearlyAll*k.area.Width()*k.area.Height() {
		return 0
	}
	return 1
}

func size(s *epsg.GridShift) float64 {
	if s.Area == nil {
		return math.Inf(1)
	}
	b := boundsOfArea(s.Area)
	return b.Width() * b.Height()
}

func boundsOfArea(a *epsg.Area) Bounds { return Bounds{a.West, a.South, a.East, a.North} }

// first returns the first of several names of a grid that can be read, or nil.
func (g *Grids) first(names []string) *gridshift.Grid {
	for _, name := range names {
		grid, ok := g.loaded[name]
		if !ok {
			grid = g.read(name)
			g.loaded[name] = grid
		}
		if grid != nil {
			return grid
		}
	}
	return nil
}

// read reads a grid of one file or two. It returns nil if there is none, or if it is of no use.
func (g *Grids) read(name string) *gridshift.Grid {
	first, second, isPair := strings.Cut(name, "+")
	file, ok := g.files[first]
	other, hasOther := g.files[second]
	if !ok || isPair && !hasOther {
		return nil
	}
	grid, err := parseGrid(file, other, isPair)
	if err == nil && g.bytes+grid.Bytes() > g.config.MaxBytes {
		err = fmt.Errorf("%w: grids of over %d bytes", gridshift.ErrLimit, g.config.MaxBytes)
	}
	if err != nil {
		if g.config.Warn != nil {
			g.config.Warn(file.Name, err)
		}
		return nil
	}
	g.bytes += grid.Bytes()
	return grid
}

func parseGrid(file, other GridFile, isPair bool) (*gridshift.Grid, error) {
	first, err := file.Read()
	if err != nil {
		return nil, err
	}
	if !isPair {
		return gridshift.ParseNTv2(first)
	}
	second, err := other.Read()
	if err != nil {
		return nil, err
	}
	return gridshift.ParseNADCON(first, second)
}
