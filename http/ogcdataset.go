package http

import (
	"net/http"
	"net/url"
	"strings"

	"tileserver/display/colormap"
	"tileserver/geo"
	"tileserver/http/ogcapi"
	"tileserver/layer"
	"tileserver/raster"
)

// ogcSelected are the layers that the dataset is made of: those that collections names, in
// that order, or all. The origin says so in the addresses of its pictures.
func (s *server) ogcSelected(site ogcapi.Site, p *parameters) ([]placedLayer, ogcapi.Origin, error) {
	origin := ogcapi.Origin{Title: s.Service.Title}
	text := p.text("collections")
	if text == "" {
		return s.placedLayers(), origin, p.err
	}
	ids, err := site.ParseSelection(text)
	if err != nil {
		return nil, origin, ogcFailure(err)
	}
	var selected []placedLayer
	for i, id := range ids {
		l, err := s.placedLayer(id)
		if err != nil {
			return nil, origin, err
		}
		selected = append(selected, *l)
		ids[i] = url.QueryEscape(id)
	}
	origin.Selection = "collections=" + strings.Join(ids, ",")
	return selected, origin, nil
}

func (s *server) ogcDatasetTileSets(_ *http.Request, site ogcapi.Site, p *parameters) (document, error) {
	layers, origin, err := s.ogcSelected(site, p)
	if err != nil {
		return document{}, err
	}
	d := site.TileSets(origin, unitedTilings(layers))
	return document{d, d.Page(site)}, nil
}

func (s *server) ogcDatasetTileSet(r *http.Request, site ogcapi.Site, p *parameters) (document, error) {
	layers, origin, err := s.ogcSelected(site, p)
	if err != nil {
		return document{}, err
	}
	t, err := findTiling(unitedTilings(layers), pathValue(r, "tms"))
	if err != nil {
		return document{}, err
	}
	d := site.TileSet(origin, s.Service.Provider, t)
	return document{d, d.Page(site)}, nil
}

// ogcDatasetTile answers with a tile of all layers, or of those that are selected.
func (s *server) ogcDatasetTile(e *exchange, r *http.Request) error {
	p := parametersOf(r)
	format, err := s.pictureFormat(e, r, p)
	if err != nil {
		return err
	}
	layers, _, err := s.ogcSelected(s.ogcSite(r), p)
	if err != nil {
		return err
	}
	tiling, err := findTiling(unitedTilings(layers), pathValue(r, "tms"))
	if err != nil {
		return err
	}
	area, err := ogcTileArea(r, tiling)
	if err != nil {
		return err
	}
	matrix := tiling.Set.Matrices[area.Tile.Z]
	return s.sendLaid(e, r, p, laid{
		layers: touchingTile(layers, area), area: area, isTile: true,
		width: matrix.TileWidth, height: matrix.TileHeight, format: format,
	})
}

// touchingTile are the layers that show something in a tile, by their bounds.
func touchingTile(layers []placedLayer, area layer.TileArea) []placedLayer {
	var touching []placedLayer
	for _, l := range layers {
		t, ok := l.tileSet(area.TileSet)
		if !ok {
			continue
		}
		minColumn, minRow, maxColumn, maxRow, ok := t.Limits(area.Tile.Z)
		if ok && area.Tile.X >= minColumn && area.Tile.X <= maxColumn && area.Tile.Y >= minRow && area.Tile.Y <= maxRow {
			touching = append(touching, l)
		}
	}
	return touching
}

// touchingBox are the layers that show something in a box of longitude and latitude.
func touchingBox(layers []placedLayer, lonLat geo.Bounds) []placedLayer {
	var touching []placedLayer
	for _, l := range layers {
		for _, turn := range []float64{-360, 0, 360} {
			own := l.description.Bounds
			own.MinX, own.MaxX = own.MinX+turn, own.MaxX+turn
			if !own.Intersect(lonLat).Empty() {
				touching = append(touching, l)
				break
			}
		}
	}
	return touching
}

// laid is a picture of layers on each other that was asked for.
type laid struct {
	layers        []placedLayer // the lowest first
	area          layer.Area
	isTile        bool
	width, height int
	format        layer.Format
	backdrop      raster.RGBA // what lies behind all, opaque; zero is nothing
}

// sendLaid answers with a picture of layers on each other. One alone, with nothing behind it,
// is sent as at its own address, so that it is kept once.
func (s *server) sendLaid(e *exchange, r *http.Request, p *parameters, l laid) error {
	if len(l.layers) == 1 && l.backdrop == (raster.RGBA{}) {
		request := layer.Request{Layer: l.layers[0].ID(), Area: l.area, Format: l.format}
		if l.isTile {
			return s.tilePicture(e, r, p, request)
		}
		return s.picture(e, r, p, request)
	}
	stack, err := s.stackOf(p, l)
	if err != nil {
		return err
	}
	empty := layer.EmptyBlank
	if l.isTile {
		if empty, err = s.emptyAnswerOfAll(p); err != nil {
			return err
		}
	}
	cacheControl := s.CacheControl
	if stack.IsPassing() {
		cacheControl = "no-store"
	}
	return s.sendDrawing(e, r, stack, cacheControl, empty)
}

// stackOf settles the picture of layers, each in the style that the parameters make of its
// default one.
func (s *server) stackOf(p *parameters, l laid) (*layer.Stack, error) {
	request := layer.StackRequest{
		Width: l.width, Height: l.height, Format: l.format, Encoding: p.encoding(), Background: p.background(), Backdrop: l.backdrop,
	}
	for _, part := range l.layers {
		style, err := part.Style(p.text("style"))
		if err != nil {
			return nil, err
		}
		request.Parts = append(request.Parts, layer.Request{Layer: part.ID(), Area: l.area, Style: p.style(style)})
		if len(request.Parts) > layer.MaxStacked {
			break // which is too many anyhow
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return s.Catalog.PrepareStack(request)
}

// background is the colour behind what is transparent, or zero.
func (p *parameters) background() raster.RGBA {
	text := p.text("background")
	if text == "" {
		return raster.RGBA{}
	}
	return raster.RGBA(p.color("background", text))
}

// emptyAnswerOfAll is what is answered where no layer shows anything.
func (s *server) emptyAnswerOfAll(p *parameters) (layer.EmptyAnswer, error) {
	empty, err := layer.ParseEmptyAnswer(p.text("empty"))
	switch {
	case err != nil:
		return empty, invalid("empty: %v", err)
	case empty != layer.EmptyUnsaid:
		return empty, nil
	case s.Empty != layer.EmptyUnsaid:
		return s.Empty, nil
	}
	return layer.EmptyBlank, nil
}

// backdrop is what lies behind a map in every format: what bgcolor says, or white where the
// map is not to be transparent.
func (p *parameters) backdrop() raster.RGBA {
	text := p.text("bgcolor")
	transparent := p.choice("transparent", "", "true", "false", "TRUE", "FALSE", "True", "False")
	opaque := strings.EqualFold(transparent, "false") || transparent == "" && text != ""
	color := raster.RGBA{R: 255, G: 255, B: 255, A: 255}
	if text != "" {
		css, err := ogcapi.ParseColor(text)
		if err != nil {
			p.refuse("bgcolor: %v", err)
			return raster.RGBA{}
		}
		parsed, err := colormap.ParseColor(css)
		if err != nil {
			p.refuse("bgcolor: %v", err)
			return raster.RGBA{}
		}
		color = raster.RGBA(parsed)
		p.set("background", css) // of formats without transparency
	}
	if !opaque {
		return raster.RGBA{}
	}
	return color
}
