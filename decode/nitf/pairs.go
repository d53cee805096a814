package nitf

import (
	"context"
	"strings"

	"tileserver/decode/container"
	"tileserver/decode/nitf/combine"
	"tileserver/decode/nitf/segments"
	"tileserver/raster"
)

// pairingOf returns how the bands of an image make a complex one, or 0 if they do not.
func pairingOf(h *segments.Image) combine.Pairing {
	if len(h.Bands) != 2 {
		return 0
	}
	first, second := strings.ToUpper(h.Bands[0].Subcategory), strings.ToUpper(h.Bands[1].Subcategory)
	isRadar := strings.HasPrefix(h.Category, "SAR")
	switch {
	case first == "I" && second == "Q", h.Category == "SARIQ":
		return combine.InPhase
	case isRadar && (first == "M" && second == "P" || h.Colors == "POLAR"):
		return combine.Polar
	}
	return 0
}

// storedAsComplex returns the type of complex samples if two bands are stored as such: the real part
// of each pixel before its imaginary part.
func storedAsComplex(h *segments.Image, t raster.DataType) (raster.DataType, bool) {
	made := combine.ComplexOf(t)
	isStored := pairingOf(h) == combine.InPhase && h.Mode == "P" && made.Part() == t && h.Bits == 8*t.Size()
	return made, isStored
}

// paired returns an image with the complex band that its bands make, or the image itself.
func (f *File) paired(ctx context.Context, m *blockImage) (container.Image, error) {
	how := pairingOf(m.header)
	if how == 0 || m.unsupported != nil {
		return m, nil
	}
	var amplitudes []float64
	if how == combine.Polar && m.info.Type == raster.Uint8 {
		var err error
		if amplitudes, err = f.readAmplitudes(ctx); err != nil {
			return nil, err
		}
	}
	if p, ok := combine.Pair(m, how, amplitudes); ok {
		return p, nil
	}
	return m, nil
}
