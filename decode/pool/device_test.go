package pool

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/decode"
	"tileserver/gpu"
	"tileserver/gpu/gather"
	"tileserver/gpu/gputest"
	"tileserver/gpu/route"
	"tileserver/internal/threadtime"
)

// squares is a batch that squares numbers. A worker does two in a task, the device one in a job. The device
// cannot do those of which the last digit is 7.
type squares struct {
	numbers  []uint32
	onWorker func() // called by each task
	readTime time.Duration
	isPart   bool // there are tasks that no device could do

	mu      sync.Mutex
	results map[uint32]uint32
	workers int // numbers that workers squared
	reads   int // outputs that were read
}

var square = &gpu.Kernel{Name: "square", Steps: func([]gpu.Job) []gpu.Step { return []gpu.Step{{Entry: "main", Groups: 1}} }}

var squareInGo = gputest.Entries{"square": {"main": func(job int, m *gputest.Memory) {
	number := m.Input[m.Job(job).Input]
	m.Output[m.Job(job).Output] = number * number
	m.Output[job] = gpu.Done
	if number%10 == 7 {
		m.Output[job] = gpu.Damaged
	}
}}}

func squaresOf(numbers ...uint32) *squares {
	return &squares{numbers: numbers, results: make(map[uint32]uint32)}
}

func (s *squares) Len() int { return (len(s.numbers) + 1) / 2 }

func (s *squares) Do(i int) error {
	if s.onWorker != nil {
		s.onWorker()
	}
	numbers := s.numbers[2*i : min(2*i+2, len(s.numbers))]
	time.Sleep(time.Duration(len(numbers)) * squareTime)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range numbers {
		s.results[n] = n * n
		s.workers++
	}
	return nil
}

func (s *squares) ForDevice() DevicePart { return s }
func (s *squares) Kernel() *gpu.Kernel   { return square }

func (s *squares) Jobs() []gpu.Job {
	return slices.Repeat([]gpu.Job{{Input: 4, Output: 4, Work: 1}}, len(s.numbers))
}

func (s *squares) IsWhole() bool { return !s.isPart }

func (s *squares) Write(job int, input []byte) { binary.LittleEndian.PutUint32(input, s.numbers[job]) }

func (s *squares) Read(job int, status uint32, output []byte) error {
	time.Sleep(s.readTime)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reads++; status != gpu.Done {
		return errors.New("not done")
	}
	s.results[s.numbers[job]] = binary.LittleEndian.Uint32(output)
	return nil
}

func (s *squares) Rest() Batch {
	s.numbers = slices.DeleteFunc(slices.Clone(s.numbers), func(n uint32) bool { _, isDone := s.results[n]; return isDone })
	return s
}

// check checks that all numbers were squared, and how many by workers.
func (s *squares) check(t *testing.T, err error, byWorkers int, numbers ...uint32) {
	t.Helper()
	if err != nil || len(s.results) != len(numbers) || s.workers != byWorkers {
		t.Errorf("got %d of %d squares, %d from workers, want %d, and the error %v", len(s.results), len(numbers), s.workers, byWorkers, err)
	}
	for _, n := range numbers {
		if s.results[n] != n*n {
			t.Errorf("the square of %d is %d", n, s.results[n])
		}
	}
}

// squareTime is how long a worker takes for a number.
const squareTime = 130 * time.Millisecond

// readTime is how long it is expected to read a square.
const readTime = time.Microsecond

// squareCosts let the device win from ten numbers on.
var squareCosts = route.Costs{
	OnDevice: route.Curve{{Work: 1, Took: time.Second}, {Work: 1000, Took: time.Second}}, Reading: 1e6 * readTime, OnCore: 1e6 * squareTime,
}

// poolWithDevice returns a pool of one worker, and its device, which is prepared.
func poolWithDevice(t *testing.T, mode route.Mode) (*Pool, *gputest.Device) {
	t.Helper()
	return poolWithRouter(t, route.New(mode, 1))
}

func poolWithRouter(t *testing.T, router *route.Router) (*Pool, *gputest.Device) {
	t.Helper()
	device := gputest.NewDevice(squareInGo)
	device.Before = func(*gpu.Batch) error { time.Sleep(time.Second); return nil }
	router.SetCosts("square", squareCosts)
	prepare := func(context.Context) (gpu.Limits, error) { return device.Description.Limits, nil }
	gatherer := gather.New(router, gather.Device{Executor: device, Prepare: prepare})
	pool := New(Config{Workers: 1, Gatherer: gatherer, Clock: threadtime.Wall})
	first := squaresOf(1)
	first.check(t, pool.Run(t.Context(), first), 1, 1)
	synctest.Wait()
	return pool, device
}

// Work that workers would do in other pieces is done by a device, or is left to the caller at once.
func TestRunOnDevice(t *testing.T) {
	for mode, byDevice := range map[route.Mode]int{route.Strict: 2, route.Auto: 0} {
		synctest.Test(t, func(t *testing.T) {
			pool, device := poolWithDevice(t, mode)
			work, began := squaresOf(5, 7, 6), time.Now()
			err := pool.RunOnDevice(t.Context(), work)
			if err != nil || len(work.results) != byDevice || work.workers > 0 || device.Open() != 0 {
				t.Errorf("%s: %d of 3 squares, %d from workers, %d batches did not end: %v", mode, len(work.results), work.workers, device.Open(), err)
			}
			if took := time.Since(began); byDevice == 0 && took > 0 {
				t.Errorf("%s: it took %v to leave the work", mode, took)
			}
			device.Before = func(*gpu.Batch) error { return gpu.ErrDown }
			broken := squaresOf(5)
			if err := pool.RunOnDevice(t.Context(), broken); err != nil || len(broken.results) != 0 {
				t.Errorf("%s: a device that fails gave %v and the error %v", mode, broken.results, err)
			}
		})
	}
}

func upTo(n int) (numbers []uint32) {
	for i := range n {
		numbers = append(numbers, uint32(i))
	}
	return numbers
}

func TestTheDeviceGetsWhatItDoesSooner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool, device := poolWithDevice(t, route.Auto)
		small := squaresOf(upTo(5)...)
		small.check(t, pool.Run(t.Context(), small), 5, upTo(5)...)
		large := squaresOf(upTo(100)...)
		large.check(t, pool.Run(t.Context(), large), 10, upTo(100)...) // those that end with 7
		if large.reads != 100 {
			t.Errorf("%d outputs were read, want each of a hundred once", large.reads)
		}
		if sizes := device.Sizes(); !slices.Equal(sizes, []int{100}) || device.Open() != 0 {
			t.Errorf("the device ran batches of %v, and %d did not end", sizes, device.Open())
		}
		if busy := pool.Stats().Busy; busy != 0 {
			t.Errorf("%d workers are busy", busy)
		}
	})
}

// To read squares takes a worker longer than expected, which counts for the device.
func TestReadingCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		router := route.New(route.Auto, 1)
		pool, _ := poolWithRouter(t, router)
		for range 20 {
			b := squaresOf(upTo(100)...)
			b.readTime = 2 * readTime
			b.check(t, pool.Run(t.Context(), b), 10, upTo(100)...)
		}
		const want = time.Second + 1000*2*readTime
		if got := router.Estimates()[0].OnDevice; got < want-want/10_000 || got > want+want/10_000 {
			t.Errorf("a thousand squares are expected to take %v on the device, want about %v", got, want)
		}
	})
}

// The time of a batch says what its jobs cost on workers only if there is nothing else in it.
func TestOtherTasksDoNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, isPart := range []bool{false, true} {
			router := route.New(route.Auto, 1)
			pool, _ := poolWithRouter(t, router)
			before := router.Estimates()[0].OnCores
			for range 20 {
				b := squaresOf(upTo(5)...)
				b.isPart, b.onWorker = isPart, func() { time.Sleep(squareTime) }
				b.check(t, pool.Run(t.Context(), b), 5, upTo(5)...)
			}
			if got := router.Estimates()[0].OnCores; got > before == isPart {
				t.Errorf("a part: %t; a thousand squares are expected to take %v on the worker, %v before", isPart, got, before)
			}
		}
	})
}

func TestStrictGivesTheDeviceAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool, device := poolWithDevice(t, route.Strict)
		b := squaresOf(3, 7)
		b.check(t, pool.Run(t.Context(), b), 1, 3, 7)
		device.Before = func(*gpu.Batch) error { return gpu.ErrDown }
		b = squaresOf(upTo(100)...)
		b.check(t, pool.Run(t.Context(), b), 100, upTo(100)...)
	})
}

// Calls that wait for a worker make a batch for the device. The one that found a worker goes on there.
func TestWhatWaitsForWorkersGoesToTheDevice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool, device := poolWithDevice(t, route.Auto)
		release := make(chan struct{})
		batches := []*squares{squaresOf(1, 2, 3)}
		batches[0].onWorker = func() { <-release }
		for i := range uint32(4) {
			batches = append(batches, squaresOf(10*i, 10*i+1, 10*i+2))
		}
		var calls sync.WaitGroup
		for _, b := range batches {
			calls.Go(func() {
				if err := pool.Run(t.Context(), b); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		time.Sleep(2 * time.Second)
		// Twelve numbers waited. To read their squares takes a worker.
		if sizes := device.Sizes(); !slices.Equal(sizes, []int{12}) {
			t.Errorf("while the worker was busy, the device ran batches of %v", sizes)
		}
		close(release)
		calls.Wait()
		batches[0].check(t, nil, 3, 1, 2, 3)
		for i, b := range batches[1:] {
			b.check(t, nil, 0, uint32(10*i), uint32(10*i+1), uint32(10*i+2))
		}
		if device.Open() != 0 || pool.Stats().Busy != 0 {
			t.Errorf("%d batches did not end, %d workers are busy", device.Open(), pool.Stats().Busy)
		}
	})
}

func TestACallEndsWhileTheDeviceWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool, device := poolWithDevice(t, route.Strict)
		release := make(chan struct{})
		device.Before = func(*gpu.Batch) error { <-release; return nil }
		ctx, cancel := context.WithCancel(t.Context())
		for range 2 { // one on the device, and one that waits for it
			go func() { _ = pool.Run(ctx, squaresOf(upTo(100)...)) }()
			synctest.Wait()
		}
		cancel()
		synctest.Wait()
		if err := pool.Run(ctx, squaresOf(1)); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want that the call was canceled", err)
		}
		close(release)
		b := squaresOf(2, 4)
		b.check(t, pool.Run(t.Context(), b), 0, 2, 4)
		synctest.Wait()
		if device.Open() != 0 || pool.Stats().Busy != 0 {
			t.Errorf("%d batches did not end, %d workers are busy", device.Open(), pool.Stats().Busy)
		}
	})
}

// halves is a batch that halves even numbers, on a worker or a device. Odd ones are corrupt.
type halves struct {
	numbers []uint32
	made    []uint32
	isRead  []bool
}

var errOdd = fmt.Errorf("odd: %w", decode.ErrCorruptBlock)

func halvesOf(numbers ...uint32) *halves {
	return &halves{numbers, make([]uint32, len(numbers)), make([]bool, len(numbers))}
}

func (h *halves) Len() int { return len(h.numbers) }

func (h *halves) Do(i int) error {
	if h.numbers[i]%2 != 0 {
		return errOdd
	}
	h.made[i] = h.numbers[i] / 2
	return nil
}

func (h *halves) ForDevice() DevicePart { return h }
func (h *halves) Kernel() *gpu.Kernel   { return square }

func (h *halves) Jobs() []gpu.Job {
	return slices.Repeat([]gpu.Job{{Input: 4, Output: 4, Work: 1}}, len(h.numbers))
}

func (h *halves) IsWhole() bool { return true }

func (h *halves) Write(job int, input []byte) { binary.LittleEndian.PutUint32(input, h.numbers[job]) }

func (h *halves) Read(job int, status uint32, output []byte) error {
	if status != gpu.Done || h.numbers[job]%2 != 0 {
		return errOdd
	}
	h.made[job], h.isRead[job] = uint32(math.Sqrt(float64(binary.LittleEndian.Uint32(output))))/2, true
	return nil
}

func (h *halves) Rest() Batch {
	rest := Subset{Batch: h}
	for i, isRead := range h.isRead {
		if !isRead {
			rest.Tasks = append(rest.Tasks, i)
		}
	}
	return rest
}

// Blocks that a device decodes count like others, and corrupt ones keep their numbers.
func TestDecodeOnADevice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, mode := range []route.Mode{route.Auto, route.Strict} {
			pool, device := poolWithDevice(t, mode)
			before := pool.Stats()
			b := halvesOf(2, 4, 5, 8, 7, 10)
			corrupt, err := pool.Decode(t.Context(), b)
			if err != nil || len(corrupt) != 2 || corrupt[0].Index != 2 || corrupt[1].Index != 4 || corrupt[1].Count != 6 || !errors.Is(corrupt[1].Err, errOdd) {
				t.Errorf("%s: corrupt are %v, with the error %v", mode, corrupt, err)
			}
			if !slices.Equal(b.made, []uint32{1, 2, 0, 4, 0, 5}) || slices.Contains(b.isRead, true) != (mode == route.Strict) {
				t.Errorf("%s: made %v, on the device %v", mode, b.made, b.isRead)
			}
			after := pool.Stats()
			if after.Decoded-before.Decoded != 4 || after.Failed-before.Failed != 2 || device.Open() != 0 {
				t.Errorf("%s: %d blocks count as decoded and %d as failed", mode, after.Decoded-before.Decoded, after.Failed-before.Failed)
			}
		}
	})
}
