package codestream

import "fmt"

// parameters holds the coding parameters in one header. Those of a component take precedence over
// those of all components, and those of a tile over those of the image.
type parameters struct {
	tile          *tileCoding
	coding        *componentCoding
	codings       map[int]*componentCoding
	quantized     *quantization
	quantizations map[int]*quantization
	shifts        map[int]int // regions of interest
	progressions  []Progression
}

// take parses a marker with parameters. It returns false for other markers.
func (p *parameters) take(marker markerCode, body []byte, components int) (bool, error) {
	var err error
	switch marker {
	case cod:
		var tile *tileCoding
		var coding *componentCoding
		if tile, coding, err = parseCOD(body); err == nil {
			p.tile, p.coding = tile, coding
		}
	case qcd:
		var q *quantization
		if q, err = parseQuantization(&fields{rest: body}); err == nil {
			p.quantized = q
		}
	case poc:
		p.progressions, err = parsePOC(p.progressions, body, components)
	case coc, qcc, rgn:
		err = p.takeOfComponent(marker, body, components)
	default:
		return false, nil
	}
	return true, err
}

// takeOfComponent parses a marker of one component.
func (p *parameters) takeOfComponent(marker markerCode, body []byte, components int) error {
	f := fields{rest: body}
	component := f.number(components > 256)
	if f.short || component >= components {
		return fmt.Errorf("%w: %v of component %d, of %d", ErrCorrupt, marker, component, components)
	}
	switch marker {
	case coc:
		c, err := parseCOC(&f)
		if err != nil {
			return fmt.Errorf("component %d: %w", component, err)
		}
		p.codings = with(p.codings, component, c)
	case qcc:
		q, err := parseQuantization(&f)
		if err != nil {
			return fmt.Errorf("QCC of component %d: %w", component, err)
		}
		p.quantizations = with(p.quantizations, component, q)
	default:
		style, shift := f.byte(), f.byte()
		if f.short {
			return fmt.Errorf("%w: RGN of %d bytes", ErrCorrupt, len(body))
		}
		if style != 0 {
			return fmt.Errorf("%w: region of interest of style %d (RGN of Part 2)", ErrUnsupported, style)
		}
		p.shifts = with(p.shifts, component, shift)
	}
	return nil
}

func with[V any](all map[int]V, component int, value V) map[int]V {
	if all == nil {
		all = make(map[int]V)
	}
	all[component] = value
	return all
}

// tileParameters are the effective parameters of a tile: its own, where it has some, else those of
// the image.
type tileParameters struct{ tile, image *parameters }

func (s tileParameters) tileCoding() *tileCoding {
	if s.tile.tile != nil {
		return s.tile.tile
	}
	return s.image.tile
}

func (s tileParameters) coding(component int) *componentCoding {
	for _, p := range [...]*parameters{s.tile, s.image} {
		if c := p.codings[component]; c != nil {
			return c
		}
		if p.coding != nil {
			return p.coding
		}
	}
	return nil
}

func (s tileParameters) quantization(component int) *quantization {
	for _, p := range [...]*parameters{s.tile, s.image} {
		if q := p.quantizations[component]; q != nil {
			return q
		}
		if p.quantized != nil {
			return p.quantized
		}
	}
	return nil
}

func (s tileParameters) shift(component int) int {
	if shift, ok := s.tile.shifts[component]; ok {
		return shift
	}
	return s.image.shifts[component]
}
