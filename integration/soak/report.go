package main

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"text/tabwriter"
	"time"
)

// report is what came out of an attack.
type report struct {
	every         time.Duration // between two samples
	samples       []sample
	before, after sample // without requests
	traffic       *traffic
	judged        judgement
	hasDevice     bool
}

// period is some of the samples.
type period struct {
	name    string
	samples []sample
	sent    tally
}

// periods returns the first ten minutes, what lies between, and the last ten; or thirds of a short
// attack.
func (r report) periods() []period {
	n := min(int(10*time.Minute/r.every), len(r.samples)/3)
	last := len(r.samples) - n
	periods := []period{{name: "first", samples: r.samples[:n]}, {name: "middle", samples: r.samples[n:last]}, {name: "last", samples: r.samples[last:]}}
	for i := range periods {
		periods[i].sent = newTally()
		for _, s := range periods[i].samples {
			periods[i].sent.join(s.sent)
		}
	}
	return periods
}

// A figure is something that a sample says of the process. It should be flat after the first period.
type figure struct {
	name  string
	of    func(sample) float64
	above float64 // how much the last period may be above the middle one, besides its growth
	quiet float64 // how much a server without requests may have more than before

	// lasting is how long an attack must last for these: a short one is still filling the cache at its
	// end, memory goes back within half a minute, and a server is observed without requests for as long
	// as the attack, or a minute.
	lasting time.Duration
}

var figures = []figure{
	{"resident MiB", func(s sample) float64 { return float64(s.resident) / (1 << 20) }, 0, cacheMiB + 64, 50 * time.Second},
	{"descriptors", func(s sample) float64 { return float64(s.descriptors) }, 64, 16, 0},
	{"goroutines", func(s sample) float64 { return float64(s.goroutines) }, 64, 16, 0},
	{"device MiB", func(s sample) float64 { return float64(s.deviceResident) / (1 << 20) }, 0, 64, 50 * time.Second},
	{"device descriptors", func(s sample) float64 { return float64(s.deviceDescriptors) }, 8, 8, 0},
}

// growth is how many times the value of the middle period the last one may have.
const growth = 1.5

// An outcome is something that the answers of a period say.
type outcome struct {
	name   string
	of     func(tally) float64
	isFlat bool    // whether it should be flat after the first period
	least  float64 // that the last period must have

	// lasting is how long an attack must last for that: the slowest hundredth of a short one are a few
	// answers, and it may end before its tiles are cached.
	lasting time.Duration
}

var outcomes = []outcome{
	{"hits p50 ms", func(t tally) float64 { return quantile(t.hits, 0.5) }, false, 0, 0},
	{"hits p99 ms", func(t tally) float64 { return quantile(t.hits, 0.99) }, true, 0, 10 * time.Minute},
	{"304s p50 ms", func(t tally) float64 { return quantile(t.unchanged, 0.5) }, false, 0, 0},
	{"304s p99 ms", func(t tally) float64 { return quantile(t.unchanged, 0.99) }, true, 0, 10 * time.Minute},
	{"hits of hot tiles %", func(t tally) float64 { return 100 * float64(len(t.hits)) / float64(max(t.hot, 1)) }, false, 95, 50 * time.Second},
}

// median returns the middle value of a figure.
func (f figure) median(samples []sample) float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = f.of(s)
	}
	slices.Sort(values)
	if len(values) == 0 {
		return 0
	}
	return values[len(values)/2]
}

// slope returns the growth of a figure in an hour, by least squares.
func (f figure) slope(samples []sample) float64 {
	var n, sumX, sumY, sumXX, sumXY float64
	for _, s := range samples {
		x, y := s.at.Hours(), f.of(s)
		n, sumX, sumY, sumXX, sumXY = n+1, sumX+x, sumY+y, sumXX+x*x, sumXY+x*y
	}
	if d := n*sumXX - sumX*sumX; d > 0 {
		return (n*sumXY - sumX*sumY) / d
	}
	return 0
}

// lasting returns how long the attack lasted, as far as samples tell.
func (r report) lasting() time.Duration { return r.every * time.Duration(len(r.samples)) }

// besideBudgets is what the documents allow the process besides its budgets.
const besideBudgets = 100 << 20

// judge complains about what is not flat, or not enough.
func (r report) judge() {
	if len(r.samples) < 3 {
		r.traffic.complain("%d samples are too few", len(r.samples))
		return
	}
	periods := r.periods()
	r.judgeProcess(periods[1], periods[2])
	r.judgeAnswers(periods[1], periods[2])
}

func (r report) judgeProcess(middle, last period) {
	for _, f := range figures {
		if r.lasting() < f.lasting {
			continue
		}
		middle, last := f.median(middle.samples), f.median(last.samples)
		if last > growth*middle+f.above {
			r.traffic.complain("%s grew from %.0f to %.0f", f.name, middle, last)
		}
		if before, after := f.of(r.before), f.of(r.after); after > before+f.quiet {
			r.traffic.complain("%s of the server without requests grew from %.0f to %.0f", f.name, before, after)
		}
	}
	if bound := r.memoryBound(); r.after.peak > bound {
		r.traffic.complain("the process had %d MiB; its budgets and what is beside them are %d MiB", r.after.peak>>20, bound>>20)
	}
}

// memoryBound returns how much memory the process may have.
func (r report) memoryBound() int64 {
	if r.hasDevice {
		return (budgetsMiB+deviceMiB)<<20 + besideBudgets
	}
	return budgetsMiB<<20 + besideBudgets
}

func (r report) judgeAnswers(middle, last period) {
	for _, o := range outcomes {
		middle, last := o.of(middle.sent), o.of(last.sent)
		switch {
		case r.lasting() < o.lasting:
		case o.isFlat && last > growth*middle:
			r.traffic.complain("%s grew from %.1f to %.1f", o.name, middle, last)
		case last < o.least:
			r.traffic.complain("%s: %.1f in the last period, less than %.0f", o.name, last, o.least)
		}
	}
}

// print prints tables and the verdict, and reports whether all promises were kept.
func (r report) print(to io.Writer) (isSound bool) {
	r.judge()
	r.printTable(to)
	r.printKinds(to)
	fmt.Fprintf(to, "\nat most %d MiB of %d MiB resident; %d requests found no place to be sent\n",
		r.after.peak>>20, r.memoryBound()>>20, r.traffic.unsent.Load())
	fmt.Fprintf(to, "%d answers compared with those of a quiet server: %d wrong, %d not judged\n", r.judged.compared, r.judged.wrong, r.judged.excused)
	problems := r.traffic.problems
	for _, text := range problems {
		fmt.Fprintln(to, "PROBLEM", text)
	}
	if len(problems) == 0 {
		fmt.Fprintln(to, "PASSED")
		return true
	}
	fmt.Fprintf(to, "FAILED: %d problems\n", len(problems)+r.traffic.more)
	return false
}

func (r report) printTable(to io.Writer) {
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer table.Flush()
	periods := r.periods()
	fmt.Fprint(table, "\nmedians\tquiet before\t")
	for _, p := range periods {
		fmt.Fprintf(table, "%s %.0f min\t", p.name, (time.Duration(len(p.samples)) * r.every).Minutes())
	}
	fmt.Fprintln(table, "quiet after\tslope per hour\t")
	rest := r.samples[len(periods[0].samples):]
	for _, f := range figures {
		fmt.Fprintf(table, "%s\t%.0f\t", f.name, f.of(r.before))
		for _, p := range periods {
			fmt.Fprintf(table, "%.0f\t", f.median(p.samples))
		}
		fmt.Fprintf(table, "%.0f\t%+.1f\t\n", f.of(r.after), f.slope(rest))
	}
	row := func(name string, of func(tally, time.Duration) float64) {
		fmt.Fprintf(table, "%s\t\t", name)
		for _, p := range periods {
			fmt.Fprintf(table, "%.1f\t", of(p.sent, time.Duration(len(p.samples))*r.every))
		}
		fmt.Fprint(table, "\t\t\n")
	}
	for _, o := range outcomes {
		row(o.name, func(t tally, _ time.Duration) float64 { return o.of(t) })
	}
	for _, status := range r.statuses() {
		row(fmt.Sprint(status, "s per second"), func(t tally, lasting time.Duration) float64 {
			return float64(t.statuses[status]) / max(lasting.Seconds(), 1)
		})
	}
}

// statuses returns all statuses that were answered.
func (r report) statuses() []int {
	all := map[int]bool{http.StatusOK: true}
	for _, s := range r.samples {
		for status := range s.sent.statuses {
			all[status] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func (r report) printKinds(to io.Writer) {
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer table.Flush()
	fmt.Fprintln(table, "\nkind\tpictures\tcompared\t")
	for _, k := range r.traffic.kinds {
		if kept := r.traffic.witnesses[k]; k.sampled > 0 {
			fmt.Fprintf(table, "%s\t%d\t%d\t\n", k.name, kept.offered, len(kept.kept))
		}
	}
}
