package dataset

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"tileserver/decode"
	"tileserver/decode/container"
	"tileserver/geo"
	"tileserver/geo/sensor"
	"tileserver/layer"
	"tileserver/raster"
)

// Terrain names the image whose heights an image with a camera model is placed on. The zero Terrain
// is none.
type Terrain struct {
	Layer string // for people
	Image Address

	// The other fields are settings of the layer.
	QualityLayers int
	Placing       container.Placing
	NoData        float64
	HasNoData     bool
}

// maxTerrainHeights is the maximum number of heights of a terrain, which stay in memory. They
// suffice for a scene of 60 km with heights every 30 m.
const maxTerrainHeights = 1 << 22

// MaxTerrainBytes is the memory that the terrain of a layer takes at most.
const MaxTerrainBytes = 4 * maxTerrainHeights

// maxTerrainBlockBytes is about how many bytes of blocks are held while a terrain is read.
const maxTerrainBlockBytes = 64 << 20

// maxTerrainHeight is the maximum distance of a height from 0, in meters. Files mark missing heights
// by numbers beyond it without saying so.
const maxTerrainHeight = 10_000

// addTerrain places a dataset on the heights of another image, if it is placed by a camera model.
// The dataset is current as long as the heights are. Heights that cannot be read are an error, since
// without them the image would lie elsewhere.
func (o *Opener) addTerrain(ctx context.Context, d *layer.Dataset, from Terrain) (err error) {
	placement, ok := d.Placement.(*sensor.Placement)
	if !ok || from == (Terrain{}) {
		return nil
	}
	defer func() { err = from.explain(err) }()
	object, _, f, err := o.open(ctx, from.Image.Path, Options{ID: from.Layer, QualityLayers: from.QualityLayers})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	m, err := container.ImageOf(f, from.Image.Number)
	if err != nil {
		return err
	}
	finest := d.Provider.Info().Levels[0]
	heights, err := o.readHeights(ctx, m, from, placement.Reach(finest.Width, finest.Height))
	if err != nil {
		return err
	}
	heights.Name = from.Layer
	d.Placement = placement.Over(sensor.NewTerrain(heights))
	if changed := object.ChangedAt(); changed.After(d.ChangedAt) {
		d.ChangedAt = changed
	}
	imageIsCurrent, settle := d.IsCurrent, d.Settle
	d.IsCurrent = func() bool { return imageIsCurrent() && isCurrent(object) }
	d.Settle = func(ctx context.Context) error {
		return errors.Join(settle(ctx), from.explain(object.Settle(ctx)))
	}
	return nil
}

// explain adds the layer to an error about its heights. If their file is gone, the error is not
// fs.ErrNotExist: the image that lies on them is still there.
func (t *Terrain) explain(err error) error {
	const format = "the heights of layer %s: "
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf(format+"%v", t.Layer, FileError{Image: t.Image, Layer: t.Layer, Err: err})
	}
	return fmt.Errorf(format+"%w", t.Layer, err)
}

// readHeights reads the heights of an image in an area in degrees, as the settings in from say.
func (o *Opener) readHeights(ctx context.Context, m container.Image, from Terrain, area geo.Bounds) (sensor.Grid, error) {
	if err := m.Unsupported(); err != nil {
		return sensor.Grid{}, err
	}
	location, err := container.Locate(ctx, m, from.Placing)
	switch {
	case err != nil:
		return sensor.Grid{}, err
	case location.Placement == nil:
		return sensor.Grid{}, location.Problem
	}
	location.CRS = location.CRS.WithGrids(o.Grids)
	g := newHeightGrid(m, location)
	g.noData, g.hasNoData = from.NoData, from.HasNoData
	if err := g.choose(area); err != nil {
		return sensor.Grid{}, err
	}
	heights, err := g.read(ctx)
	if err != nil {
		return sensor.Grid{}, err
	}
	return sensor.Grid{
		Key: g.key(heights, area), Columns: g.window.Width(), Rows: g.window.Height(),
		Heights: heights, ToGrid: g.place,
	}, nil
}

// key returns a digest of heights and of where they are. The version of their file is not enough:
// settings, side files and the grids of datum shifts change heights and places too.
func (g *heightGrid) key(heights []float32, area geo.Bounds) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d", g.window.Width(), g.window.Height())
	for _, corner := range [...]geo.Point{
		{X: area.MinX, Y: area.MinY}, {X: area.MaxX, Y: area.MinY}, {X: area.MinX, Y: area.MaxY}, {X: area.MaxX, Y: area.MaxY},
	} {
		at := g.place(corner)
		fmt.Fprintf(h, " %.6f %.6f", at.X, at.Y) // rounded, so that machines agree
	}
	var row []byte
	for part := range slices.Chunk(heights, g.window.Width()) {
		row = row[:0]
		for _, height := range part {
			row = binary.LittleEndian.AppendUint32(row, math.Float32bits(height))
		}
		h.Write(row)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// heightGrid is a window of a level of an image with heights.
type heightGrid struct {
	image     raster.Provider
	placement geo.Placement
	to        geo.Transform // from degrees to the CRS of the image
	turn      float64       // around the globe in units of the CRS, or 0
	middle    float64       // of the image, in these units

	noData    float64 // a sample that is no height, besides that of the file
	hasNoData bool

	number int // of the level
	level  raster.Level
	window raster.Rect
}

func newHeightGrid(m container.Image, location container.Location) *heightGrid {
	finest := m.Info().Levels[0]
	g := &heightGrid{image: m, placement: location.Placement, to: geo.NewTransform(geo.CRS84(), location.CRS)}
	if location.CRS.IsGeographic() {
		g.turn, g.middle = 2*location.CRS.HalfTurn(), location.Placement.Bounds(finest.Width, finest.Height).Center().X
	}
	return g
}

// place returns the column and row of the window at a place in degrees.
func (g *heightGrid) place(place geo.Point) geo.Point {
	own := g.to.Apply(place)
	if g.turn > 0 { // the turn of the globe that the image is on
		own.X += g.turn * math.Round((g.middle-own.X)/g.turn)
	}
	pixel := g.placement.Pixel(own)
	return geo.Point{
		X: (pixel.X-g.level.OffsetX)/g.level.ScaleX - float64(g.window.X0),
		Y: (pixel.Y-g.level.OffsetY)/g.level.ScaleY - float64(g.window.Y0),
	}
}

// choose takes the finest level whose window of an area is small enough.
func (g *heightGrid) choose(area geo.Bounds) error {
	for number, level := range g.image.Info().Levels {
		g.number, g.level, g.window = number, level, raster.Rect{}
		g.window = g.windowOf(area)
		if g.window.Empty() {
			return errors.New("it has none under the image")
		}
		if g.window.Width()*g.window.Height() <= maxTerrainHeights {
			return nil
		}
	}
	return fmt.Errorf("%d x %d heights are under the image, more than %d; overviews of the file would be used instead", g.window.Width(), g.window.Height(), maxTerrainHeights)
}

// windowOf returns the rectangle of the level that an area needs.
func (g *heightGrid) windowOf(area geo.Bounds) raster.Rect {
	const steps, margin = 16, 2
	low, high := geo.Point{X: math.Inf(1), Y: math.Inf(1)}, geo.Point{X: math.Inf(-1), Y: math.Inf(-1)}
	for row := range steps + 1 {
		for column := range steps + 1 {
			p := g.place(geo.Point{X: area.MinX + area.Width()*float64(column)/steps, Y: area.MinY + area.Height()*float64(row)/steps})
			if !p.IsNaN() {
				low, high = geo.Point{X: min(low.X, p.X), Y: min(low.Y, p.Y)}, geo.Point{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
			}
		}
	}
	if low.X > high.X {
		return raster.Rect{}
	}
	within := func(v float64, side int) int { return int(min(max(v, 0), float64(side))) }
	return raster.Rect{
		X0: within(math.Floor(low.X)-margin, g.level.Width), Y0: within(math.Floor(low.Y)-margin, g.level.Height),
		X1: within(math.Ceil(high.X)+margin, g.level.Width), Y1: within(math.Ceil(high.Y)+margin, g.level.Height),
	}
}

// read reads the heights of the window, in meters as far as the file says how. They are NaN where
// the file has none. Heights that are lost by damage are an error.
func (g *heightGrid) read(ctx context.Context) ([]float32, error) {
	info := g.image.Info()
	if info.Type.IsComplex() || len(info.Palette) > 0 {
		return nil, fmt.Errorf("its first band has no heights: %w", decode.ErrUnsupported)
	}
	heights := make([]float32, g.window.Width()*g.window.Height())
	for i := range heights {
		heights[i] = float32(math.NaN())
	}
	blockBytes := raster.BufferBytes(info.Type, g.level.BlockWidth, g.level.BlockHeight, 1)
	count := int(max(maxTerrainBlockBytes/max(blockBytes, 1), 1))
	for ids := g.level.Covering(g.window); len(ids) > 0; {
		batch := ids[:min(count, len(ids))]
		ids = ids[len(batch):]
		tiles, err := g.image.Blocks(ctx, g.number, batch, []int{0})
		if err != nil {
			return nil, err
		}
		for i, tile := range tiles {
			if damage := tile.Damage(); !damage.IsZero() {
				return nil, fmt.Errorf("%w: %v", decode.ErrCorrupt, damage)
			}
			g.put(heights, tile, g.level.Block(batch[i]))
		}
	}
	return heights, nil
}

// put copies the heights of a block.
func (g *heightGrid) put(heights []float32, tile raster.Tile, block raster.Rect) {
	band := g.image.Info().Bands[0]
	scale := band.Scale
	if scale == 0 {
		scale = 1
	}
	shared := block.Intersect(g.window)
	for y := shared.Y0; y < shared.Y1; y++ {
		row := heights[(y-g.window.Y0)*g.window.Width():]
		for x := shared.X0; x < shared.X1; x++ {
			v, coverage := tile.At(0, x-block.X0, y-block.Y0)
			height := float64(v*scale) + band.Offset
			if coverage > 0 && !g.isNoData(v) && math.Abs(height) <= maxTerrainHeight {
				row[x-g.window.X0] = float32(height)
			}
		}
	}
}

// isNoData reports whether a sample is that of the setting, as precisely as samples of heights are.
func (g *heightGrid) isNoData(sample float64) bool {
	return g.hasNoData && float32(sample) == float32(g.noData)
}
