package http

import (
	"slices"
	"strings"

	"tileserver/nearest"
)

// stylesOfWMS is a name that clients of WMS put into addresses, in any case of letters. It looks like ours misspelled.
const stylesOfWMS = "styles"

// spelled refuses names that are a slip away from one that an address knows: a picture without the parameter would look like
// an answer. Names that are like none of ours are ignored.
func (p *parameters) spelled(known ...string) *parameters {
	for name := range p.values {
		if slices.Contains(known, name) || slices.Contains(styleNames[:], name) || p.isOfOthers(name) {
			continue
		}
		meant, ok := nearest.Slip(name, known)
		if !ok {
			meant, ok = nearest.Slip(name, styleNames[:])
		}
		if ok {
			p.refuse("unknown parameter %q; did you mean %s?", name, meant)
		}
	}
	return p
}

// isOfOthers tells whether a parameter is empty, as forms leave it, or that of another program.
func (p *parameters) isOfOthers(name string) bool {
	isForeign := slices.ContainsFunc(foreignParameters[:], func(f foreignParameter) bool { return f.name == name })
	return isForeign || strings.EqualFold(name, stylesOfWMS) || !slices.ContainsFunc(p.values[name], func(text string) bool { return text != "" })
}
