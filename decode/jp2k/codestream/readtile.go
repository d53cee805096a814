package codestream

import (
	"errors"
	"fmt"
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
		part.number = start.number
		part, err = a.readPartHeader(a.view, part, &room)
		if err != nil {
			err = fmt.Errorf("tile-part at %d: %w", a.parts.starts[i], err)
			if len(headers) == 0 || !errors.Is(err, ErrCorrupt) {
				return nil, err
			}
			a.tile.Damage = err
			break
		}
		headers = append(headers, part)
		if i == len(a.parts.tiles)-1 && a.parts.fault.kind == cutShort {
			a.tile.Damage = a.parts.Damage()
		}
	}
	inTurn(headers)
	return headers, nil
}

// settle reads the parameters in the headers, lays out the tile, and lists its parts.
func (a *assembly) settle(headers []partHeader) error {
	s := settled{&a.own, &a.parameters}
	known := make([]int, len(headers)) // progressions of the tile's own, by part
	for i, header := range headers {
		if header.said != nil {
			if err := header.said.settle(&a.own, len(a.Components)); err != nil {
				err = fmt.Errorf("tile-part at %d: %w", a.parts.starts[header.index], err)
				if i == 0 || !errors.Is(err, ErrCorrupt) {
					return err
				}
				a.tile.Damage = err
				headers = headers[:i]
				break
			}
		}
		known[i] = len(a.own.progressions)
	}
	if err := a.layOut(s); err != nil {
		return err
	}
	before := a.settleProgressions(s, len(headers) > 0 && known[0] > 0)
	a.tile.Parts = make([]TilePart, len(headers))
	for i, header := range headers {
		a.tile.Parts[i] = TilePart{header.data, header.end - header.data, before + known[i]}
	}
	return nil
}

// settleProgressions lists the progressions, and returns how many there are before the tile's own. Those in a tile's first
// header stand for the image's; those in a later one follow what went before.
func (a *assembly) settleProgressions(s settled, replaced bool) int {
	t, tile := a.tile, s.tileCoding()
	t.Layers, t.SOP, t.EPH = tile.layers, tile.sop, tile.eph
	resolutions := 0
	for i := range t.Components {
		resolutions = max(resolutions, len(t.Components[i].Resolutions))
	}
	before := a.parameters.progressions
	if replaced {
		before = nil
	} else if len(before) == 0 {
		before = []Progression{{Order: tile.order, EndResolution: resolutions, EndComponent: len(t.Components), EndLayer: tile.layers}}
	}
	t.Progressions = make([]Progression, 0, len(before)+len(a.own.progressions))
	for _, list := range [...][]Progression{before, a.own.progressions} {
		for _, p := range list {
			t.Progressions = append(t.Progressions, p.within(resolutions, tile.layers))
		}
	}
	return len(before)
}
