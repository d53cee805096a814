package style

import (
	"strings"

	"tileserver/pyramid/resample"
	"tileserver/query"
)

// The parts of complex samples that can be shown.
const (
	quarterPower = "quarter_power"
	magnitude    = "magnitude"
)

// The depths of pictures, in bits.
const (
	usualDepth = "8"
	deepDepth  = "16"
)

func setUnscale(p *query.Parameters, name string, s Style) Style {
	s.Unscale = p.Boolean(name)
	return s
}

func setComplex(p *query.Parameters, name string, s Style) Style {
	s.Amplitudes = p.Choice(name, quarterPower, magnitude) == magnitude
	return s
}

func setDepth(p *query.Parameters, name string, s Style) Style {
	s.Deep = p.Choice(name, usualDepth, deepDepth) == deepDepth
	return s
}

// setNoData sets the additional nodata sample. NaN removes it, since NaN is always nodata.
func setNoData(p *query.Parameters, name string, s Style) Style {
	text := p.Text(name)
	if strings.EqualFold(text, "nan") {
		s.NoData = nil
		return s
	}
	v, ok := query.Finite(text)
	if !ok {
		p.Reject("%s must be a finite number or nan, not %q", name, text)
	}
	s.NoData = &v
	return s
}

func setResampling(p *query.Parameters, name string, s Style) Style {
	method, err := resample.ParseMethod(p.Text(name))
	if err != nil {
		p.Reject("%s: %v", name, err)
	}
	s.Resampling = method
	return s
}
