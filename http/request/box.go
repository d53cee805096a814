package request

import (
	"math"

	"tileserver/geo"
	"tileserver/layer/areas"
)

// The sides of views in pixels.
const (
	DefaultViewSide = 512
	MaxViewSide     = 1 << 16
)

// BoxArea parses the area of a view.
func (p *Parameters) BoxArea() (areas.Box, error) {
	bboxCRS, viewCRS := p.boxCRS()
	area := areas.Box{CRS: viewCRS}
	text := p.Text("bbox")
	if text == "" {
		p.Reject("bbox is missing: minx,miny,maxx,maxy")
	}
	b := p.Numbers("bbox", text, 4)
	if p.Err != nil {
		return area, p.Err
	}
	area.Bounds = geo.Bounds{MinX: b[0], MinY: b[1], MaxX: b[2], MaxY: b[3]}
	p.CheckDegrees("bbox", area.Bounds, bboxCRS)
	if bboxCRS != viewCRS && p.Err == nil {
		var err error
		if area.Bounds, err = TransformBounds(area.Bounds, bboxCRS, viewCRS); err != nil {
			return area, err
		}
	}
	p.SizeView(&area, p.Integer("max_size", DefaultViewSide, 1, MaxViewSide))
	return area, p.Err
}

// SizeView sets the size of a view. It derives a missing side from the aspect ratio of the bbox. If
// both are missing, the longer side gets defaultSide pixels.
func (p *Parameters) SizeView(area *areas.Box, defaultSide int) {
	b := area.Bounds
	if b.Empty() || math.IsInf(b.Width(), 0) || math.IsInf(b.Height(), 0) {
		p.Reject("bbox must be minx,miny,maxx,maxy with minx < maxx and miny < maxy")
		return
	}
	area.Width = p.Integer("width", 0, 1, MaxViewSide)
	area.Height = p.Integer("height", 0, 1, MaxViewSide)
	aspect := b.Width() / b.Height()
	switch {
	case area.Width == 0 && area.Height == 0:
		area.Width, area.Height = RoundSide(float64(defaultSide)*min(aspect, 1)), RoundSide(float64(defaultSide)/max(aspect, 1))
	case area.Width == 0:
		area.Width = RoundSide(float64(area.Height) * aspect)
	case area.Height == 0:
		area.Height = RoundSide(float64(area.Width) / aspect)
	}
}

// RoundSide rounds to the nearest side that a picture may have.
func RoundSide(pixels float64) int { return int(math.Round(min(max(pixels, 1), MaxViewSide))) }
