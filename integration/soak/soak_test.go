package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// A short attack finds nothing wrong. It keeps this program true; it is too short to find leaks.
func TestAShortAttack(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED with -short: the program is not run")
	}
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: the state of a process is read from /proc, which only Linux has")
	}
	program := filepath.Join(t.TempDir(), "tileserver")
	build := exec.Command("go", "build", "-ldflags=-w", "-o", program, "../../cmd/tileserver")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, output)
	}
	s := settings{program: program, folder: t.TempDir(), lasting: 4 * time.Second}
	if isSound, err := s.run(t.Context()); err != nil || !isSound {
		t.Errorf("sound: %v, %v", isSound, err)
	}
}

func TestPeriodsOfAnAttack(t *testing.T) {
	for _, test := range []struct{ samples, first, middle, last int }{{3, 1, 1, 1}, {100, 33, 34, 33}, {720, 120, 480, 120}} {
		r := report{every: 5 * time.Second, samples: make([]sample, test.samples)}
		for i := range r.samples {
			r.samples[i].sent = newTally()
		}
		var got []int
		for _, p := range r.periods() {
			got = append(got, len(p.samples))
		}
		if want := []int{test.first, test.middle, test.last}; !slices.Equal(got, want) {
			t.Errorf("%d samples: %v, want %v", test.samples, got, want)
		}
	}
}

// attackOf returns the report of an hour with a sample each minute.
func attackOf(goroutines func(minute int) int, sent func(minute int) tally) report {
	r := report{every: time.Minute, traffic: new(traffic), before: sample{goroutines: 20}, after: sample{goroutines: 21}}
	for i := range 60 {
		r.samples = append(r.samples, sample{at: time.Duration(i) * time.Minute, goroutines: goroutines(i), sent: sent(i)})
	}
	return r
}

func steady(minute int) int { return 100 + minute%7 }

// quick returns the answers of a minute: tiles of which most are hits.
func quick(minute int) tally {
	return answered(96, time.Duration(10+minute%3)*time.Millisecond, 10*time.Millisecond)
}

// answered returns 100 tiles of which some are hits, and as many 304s, with the times that these took.
func answered(hits int, hit, unchanged time.Duration) tally {
	t := newTally()
	t.hot, t.hits, t.unchanged = 100, slices.Repeat([]time.Duration{hit}, hits), slices.Repeat([]time.Duration{unchanged}, 100)
	return t
}

func TestWhatGrowsIsAProblem(t *testing.T) {
	attack := func(goroutines func(minute int) int, after sample) report {
		r := attackOf(goroutines, quick)
		r.after = after
		return r
	}
	for name, test := range map[string]struct {
		report   report
		problems int
	}{
		"nothing":                  {attack(steady, sample{goroutines: 21}), 0},
		"goroutines":               {attack(func(minute int) int { return 100 * minute }, sample{goroutines: 21}), 1},
		"goroutines that stay":     {attack(steady, sample{goroutines: 50}), 1},
		"memory beyond its limits": {attack(steady, sample{peak: 2 << 30}), 1},
	} {
		test.report.judge()
		if got := test.report.traffic.problems; len(got) != test.problems {
			t.Errorf("%s: %q", name, got)
		}
	}
	rising := attack(func(minute int) int { return 5 * minute }, sample{})
	if got := figures[2].slope(rising.samples); got < 299.9 || got > 300.1 {
		t.Errorf("a slope of %v, want 300 an hour", got)
	}
}

func TestAShortAttackMayFillTheCache(t *testing.T) {
	for every, problems := range map[time.Duration]int{time.Minute: 1, time.Second / 3: 0} {
		r := attackOf(steady, quick)
		r.every = every
		for i := range r.samples {
			r.samples[i].resident = 200 << 20
		}
		last := r.periods()[2].samples
		for i := range last {
			last[i].resident = 400 << 20
		}
		r.judge()
		if got := r.traffic.problems; len(got) != problems {
			t.Errorf("with a sample each %v: %q", every, got)
		}
	}
}

func TestCachedAnswersAreJudged(t *testing.T) {
	const ms, tooFew = time.Millisecond, "hits of hot tiles %: 94.0 in the last period, less than 95"
	for name, test := range map[string]struct {
		last  tally // of each sample of the last period
		every time.Duration
		says  string // "" if there is no problem
	}{
		"as before":           {answered(96, 10*ms, 10*ms), time.Minute, ""},
		"a half slower":       {answered(96, 15*ms, 15*ms), time.Minute, ""},
		"slow hits":           {answered(96, 19*ms, 10*ms), time.Minute, "hits p99 ms grew from 12.0 to 19.0"},
		"slow 304s":           {answered(96, 10*ms, 16*ms), time.Minute, "304s p99 ms grew from 10.0 to 16.0"},
		"slow, in a minute":   {answered(96, 90*ms, 90*ms), time.Second, ""},
		"just enough hits":    {answered(95, 10*ms, 10*ms), time.Minute, ""},
		"too few":             {answered(94, 10*ms, 10*ms), time.Minute, tooFew},
		"too few in a minute": {answered(94, 10*ms, 10*ms), time.Second, tooFew},
		"too few in seconds":  {answered(94, 10*ms, 10*ms), time.Second / 2, ""},
		"no tiles at all":     {newTally(), time.Minute, "hits of hot tiles %: 0.0 in the last period, less than 95"},
	} {
		r := attackOf(steady, quick)
		r.every = test.every
		last := r.periods()[2].samples
		for i := range last {
			last[i].sent = test.last
		}
		r.judge()
		if got := strings.Join(r.traffic.problems, "; "); got != test.says {
			t.Errorf("%s: %q, want %q", name, got, test.says)
		}
	}
}

func TestAReservoirKeepsItsSize(t *testing.T) {
	r := reservoir{size: 10}
	for range 1000 {
		r.offer(answer{})
	}
	if len(r.kept) != 10 || r.offered != 1000 {
		t.Errorf("%d of %d", len(r.kept), r.offered)
	}
}

func TestAllVersionsOfAFileAreCompared(t *testing.T) {
	w := world{changed: []*changing{{id: "renamed0", versions: make([][]byte, 2)}}}
	if got := w.variants("/tiles/renamed0/1/2/3.png"); !slices.Equal(got, []string{"/tiles/renamed0-v0/1/2/3.png", "/tiles/renamed0-v1/1/2/3.png"}) {
		t.Errorf("%q", got)
	}
	if got := w.variants("/tiles/map/1/2/3.png"); !slices.Equal(got, []string{"/tiles/map/1/2/3.png"}) {
		t.Errorf("%q", got)
	}
}

func TestTenThousandAnswersAreCompared(t *testing.T) {
	sum := 0
	for _, k := range kinds() {
		sum += k.sampled
	}
	if sum != 10000 {
		t.Errorf("%d", sum)
	}
}
