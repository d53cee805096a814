package codestream

import (
	"errors"
	"fmt"
	"slices"
)

// ReadTile reads the headers of a tile's parts. A tile without parts has the parameters of the main
// header and no Parts. If a part is damaged, the tile has the parts before it, and Damage is set;
// if the first part is damaged, ReadTile fails. The error is ErrMisplaced if the parts came from
// the table in the main header and a part is not where the table says.
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
		cached: &cachedReader{reader: r},
	}
	headers, err := a.readHeaders()
	if err != nil {
		return nil, err
	}
	if err := a.readParameters(headers); err != nil {
		return nil, err
	}
	if err := a.readPackets(headers[:len(a.tile.Parts)]); err != nil {
		return nil, err
	}
	return a.tile, nil
}

// assembly is a tile under construction.
type assembly struct {
	*Header
	tile   *Tile
	parts  *Parts
	cached *cachedReader
	own    parameters
}

// readHeaders reads the headers of all sound parts, in order.
func (a *assembly) readHeaders() ([]partHeader, error) {
	indices := a.parts.ofTile(a.tile.Number)
	if len(indices) > maxParts {
		a.note(fmt.Errorf("%w: %d tile-parts, only the first %d are read", ErrLimit, len(indices), maxParts))
		indices = indices[:maxParts]
	}
	headers := make([]partHeader, 0, len(indices))
	budget := a.limits.HeaderBytes
	for _, index := range indices {
		i := int(index)
		part := partHeader{index: i, data: a.parts.starts[i], end: a.parts.starts[i+1]}
		b, err := a.cached.at(part.data, sotLength)
		if err != nil {
			return nil, err
		}
		start, ok := parsePartStart(b)
		if ok = ok && a.parts.agrees(i, start); !ok && a.parts.fromTable {
			return nil, fmt.Errorf("%w: at %d", ErrMisplaced, part.data)
		} else if !ok {
			return nil, fmt.Errorf("%w: the tile-part at %d has changed", ErrCorrupt, part.data)
		}
		part.number, part.count = start.number, start.count
		part, err = a.readPartHeader(a.cached, part, &budget)
		if err != nil {
			err = fmt.Errorf("tile-part at %d: %w", a.parts.starts[i], err)
			if len(headers) == 0 || !errors.Is(err, ErrCorrupt) {
				return nil, err
			}
			a.note(err)
			break
		}
		headers = append(headers, part)
		if i == len(a.parts.tiles)-1 && a.parts.fault.kind == truncated {
			a.note(a.parts.Damage())
		}
	}
	return inOrder(headers), nil
}

// maxParts is the maximum number of parts of a tile: as many as the byte with their number can
// distinguish. The standard allows one less.
const maxParts = maxIndexes

// note stores the first damage.
func (a *assembly) note(damage error) {
	if a.tile.Damage == nil {
		a.tile.Damage = damage
	}
}

// readParameters parses the parameters in the headers, computes the geometry of the tile, and lists
// its parts.
func (a *assembly) readParameters(headers []partHeader) error {
	s := tileParameters{&a.own, &a.parameters}
	inherited := a.parameters.progressions
	gap := false
	for i, header := range headers {
		if gap = gap || header.afterGap; header.afterGap {
			a.note(fmt.Errorf("%w: tile-parts before number %d are missing", ErrCorrupt, header.number))
		}
		if err := a.readPartParameters(header, gap); err != nil {
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
	a.setProgressions(s, inherited)
	a.tile.Parts = make([]TilePart, len(headers))
	for i, header := range headers {
		a.tile.Parts[i] = TilePart{header.data, header.end - header.data, header.afterGap}
	}
	return nil
}

// readPartParameters parses the parameters in one header. Progressions after a gap are an error:
// they follow others that may have been in the gap.
func (a *assembly) readPartParameters(header partHeader, gap bool) error {
	if header.markers == nil {
		return nil
	}
	known := len(a.own.progressions)
	if err := header.markers.parse(&a.own, len(a.Components)); err != nil {
		return err
	}
	if gap && header.number > 0 && len(a.own.progressions) > known {
		a.own.progressions = a.own.progressions[:known]
		return fmt.Errorf("%w: POC after missing parts", ErrCorrupt)
	}
	return nil
}

// setProgressions sets the progressions of the tile. Progressions in a tile's first header replace
// those of the image; progressions in later headers are appended; without any, COD gives the only
// one. A progression always precedes the first of its packets, so it does not matter which part it
// was in.
func (a *assembly) setProgressions(s tileParameters, inherited []Progression) {
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
		t.Progressions[i] = p.clip(resolutions, tile.layers)
	}
}
