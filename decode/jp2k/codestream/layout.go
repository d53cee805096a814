package codestream

import (
	"fmt"

	"tileserver/decode/jp2k/wavelet"
)

// layOut computes the components of a tile, with the geometry that follows from the parameters.
func (a *assembly) layOut(s tileParameters) error {
	bands, resolutions := 0, 0
	for i := range a.Components {
		coding, quantized := s.coding(i), s.quantization(i)
		if !quantized.covers(coding.bands()) {
			return fmt.Errorf("%w: component %d has %d bands and %d steps", ErrCorrupt, i, coding.bands(), len(quantized.steps))
		}
		bands += coding.bands()
		resolutions += coding.levels + 1
	}
	if bands > a.limits.Bands {
		return fmt.Errorf("%w: %d bands in a tile, at most %d are allowed", ErrLimit, bands, a.limits.Bands)
	}
	memory := layoutMemory{make([]Resolution, 0, resolutions), make([]Band, 0, bands)}
	a.tile.Components = make([]TileComponent, len(a.Components))
	for i, c := range a.Components {
		coding := s.coding(i)
		a.tile.Components[i] = TileComponent{
			Rect:        Sampled(a.tile.Rect, c.DX, c.DY),
			DX:          c.DX,
			DY:          c.DY,
			Reversible:  coding.reversible,
			Style:       coding.style,
			ROIShift:    s.shift(i),
			Resolutions: memory.resolve(Sampled(a.tile.Rect, c.DX, c.DY), coding, s.quantization(i), c.Bits),
		}
	}
	return a.layOutTransform(s.tileCoding().multipleComponentTransform)
}

// layOutTransform sets whether the tile has a component transform. Like other decoders, it ignores
// the claim if there are too few components.
func (a *assembly) layOutTransform(claimed bool) error {
	of := a.tile.Components
	if !claimed || len(of) < 3 {
		return nil
	}
	for _, c := range of[1:3] {
		if c.Rect != of[0].Rect || c.Reversible != of[0].Reversible {
			return fmt.Errorf("%w: component transformation of different components", ErrCorrupt)
		}
	}
	a.tile.MultipleComponentTransform = true
	return nil
}

// layoutMemory is the memory for all resolutions and bands of a tile.
type layoutMemory struct {
	resolutions []Resolution
	bands       []Band
}

// resolve computes the resolutions of a component in a tile.
func (l *layoutMemory) resolve(rect wavelet.Rect, coding *componentCoding, quantized *quantization, bits int) []Resolution {
	first := len(l.resolutions)
	for r := range coding.levels + 1 {
		width, height := coding.precinct(r)
		resolution := Resolution{
			Rect:               Halved(rect, coding.levels-r),
			PrecinctWidthLog2:  width,
			PrecinctHeightLog2: height,
		}
		if !resolution.Rect.Empty() {
			resolution.PrecinctColumns = cellCount(resolution.Rect.X0, resolution.Rect.X1, width)
			resolution.PrecinctRows = cellCount(resolution.Rect.Y0, resolution.Rect.Y1, height)
		}
		resolution.Bands = l.split(rect, r, coding, quantized, bits)
		l.resolutions = append(l.resolutions, resolution)
	}
	return l.resolutions[first:len(l.resolutions):len(l.resolutions)]
}

// split computes the bands of a resolution.
func (l *layoutMemory) split(rect wavelet.Rect, resolution int, coding *componentCoding, quantized *quantization, bits int) []Band {
	orientations, levels, number := []wavelet.Orientation{wavelet.LL}, coding.levels, 0
	width, height := coding.precinct(resolution)
	if resolution > 0 {
		orientations, levels, number = []wavelet.Orientation{wavelet.HL, wavelet.LH, wavelet.HH}, coding.levels-resolution+1, 3*resolution-2
		width, height = width-1, height-1 // precincts halve with the bands
	}
	first := len(l.bands)
	for i, o := range orientations {
		band := Band{
			Orientation:     o,
			Rect:            bandRect(rect, o, levels),
			BlockWidthLog2:  min(coding.blockWidthLog2, width),
			BlockHeightLog2: min(coding.blockHeightLog2, height),
			BitPlanes:       quantized.bitPlanes(number + i),
			Step:            1,
		}
		if !coding.reversible {
			band.Step = quantized.stepSize(number+i, o, bits)
		}
		l.bands = append(l.bands, band)
	}
	return l.bands[first:len(l.bands):len(l.bands)]
}
