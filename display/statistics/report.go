package statistics

import (
	"encoding/json"
	"math"
	"strconv"
)

// DefaultReportBins is the number of histogram bins in a report, and MaxReportBins the maximum that
// a request may ask for.
const (
	DefaultReportBins = 10
	MaxReportBins     = 256
)

// A bandReport holds the statistics of a band, named as in TiTiler.
type bandReport struct {
	Name         string     `json:"name,omitempty"`
	Min          *float64   `json:"min"`
	Max          *float64   `json:"max"`
	Mean         *float64   `json:"mean"`
	Std          *float64   `json:"std"`
	Median       *float64   `json:"median"`
	Percentile2  *float64   `json:"percentile_2"`
	Percentile98 *float64   `json:"percentile_98"`
	Count        uint64     `json:"count"`
	ValidPixels  uint64     `json:"valid_pixels"`
	MaskedPixels uint64     `json:"masked_pixels"`
	ValidPercent float64    `json:"valid_percent"`
	Histogram    *histogram `json:"histogram"`
}

// A histogram holds counts and the edges between them. It has one edge more than counts.
type histogram struct{ counts, edges []float64 }

func (h *histogram) MarshalJSON() ([]byte, error) {
	return json.Marshal([2][]float64{h.counts, h.edges})
}

// MarshalJSON writes the report of s. The report lacks the full histogram; to store statistics,
// encode the fields, as encoding/gob does.
func (s Dataset) MarshalJSON() ([]byte, error) { return json.Marshal(s.Report(DefaultReportBins)) }

// A Report formats statistics for people.
type Report struct{ bands map[string]bandReport }

// Report returns a report with histograms of the given number of bins, 1 to MaxReportBins.
func (s Dataset) Report(bins int) Report {
	bands := make(map[string]bandReport, len(s.Bands))
	for i := range s.Bands {
		bands["b"+strconv.Itoa(s.Bands[i].Band+1)] = s.Bands[i].report(min(max(bins, 1), MaxReportBins))
	}
	return Report{bands}
}

// SetNames sets the names of bands, which are counted from 0.
func (r Report) SetNames(names []string) {
	for band, name := range names {
		key := "b" + strconv.Itoa(band+1)
		if report, ok := r.bands[key]; ok {
			report.Name = name
			r.bands[key] = report
		}
	}
}

// MarshalJSON writes the bands as members b1, b2, …. Values that a band without valid samples lacks
// are null.
func (r Report) MarshalJSON() ([]byte, error) { return json.Marshal(r.bands) }

func (b *Band) report(bins int) bandReport {
	r := bandReport{Count: b.Count, ValidPixels: b.Count, MaskedPixels: b.Total - b.Count}
	if b.Count == 0 {
		return r
	}
	r.Min, r.Max, r.Mean, r.Std = finite(b.Min), finite(b.Max), finite(b.Mean), finite(b.StdDev)
	r.Percentile2, r.Median, r.Percentile98 = finite(b.Percentile(2)), finite(b.Percentile(50)), finite(b.Percentile(98))
	r.ValidPercent = 100 * float64(b.Count) / float64(b.Total)
	r.Histogram = b.coarseHistogram(bins)
	return r
}

// finite returns v, or nil if JSON cannot represent it. Sums of samples near the largest float64
// may overflow.
func finite(v float64) *float64 {
	if !isFinite(v) {
		return nil
	}
	return &v
}

// coarseHistogram merges the fine bins, by their centers, into a few.
func (b *Band) coarseHistogram(bins int) *histogram {
	h := &histogram{counts: make([]float64, bins), edges: make([]float64, bins+1)}
	within := span{b.Min, b.Max}.clampedTo(span{math.Inf(-1), math.Inf(1)})
	step := within.high/float64(bins) - within.low/float64(bins)
	for i := range h.edges {
		h.edges[i] = within.low + float64(float64(i)*step)
	}
	h.edges[bins] = within.high
	for i, count := range b.Histogram.Counts {
		at := 0
		if step > 0 {
			at = int(min(max((b.Histogram.at(i, 0.5)-within.low)/step, 0), float64(bins-1)))
		}
		h.counts[at] += float64(count)
	}
	return h
}
