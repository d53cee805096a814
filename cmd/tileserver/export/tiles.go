package export

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"

	"tileserver/archive"
	"tileserver/export"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/raster"
	"tileserver/style"
)

// tiles asks a catalog for tiles of layers, the lowest first.
type tiles struct {
	catalog   *layer.Catalog
	area      area
	layers    []*layer.Layer
	styles    []style.Style // of the layers
	format    layer.Format
	encoding  layer.Encoding
	skipEmpty bool
	box       geo.Bounds // in degrees, if hasBox
	hasBox    bool
	version   string // of what the tiles show, when the export began
}

// tilesOf returns the tiles that the options select.
func (o *Options) tilesOf(catalog *layer.Catalog, layers []*layer.Layer) (*tiles, error) {
	t := &tiles{catalog: catalog, layers: layers, skipEmpty: o.skipEmpty}
	var err error
	if t.box, t.hasBox, err = o.boxOf(); err != nil {
		return nil, err
	}
	if t.area, err = o.areaOf(layers); err != nil {
		return nil, err
	}
	if t.format, err = o.tileFormat(); err != nil {
		return nil, err
	}
	if t.encoding, err = o.appearance.Encoding(); err != nil {
		return nil, err
	}
	for _, l := range layers {
		own, err := l.Style(o.style)
		if err != nil {
			return nil, err
		}
		if own, err = o.appearance.Style(own); err != nil {
			return nil, err
		}
		t.styles = append(t.styles, own)
	}
	first, err := t.prepare(t.middle(0))
	if err != nil {
		return nil, err
	}
	t.version = first.Version()
	return t, nil
}

// middle returns a tile in the middle of a level that has tiles, or of the next that has.
func (t *tiles) middle(level int) geo.TileID {
	for t.area.grid[level].Wanted.Empty() {
		level++
	}
	l := t.area.grid[level]
	center := l.Wanted.Min.Add(image.Pt(l.Wanted.Dx()/2, l.Wanted.Dy()/2))
	return geo.TileID{Z: l.Zoom, X: center.X, Y: center.Y}
}

// prepare returns the picture of a tile, as a server prepares it.
func (t *tiles) prepare(id geo.TileID) (*layer.Composition, error) {
	shown := areas.Tile{TileSet: t.area.set.ID, Tile: id}
	if len(t.layers) == 1 {
		return t.catalog.Prepare(layer.Request{Layer: t.layers[0], Area: shown, Style: t.styles[0], Format: t.format, Encoding: t.encoding})
	}
	m := &t.area.set.Matrices[id.Z]
	stack := layer.StackRequest{Width: m.TileWidth, Height: m.TileHeight, Format: t.format, Encoding: t.encoding, Background: t.styles[0].Background}
	for i, l := range t.layers {
		stack.Layers = append(stack.Layers, layer.Request{Layer: l, Area: shown, Style: t.styles[i]})
	}
	return t.catalog.PrepareStack(stack)
}

// errChanged is why an export ends whose input is not what it was.
var errChanged = errors.New("the file has changed since the export began; remove the unfinished export and start again")

// render makes a tile.
func (t *tiles) render(ctx context.Context, at archive.Position) ([]byte, error) {
	composition, err := t.prepare(geo.TileID{Z: int(at.Zoom), X: int(at.X), Y: int(at.Y)})
	if err != nil {
		return nil, asDamaged(err)
	}
	if composition.Version() != t.version {
		return nil, errChanged
	}
	picture, err := composition.Picture(ctx)
	switch {
	case err != nil:
		return nil, asDamaged(err)
	case picture.Key != composition.Key():
		return nil, errChanged
	case !picture.Damage.IsZero():
		return nil, &export.DamagedError{Err: lost(picture.Damage)}
	case picture.From == layer.Empty && t.skipEmpty:
		return nil, nil
	}
	return picture.Bytes, nil
}

// asDamaged marks an error about damaged data.
func asDamaged(err error) error {
	known := (*layer.Error)(nil)
	if errors.As(err, &known) && known.Code == layer.Damaged {
		return &export.DamagedError{Err: err}
	}
	return err
}

// lost returns the error about damage, with the first loss.
func lost(damage raster.Damage) error {
	losses := damage.Losses()
	if len(losses) == 0 {
		return fmt.Errorf("damaged: %v lost", damage)
	}
	text, _, _ := strings.Cut(losses[0].Text, "\n")
	return fmt.Errorf("damaged: %v lost; first: %s", damage, text)
}

// awaitOverviews builds the overviews that files lack, before anything else waits for them.
func (t *tiles) awaitOverviews(ctx context.Context) error {
	for i := range t.area.grid {
		composition, err := t.prepare(t.middle(i))
		if err != nil {
			return err
		}
		if err := composition.AwaitOverviews(ctx, -1); err != nil {
			return err
		}
	}
	return nil
}
