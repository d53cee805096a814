package statistics

import (
	"encoding/json"
	"math"
	"strconv"
)

// DefaultReportBins is how many bins of a histogram people get to see, and MaxReportBins how
// many they may ask for.
const (
	DefaultReportBins = 10
	MaxReportBins     = 256
)

// bandReport is the statistics of a band under the names that TiTiler gives them.
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

// histogram is counts and the edges between which they lie, one edge more.
type histogram struct{ counts, edges []float64 }

func (h *histogram) MarshalJSON() ([]byte, error) {
	return json.Marshal([2][]float64{h.counts, h.edges})
}

// MarshalJSON writes the report of s. To keep statistics, encode their fields instead, as
// encoding/gob does: the whole histogram is among them.
func (s Dataset) MarshalJSON() ([]byte, error) { return json.Marshal(s.Report(DefaultReportBins)) }

// Report is statistics as people read them.
type Report struct{ bands map[string]bandReport }

// Report tells the statistics with histograms of so many bins, 1 to MaxReportBins.
func (s Dataset) Report(bins int) Report {
	bands := make(map[string]bandReport, len(s.Bands))
	for i := range s.Bands {
		bands["b"+strconv.Itoa(s.Bands[i].Band+1)] = s.Bands[i].report(min(max(bins, 1), MaxReportBins))
	}
	return Report{bands}
}

// Name gives bands the names that they have, by their numbers from 0.
func (r Report) Name(names []string) {
	for band, name := range names {
		key := "b" + strconv.Itoa(band+1)
		if report, ok := r.bands[key]; ok {
			report.Name = name
			r.bands[key] = report
		}
	}
}

// MarshalJSON writes the bands as members b1, b2, …. What a band without valid samples does
// not have is null.
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

// finite is what JSON can say of v: sums of samples near the end of what a float64 holds
// may be beyond it.
func finite(v float64) *float64 {
	if !isFinite(v) {
		return nil
	}
	return &v
}

// coarseHistogram puts the fine bins, by their middles, into few.
func (b *Band) coarseHistogram(bins int) *histogram {
	h := &histogram{counts: make([]float64, bins), edges: make([]float64, bins+1)}
	within := span{b.Min, b.Max}.within(span{math.Inf(-1), math.Inf(1)})
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
