package transport

import (
	"slices"
	"sync"
	"time"
)

// pace is how fast an origin answers.
type pace struct {
	mu        sync.Mutex                 // guards the fields below
	delays    [paceSamples]time.Duration // until answers began, a ring
	count     int                        // of delays so far
	bandwidth float64                    // bytes a second of one body, a decaying mean; 0 is unknown
}

const (
	paceSamples    = 64
	enoughSamples  = 20       // for a quantile
	measuredBytes  = 64 << 10 // a shorter body says nothing of the bandwidth
	bandwidthShare = 0.1      // of a new measurement
)

// noteDelay records how long an answer took to begin.
func (p *pace) noteDelay(delay time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delays[p.count%paceSamples] = delay
	p.count++
}

// noteBody records how long a body took.
func (p *pace) noteBody(bytes int64, took time.Duration) {
	if bytes < measuredBytes || took <= 0 {
		return
	}
	rate := float64(bytes) / took.Seconds()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bandwidth == 0 {
		p.bandwidth = rate
	}
	p.bandwidth += bandwidthShare * (rate - p.bandwidth)
}

// hedgeAfter returns how long to wait for an answer before it is asked for once more: longer than 19 of 20
// answers took.
func (p *pace) hedgeAfter() (wait time.Duration, isKnown bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.count < enoughSamples {
		return 0, false
	}
	return p.quantile(0.95) + minHedgeWait, true
}

// minHedgeWait is for servers that are so near that their answers vary more by chance.
const minHedgeWait = 5 * time.Millisecond

// quantile returns a quantile of the delays. The caller holds the lock.
func (p *pace) quantile(share float64) time.Duration {
	known := slices.Clone(p.delays[:min(p.count, paceSamples)])
	slices.Sort(known)
	return known[int(share*float64(len(known)-1))]
}

const (
	unknownGap = 64 << 10
	minGap     = 16 << 10
	maxGap     = 512 << 10
)

// gap returns how many bytes are read in the time that a request costs. Requests wait for their answers at
// the same time, as many as there are turns, so one costs a part of that wait.
func (p *pace) gap(turns int) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.count == 0 || p.bandwidth == 0 {
		return unknownGap
	}
	return min(max(int64(p.quantile(0.5).Seconds()*p.bandwidth)/int64(turns), minGap), maxGap)
}
