package request

import (
	"slices"
	"strings"

	"tileserver/nearest"
)

// stylesOfWMS is a parameter that WMS clients add, in any case. It looks like a misspelled style.
const stylesOfWMS = "styles"

// CheckSpelling rejects names that are one typing error away from a name in known or of a style:
// ignoring them would give a wrong picture without notice. Other unknown names are ignored.
func (p *Parameters) CheckSpelling(known ...string) *Parameters {
	for name := range p.Values {
		if slices.Contains(known, name) || slices.Contains(styleNames, name) || p.isIgnored(name) {
			continue
		}
		meant, ok := nearest.Slip(name, known)
		if !ok {
			meant, ok = nearest.Slip(name, styleNames)
		}
		if ok {
			p.Reject("unknown parameter %q; did you mean %q?", name, meant)
		}
	}
	return p
}

// isIgnored reports whether a parameter has no value or belongs to another program.
func (p *Parameters) isIgnored(name string) bool {
	isForeign := slices.ContainsFunc(foreignParameters[:], func(f foreignParameter) bool { return f.name == name })
	return isForeign || strings.EqualFold(name, stylesOfWMS) || !slices.ContainsFunc(p.Values[name], func(text string) bool { return text != "" })
}
