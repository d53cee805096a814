package style

import (
	"strings"

	"tileserver/display"
	"tileserver/display/terrain"
	"tileserver/nearest"
)

// noAlgorithm turns off the terrain algorithm of a style.
const noAlgorithm = "none"

// overrideRelief replaces the terrain algorithm. It removes settings of the style that apply to the
// output of its own algorithm, unless both algorithms show the heights in colors.
func (r reader) overrideRelief(s *Style) {
	name, text := r.Text("algorithm"), r.Text("algorithm_params")
	switch {
	case name == "" && text == "":
		return
	case name == "" && s.Relief == nil:
		r.Reject("algorithm_params need an algorithm")
		return
	case name == "":
		name = s.Relief.Mode.String()
	}
	relief, ok := r.relief(name, text)
	if !ok {
		return
	}
	before := s.Relief
	s.Relief = relief
	if before != nil && relief != nil && before.Mode == relief.Mode {
		return
	}
	if !showsHeights(before) || !showsHeights(relief) {
		s.Rescale, s.Stretch, s.ColorMap, s.Colors, s.Formula = nil, display.Stretch{}, "", nil, nil
	}
}

// relief parses an algorithm and its parameters; nil is none.
func (r reader) relief(name, text string) (relief *terrain.Parameters, ok bool) {
	if name == noAlgorithm {
		if text != "" {
			r.Reject("algorithm_params need an algorithm, not %q", name)
		}
		return nil, text == ""
	}
	mode, err := terrain.ParseMode(name)
	if err != nil {
		names := append(terrain.ModeNames(), noAlgorithm)
		r.Reject("algorithm: %.64q is not one of %s%s", name, strings.Join(names, ", "), nearest.Hint(name, names))
		return nil, false
	}
	parameters, err := terrain.ParseParameters(mode, []byte(text))
	if err != nil {
		r.Reject("algorithm_params: %s", withoutPrefix(terrain.ErrParameters, err))
		return nil, false
	}
	return &parameters, true
}

// showsHeights reports whether pictures show the heights themselves, with or without shading.
func showsHeights(relief *terrain.Parameters) bool {
	return relief == nil || relief.Mode == terrain.ModeRelief
}
