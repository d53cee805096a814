package codestream

import "fmt"

// maxProgressions is the maximum number of progressions in one tile. Encoders use a few.
const maxProgressions = 4096

// parsePOC appends the progressions of a POC marker.
func parsePOC(to []Progression, body []byte, components int) ([]Progression, error) {
	wide := components > 256
	f := fields{rest: body}
	for !f.done() {
		p := Progression{FirstResolution: f.byte(), FirstComponent: f.number(wide)}
		p.EndLayer, p.EndResolution, p.EndComponent = f.two(), f.byte(), f.number(wide)
		order := f.byte()
		switch {
		case f.short:
			return to, fmt.Errorf("%w: POC of %d bytes", ErrCorrupt, len(body))
		case order > int(CPRL):
			return to, fmt.Errorf("%w: progression order %d in POC", ErrCorrupt, order)
		case len(to) == maxProgressions:
			return to, fmt.Errorf("%w: more than %d progressions", ErrLimit, maxProgressions)
		}
		p.Order = Order(order)
		if p.EndComponent == 0 || p.EndComponent > components {
			p.EndComponent = components // zero stands for the one number that does not fit
		}
		to = append(to, p)
	}
	return to, nil
}

// clip limits a progression to the resolutions and layers of a tile.
func (p Progression) clip(resolutions, layers int) Progression {
	p.EndResolution = min(p.EndResolution, resolutions)
	p.EndLayer = min(p.EndLayer, layers)
	return p
}
