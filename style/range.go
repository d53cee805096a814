package style

import (
	"tileserver/display"
	"tileserver/display/colormap"
)

// The sources of statistics.
const (
	statisticsOfDataset = "dataset"
	statisticsOfFile    = "file"
)

// overrideRange replaces the range of samples that is stretched from black to white. rescale and
// stretch replace each other, and a color map of single samples, which uses neither.
func (r reader) overrideRange(s *Style) {
	ranges, stretch := r.ranges(), r.Text("stretch")
	if text := r.Text("statistics"); text != "" {
		s.StoredStatistics = r.Choice("statistics", statisticsOfDataset, statisticsOfFile) == statisticsOfFile
	}
	switch {
	case ranges != nil && stretch != "":
		r.Reject("rescale and stretch exclude each other")
	case ranges != nil:
		s.Rescale, s.Stretch = ranges, display.Stretch{}
	case stretch != "":
		parsed, err := display.ParseStretch(stretch)
		if err != nil {
			r.Reject("%v", err)
		}
		s.Rescale, s.Stretch = nil, parsed
	default:
		return
	}
	if s.Colors != nil && s.Colors.Kind() != colormap.Ramp {
		s.Colors = nil
	}
}

func (r reader) ranges() []display.Range {
	var ranges []display.Range
	for _, text := range r.Texts("rescale") {
		limits := r.Numbers("rescale", text, 2)
		if limits == nil {
			return nil
		}
		ranges = append(ranges, display.Range{Low: limits[0], High: limits[1]})
	}
	return ranges
}
