package codestream

import (
	"fmt"
	"unicode/utf8"
)

// ReadHeader reads the main header.
func ReadHeader(r Reader, limits Limits) (*Header, error) {
	h := &Header{limits: limits.withDefaults()}
	cached := &cachedReader{reader: r}
	first, err := cached.exactly(0, 4)
	if err != nil {
		return nil, err
	}
	if [4]byte(first) != [4]byte{0xFF, 0x4F, 0xFF, 0x51} {
		return nil, fmt.Errorf("%w: it begins with % x and not with the markers SOC and SIZ", ErrCorrupt, first)
	}
	offset := int64(2)
	for {
		s, err := cached.segment(offset, r.Size())
		if err != nil {
			return nil, fmt.Errorf("main header: %w", err)
		}
		if s.marker == sot || s.marker == eoc {
			break
		}
		if s.next > h.limits.HeaderBytes {
			return nil, fmt.Errorf("%w: main header of more than %d bytes", ErrLimit, h.limits.HeaderBytes)
		}
		if err := h.take(s); err != nil {
			return nil, fmt.Errorf("main header: %w", err)
		}
		offset = s.next
	}
	h.Length = offset
	h.packed.sort()
	h.lengths.sort()
	if err := h.conclude(); err != nil {
		return nil, err
	}
	return h, nil
}

// take parses one marker.
func (h *Header) take(s segment) error {
	switch s.marker {
	case siz:
		if h.Components != nil {
			return fmt.Errorf("%w: a second SIZ", ErrCorrupt)
		}
		return h.takeSize(s.body)
	case capabilities:
		return h.takeCapabilities(s.body)
	case tlm:
		h.table.add(s.body)
	case ppm:
		if !h.packed.add(s.body, s.offset) {
			return fmt.Errorf("%w: PPM of %d bytes", ErrCorrupt, len(s.body))
		}
	case plm:
		if !h.lengths.add(s.body, s.offset) {
			h.lengths = series{}
		}
	case com:
		h.takeComment(s.body)
	case prf, cpf, crg:
	case soc, sod:
		return fmt.Errorf("%w: %v before any tile", ErrCorrupt, s.marker)
	default:
		return h.takeParameter(s)
	}
	return nil
}

// takeParameter parses a marker that may also be in headers of tiles. It ignores unknown markers.
func (h *Header) takeParameter(s segment) error {
	known, err := h.parameters.take(s.marker, s.body, len(h.Components))
	if known || err != nil {
		return err
	}
	if name := s.marker.extension(); name != "" {
		return fmt.Errorf("%w: %s of Part 2", ErrUnsupported, name)
	}
	return nil
}

// takeComment stores comments of text, if they are few.
func (h *Header) takeComment(body []byte) {
	const maxComments, maxBytes = 16, 4096
	f := fields{rest: body}
	if f.two() != 1 || len(h.Comments) == maxComments || len(f.rest) > maxBytes {
		return
	}
	if utf8.Valid(f.rest) { // many encoders write UTF-8, though the standard has Latin-1
		h.Comments = append(h.Comments, string(f.rest))
		return
	}
	text := make([]rune, len(f.rest))
	for i, b := range f.rest {
		text[i] = rune(b)
	}
	h.Comments = append(h.Comments, string(text))
}

// conclude checks that no required marker is missing, and sets the summary.
func (h *Header) conclude() error {
	s := tileParameters{&parameters{}, &h.parameters}
	if s.tileCoding() == nil {
		return fmt.Errorf("%w: no COD in the main header", ErrCorrupt)
	}
	for i := range h.Components {
		if s.quantization(i) == nil {
			return fmt.Errorf("%w: no QCD in the main header", ErrCorrupt)
		}
	}
	h.PartTable = len(h.table.segments) > 0
	h.PacketTable = len(h.lengths.spans) > 0
	h.PackedHeaders = len(h.packed.spans) > 0
	tile, coding := s.tileCoding(), s.coding(0)
	h.Coding = Coding{
		Order:                      tile.order,
		Layers:                     tile.layers,
		Levels:                     coding.levels,
		BlockWidth:                 1 << coding.blockWidthLog2,
		BlockHeight:                1 << coding.blockHeightLog2,
		Precincts:                  coding.precincts != nil,
		Reversible:                 coding.reversible,
		Style:                      coding.style,
		SOP:                        tile.sop,
		EPH:                        tile.eph,
		MultipleComponentTransform: tile.multipleComponentTransform,
	}
	return nil
}
