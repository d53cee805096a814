package codestream

import (
	"errors"
	"fmt"
	"slices"
)

// ReadTile reads the headers of a tile's parts. A tile that has none is as the main header says, and without Parts.
// Where a part is damaged, the sound ones before it are given, and the tile's Damage tells; where that is the first,
// the tile cannot be read. The error is ErrMisplaced where parts, which came from the table of the main header, are not
// where it says.
func (h *Header) ReadTile(r Reader, parts *Parts, tile int) (*Tile, error) {
	if tile < 0 || tile >= h.Tiles() || len(parts.first) != h.Tiles()+1 {
		return nil, fmt.Errorf("%w: tile %d of %d", ErrCorrupt, tile, h.Tiles())
	}
	t, err := h.readTile(r, parts, tile)
	if err != nil {
		return nil, fmt.Errorf("tile %d: %w", tile, err)
	}
	return t, nil
}

func (h *Header) readTile(r Reader, parts *Parts, tile int) (*Tile, error) {
	a := assembly{
		Header: h,
		tile:   &Tile{Number: tile, Rect: h.TileRect(tile)},
		parts:  parts,
		view:   &pieces{reader: r},
	}
	headers, err := a.readHeaders()
	if err != nil {
		return nil, err
	}
	if err := a.settle(headers); err != nil {
		return nil, err
	}
	if err := a.takePackets(headers[:len(a.tile.Parts)]); err != nil {
		return nil, err
	}
	return a.tile, nil
}

// assembly is a tile as it is made.
type assembly struct {
	*Header
	tile  *Tile
	parts *Parts
	view  *pieces
	own   parameters
}

// readHeaders reads the headers of all parts that are sound, and puts them in their order.
func (a *assembly) readHeaders() ([]partHeader, error) {
	indices := a.parts.ofTile(a.tile.Number)
	if len(indices) > mostParts {
		a.note(fmt.Errorf("%w: %d tile-parts, of which the first %d are read", ErrLimit, len(indices), mostParts))
		indices = indices[:mostParts]
	}
	headers := make([]partHeader, 0, len(indices))
	room := a.limits.HeaderBytes
	for _, index := range indices {
		i := int(index)
		part := partHeader{index: i, data: a.parts.starts[i], end: a.parts.starts[i+1]}
		b, err := a.view.at(part.data, sotLength)
		if err != nil {
			return nil, err
		}
		start, ok := parsePartStart(b)
		if ok = ok && a.parts.agrees(i, start); !ok && a.parts.fromTable {
			return nil, fmt.Errorf("%w: at %d", ErrMisplaced, part.data)
		} else if !ok {
			return nil, fmt.Errorf("%w: the tile-part at %d is not what it was", ErrCorrupt, part.data)
		}
		part.number, part.count = start.number, start.count
		part, err = a.readPartHeader(a.view, part, &room)
		if err != nil {
			err = fmt.Errorf("tile-part at %d: %w", a.parts.starts[i], err)
			if len(headers) == 0 || !errors.Is(err, ErrCorrupt) {
				return nil, err
			}
			a.note(err)
			break
		}
		headers = append(headers, part)
		if i == len(a.parts.tiles)-1 && a.parts.fault.kind == cutShort {
			a.note(a.parts.Damage())
		}
	}
	return inTurn(headers), nil
}

// mostParts is how many parts of a tile are read: as many as the byte that numbers them can tell apart. The standard allows one
// less, and no decoder in use takes more, so that no encoder writes them.
const mostParts = maxTurns

// note keeps the first damage.
func (a *assembly) note(damage error) {
	if a.tile.Damage == nil {
		a.tile.Damage = damage
	}
}

// settle reads the parameters in the headers, lays out the tile, and lists its parts.
func (a *assembly) settle(headers []partHeader) error {
	s := settled{&a.own, &a.parameters}
	inherited := a.parameters.progressions
	gap := false
	for i, header := range headers {
		if gap = gap || header.afterGap; header.afterGap {
			a.note(fmt.Errorf("%w: tile-parts before number %d are missing", ErrCorrupt, header.number))
		}
		if err := a.settlePart(header, gap); err != nil {
			err = fmt.Errorf("tile-part at %d: %w", a.parts.starts[header.index], err)
			if i == 0 || !errors.Is(err, ErrCorrupt) {
				return err
			}
			a.note(err)
			headers = headers[:i]
			break
		}
		if i == 0 && len(a.own.progressions) > 0 {
			inherited = nil
		}
	}
	if err := a.layOut(s); err != nil {
		return err
	}
	a.settleProgressions(s, inherited)
	a.tile.Parts = make([]TilePart, len(headers))
	for i, header := range headers {
		a.tile.Parts[i] = TilePart{header.data, header.end - header.data, header.afterGap}
	}
	return nil
}

// settlePart reads the parameters in one header. Progressions behind a gap follow others that may have been in it.
func (a *assembly) settlePart(header partHeader, gap bool) error {
	if header.said == nil {
		return nil
	}
	known := len(a.own.progressions)
	if err := header.said.settle(&a.own, len(a.Components)); err != nil {
		return err
	}
	if gap && header.number > 0 && len(a.own.progressions) > known {
		a.own.progressions = a.own.progressions[:known]
		return fmt.Errorf("%w: POC behind parts that are missing", ErrCorrupt)
	}
	return nil
}

// settleProgressions lists the progressions: those in a tile's first header stand for the image's, those in a later one follow
// what went before, and that of COD holds where there are none. Each is described before the first of its packets, so that
// nothing depends on which part it was described in.
func (a *assembly) settleProgressions(s settled, inherited []Progression) {
	t, tile := a.tile, s.tileCoding()
	t.Layers, t.SOP, t.EPH = tile.layers, tile.sop, tile.eph
	resolutions := 0
	for i := range t.Components {
		resolutions = max(resolutions, len(t.Components[i].Resolutions))
	}
	t.Progressions = slices.Concat(inherited, a.own.progressions)
	if len(t.Progressions) == 0 {
		t.Progressions = []Progression{{Order: tile.order, EndResolution: resolutions, EndComponent: len(t.Components), EndLayer: tile.layers}}
	}
	for i, p := range t.Progressions {
		t.Progressions[i] = p.within(resolutions, tile.layers)
	}
}
