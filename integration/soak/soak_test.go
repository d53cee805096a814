package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
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

func TestWhatGrowsIsAProblem(t *testing.T) {
	attack := func(goroutines func(minute int) int, after sample) report {
		r := report{every: time.Minute, traffic: new(traffic), before: sample{goroutines: 20}, after: after}
		for i := range 60 {
			r.samples = append(r.samples, sample{at: time.Duration(i) * time.Minute, goroutines: goroutines(i), sent: newTally()})
		}
		return r
	}
	steady := func(minute int) int { return 100 + minute%7 }
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
