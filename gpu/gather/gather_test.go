package gather_test

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"tileserver/gpu"
	"tileserver/gpu/gather"
	"tileserver/gpu/gputest"
	"tileserver/gpu/route"
)

// double is a kernel that doubles a word.
var double = &gpu.Kernel{Name: "double", Steps: func([]gpu.Job) []gpu.Step { return []gpu.Step{{Entry: "main", Groups: 1}} }}

var entries = gputest.Entries{"double": {"main": func(job int, m *gputest.Memory) {
	record := m.Records[12*job:]
	m.Output[record[2]] = 2 * m.Input[record[0]]
	m.Output[job] = gpu.Done
}}}

var roomy = gpu.Limits{BindingBytes: 1 << 20, BatchBytes: 1 << 22}

// numbers is a part whose jobs each double a number.
type numbers struct {
	numbers []uint32
	bytes   int64   // of an input, of which a number is the beginning
	works   []int64 // of the jobs; nil is 1 for each
	mu      sync.Mutex
	written int
}

func (n *numbers) Kernel() *gpu.Kernel { return double }

func (n *numbers) Jobs() []gpu.Job {
	jobs := slices.Repeat([]gpu.Job{{Input: n.bytes, Output: 4, Work: 1}}, len(n.numbers))
	for i, work := range n.works {
		jobs[i].Work, jobs[i].Parameters[0] = work, uint32(work)
	}
	return jobs
}

func (n *numbers) Write(job int, input []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.written++
	binary.LittleEndian.PutUint32(input, n.numbers[job])
}

// count returns the part of the numbers from first on.
func count(first uint32, n int) *numbers {
	part := &numbers{bytes: 4}
	for i := range n {
		part.numbers = append(part.numbers, first+uint32(i))
	}
	return part
}

// receive receives what the device makes of an offer, and checks that every job comes once.
func receive(t *testing.T, offer *gather.Offer, part *numbers) {
	t.Helper()
	done := make([]bool, len(part.numbers))
	err := offer.Receive(t.Context(), func(s gather.Share) error {
		if s.Err != nil {
			return s.Err
		}
		for i := range s.Len() {
			job, status, output := s.Output(i)
			if got := binary.LittleEndian.Uint32(output); got != 2*part.numbers[job] || status != gpu.Done || done[job] {
				t.Errorf("job %d gave %d with the status %d, want %d once", job, got, status, 2*part.numbers[job])
			}
			done[job] = true
		}
		return nil
	})
	if err != nil || slices.Contains(done, false) {
		t.Errorf("received %v and the error %v", done, err)
	}
}

// gathering is a gatherer over a device that has answered. Below ten jobs the cores win, above the device.
type gathering struct {
	*gather.Gatherer
	device *gputest.Device
	hold   chan struct{} // if it is not nil, each batch takes a token before it runs
}

func newGathering(t *testing.T, mode route.Mode) *gathering {
	t.Helper()
	g := &gathering{device: gputest.NewDevice(entries)}
	g.device.Before = func(*gpu.Batch) error {
		if g.hold != nil {
			<-g.hold
		}
		return nil
	}
	router := route.New(mode, 1)
	router.SetCosts("double", route.Costs{
		OnDevice: route.Curve{{Work: 1, Took: 10 * time.Millisecond / 13 * 10}, {Work: 1000, Took: 10 * time.Millisecond}}, OnCore: 1000 * time.Second,
	})
	g.prepared(t, router)
	return g
}

// Offer offers jobs of cheap work.
func (g *gathering) Offer(part gather.Part) *gather.Offer {
	return g.Gatherer.Offer(context.Background(), part, false)
}

// prepared returns a device that may have work.
func prepared(d *gputest.Device) gather.Device {
	return gather.Device{Executor: d, Prepare: func(context.Context) (gpu.Limits, error) { return d.Description.Limits, nil }}
}

// prepared begins anew with a router.
func (g *gathering) prepared(t *testing.T, router *route.Router) {
	t.Helper()
	g.Gatherer = gather.New(router, prepared(g.device))
	if err := g.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func taken(o *gather.Offer) bool {
	synctest.Wait()
	select {
	case <-o.Taken():
		return true
	default:
		return false
	}
}

func TestOffersAreLeftToWorkersUntilTheDeviceIsPrepared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, prepared, down := newGathering(t, route.Strict), 0, true
		g.Gatherer = gather.New(route.New(route.Strict, 1), gather.Device{Executor: g.device, Prepare: func(context.Context) (gpu.Limits, error) {
			if prepared++; down {
				return gpu.Limits{}, gpu.ErrDown
			}
			return roomy, nil
		}})
		for range 3 {
			if g.MayTake(t.Context()) {
				t.Error("a device that is down may take offers")
			}
			if o := g.Offer(count(0, 1)); o.Insists() > 0 || taken(o) || !o.Withdraw() {
				t.Error("a device that is down took an offer")
			}
		}
		if got := g.Stats().Offers[gather.Outcome{Place: route.Cores, Why: route.Down}]; got != 6 || prepared != 1 {
			t.Errorf("%d offers are counted, and the device was prepared %d times", got, prepared)
		}
		down = false
		time.Sleep(time.Hour)
		g.MayTake(t.Context())
		synctest.Wait()
		if part := count(1, 3); g.MayTake(t.Context()) {
			receive(t, g.Offer(part), part)
		}
		if prepared != 2 {
			t.Errorf("the device was prepared %d times, want twice", prepared)
		}
	})
}

func TestSmallOffersAreLeftToFreeWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGathering(t, route.Auto)
		o := g.Offer(count(1, 5))
		if o.Insists() > 0 || taken(o) || !o.Withdraw() {
			t.Error("a small offer was taken, or insists")
		}
		if got := g.Stats().Offers[gather.Outcome{Place: route.Cores, Why: route.Slower}]; got != 1 {
			t.Errorf("%d offers are counted for the cores", got)
		}
		if o = g.Offer(count(1, 9)); taken(o) {
			t.Error("an offer that was withdrawn counts for the next one")
		}
	})
}

func TestSmallOffersThatWaitMakeABatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGathering(t, route.Auto)
		parts := []*numbers{count(1, 4), count(10, 4), count(20, 4)}
		var offers []*gather.Offer
		for _, part := range parts {
			offers = append(offers, g.Offer(part))
		}
		for i, o := range offers {
			if !taken(o) || o.Withdraw() {
				t.Errorf("offer %d was not taken, or withdrawn then", i)
			}
			receive(t, o, parts[i])
		}
		if sizes := g.device.Sizes(); !slices.Equal(sizes, []int{12}) || g.device.Open() != 0 {
			t.Errorf("the device ran batches of %v, and %d did not end", sizes, g.device.Open())
		}
	})
}

func TestOffersGatherWhileTheDeviceIsBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGathering(t, route.Strict)
		g.hold = make(chan struct{})
		parts := []*numbers{count(1, 1), count(10, 2), count(20, 3)}
		var offers []*gather.Offer
		for _, part := range parts {
			offers = append(offers, g.Offer(part))
			synctest.Wait()
		}
		if !taken(offers[0]) || taken(offers[1]) || taken(offers[2]) || offers[2].Insists() == 0 {
			t.Fatal("a busy device took more")
		}
		close(g.hold)
		for i, o := range offers {
			receive(t, o, parts[i])
		}
		if sizes := g.device.Sizes(); !slices.Equal(sizes, []int{1, 5}) {
			t.Errorf("the device ran batches of %v, want 1 and 5", sizes)
		}
	})
}

func TestLargeOffersAreDivided(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGathering(t, route.Strict)
		g.device.Description.Limits.BindingBytes = 5 * 48 // records of four jobs, and a word to spare
		g.prepared(t, route.New(route.Strict, 1))
		first, second := count(1, 9), count(100, 2)
		a, b := g.Offer(first), g.Offer(second)
		receive(t, a, first)
		receive(t, b, second)
		if sizes := g.device.Sizes(); !slices.Equal(sizes, []int{4, 4, 3}) || g.device.Open() != 0 {
			t.Errorf("the device ran batches of %v, and %d did not end", sizes, g.device.Open())
		}
		g.device.Description.Limits.BindingBytes = 8
		g.prepared(t, route.New(route.Strict, 1))
		if o := g.Offer(count(1, 1)); o.Insists() > 0 || taken(o) || !o.Withdraw() {
			t.Error("a job was taken that does not fit into any batch")
		}
		if got := g.Stats().Offers[gather.Outcome{Place: route.Cores, Why: route.TooLarge}]; got != 1 {
			t.Errorf("%d offers are counted as too large", got)
		}
	})
}

// crowd is a gathering whose batches have four jobs, and what they take of offers.
type crowd struct {
	*gathering
	parts []*numbers
	taken [][]int // after each batch, how many jobs were taken of each offer
}

// newCrowd returns a crowd whose device is busy until it gets a token.
func newCrowd(t *testing.T) *crowd {
	c := &crowd{gathering: newGathering(t, route.Strict)}
	c.device.Description.Limits.BindingBytes = 5 * 48 // records of four jobs, and a word to spare
	c.prepared(t, route.New(route.Strict, 1))
	c.hold = make(chan struct{})
	c.device.Before = func(*gpu.Batch) error {
		var taken []int
		for _, part := range c.parts {
			taken = append(taken, part.written)
		}
		c.taken = append(c.taken, taken)
		<-c.hold
		return nil
	}
	c.offer(1, false)
	synctest.Wait()
	return c
}

// offer offers some jobs, and receives what becomes of them.
func (c *crowd) offer(jobs int, isDear bool) { c.offerPart(count(1, jobs), isDear) }

func (c *crowd) offerPart(part *numbers, isDear bool) {
	c.parts = append(c.parts, part)
	o := c.Gatherer.Offer(context.Background(), part, isDear)
	go func() { _ = o.Receive(context.Background(), func(gather.Share) error { return nil }) }()
}

// step lets the device finish a batch.
func (c *crowd) step() {
	c.hold <- struct{}{}
	synctest.Wait()
}

// finish lets the device finish, and checks what the batches took.
func (c *crowd) finish(t *testing.T, want ...[]int) {
	t.Helper()
	close(c.hold)
	synctest.Wait()
	if !reflect.DeepEqual(c.taken[1:], want) {
		t.Errorf("the batches took\n%v of the offers, want\n%v", c.taken[1:], want)
	}
}

func TestCheapWorkComesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t)
		c.offer(5, true)
		c.offer(2, false)
		c.offer(1, false)
		c.finish(t, []int{1, 1, 2, 1}, []int{1, 5, 2, 1})
	})
}

// Two large offers share each batch. One alone has it all.
func TestAnOfferTakesHalfWhileOthersWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t)
		c.offer(9, true)
		c.offer(3, true)
		c.finish(t, []int{1, 2, 2}, []int{1, 4, 3}, []int{1, 8, 3}, []int{1, 9, 3})
	})
}

// What is left of an offer waits behind the others of its kind.
func TestTheRestOfAnOfferGoesToTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t)
		for range 3 {
			c.offer(4, true)
		}
		c.finish(t, []int{1, 2, 2, 0}, []int{1, 4, 2, 2}, []int{1, 4, 4, 4})
	})
}

// However much cheap work comes, dear work goes on.
func TestDearWorkDoesNotStarve(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t)
		c.offer(20, true)
		var dear []int
		for range 10 {
			c.offer(2, false)
			c.offer(2, false)
			c.step()
			dear = append(dear, c.parts[1].written)
		}
		if want := []int{0, 2, 2, 4, 4, 6, 6, 8, 8, 8}; !slices.Equal(dear, want) {
			t.Errorf("of the dear offer %v jobs were taken, want %v", dear, want)
		}
		close(c.hold)
	})
}

// A job of more than half of the memory is taken all the same.
func TestALargeJobIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t)
		for range 2 {
			large := count(1, 1)
			large.bytes = 150
			c.offerPart(large, true)
		}
		c.finish(t, []int{1, 1, 0}, []int{1, 1, 1})
	})
}

// The jobs of a batch lie in the order of their work, whoever offered them. Each finds its way back.
func TestJobsOfABatchAreSortedByWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGathering(t, route.Strict)
		var works []uint32 // of the jobs of the last batch
		g.hold = make(chan struct{})
		g.device.Before = func(b *gpu.Batch) error {
			works = nil
			for at := range b.Jobs() {
				works = append(works, binary.LittleEndian.Uint32(b.Records[recordBytes*at+parametersAt:]))
			}
			<-g.hold
			return nil
		}
		busy := g.Offer(count(1, 1))
		first, second := count(10, 4), count(20, 3)
		first.works, second.works = []int64{5, 1, 7, 5}, []int64{6, 5, 2}
		offers := []*gather.Offer{g.Offer(first), g.Offer(second)}
		close(g.hold)
		receive(t, busy, count(1, 1))
		receive(t, offers[0], first)
		receive(t, offers[1], second)
		if want := []uint32{7, 6, 5, 5, 5, 2, 1}; !slices.Equal(works, want) {
			t.Errorf("the jobs have the works %v, want %v", works, want)
		}
	})
}

// The sizes of the record of a job, of which the last part is its parameters.
const (
	recordBytes  = 4 * gpu.RecordWords
	parametersAt = 16
)

func TestABatchThatFailsIsTheFailureOfItsShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, broken := newGathering(t, route.Strict), errors.New("broken")
		g.device.Before = func(*gpu.Batch) error { return broken }
		var got error
		err := g.Offer(count(1, 3)).Receive(t.Context(), func(s gather.Share) error { got = s.Err; return nil })
		if err != nil || !errors.Is(got, broken) || g.device.Open() != 0 {
			t.Errorf("the share has the error %v, Receive %v, and %d batches did not end", got, err, g.device.Open())
		}
		if stats := g.Stats(); stats.Work[double.Name] != (gather.Work{Failed: 1}) {
			t.Errorf("the counters are %+v", stats)
		}
	})
}

// A call that ends leaves nothing behind, wherever its jobs are.
func TestCallersLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGathering(t, route.Strict)
		g.hold = make(chan struct{})
		running, waiting, other := count(1, 1), count(10, 1), count(20, 1)
		ctx, leave := context.WithCancelCause(t.Context())
		offers := []*gather.Offer{g.Offer(running), g.Offer(waiting), g.Offer(other)}
		left := errors.New("left")
		var calls sync.WaitGroup
		for _, o := range offers[:2] {
			calls.Go(func() {
				if err := o.Receive(ctx, func(gather.Share) error { return nil }); !errors.Is(err, left) {
					t.Errorf("got %v, want that the call has left", err)
				}
			})
		}
		synctest.Wait()
		leave(left)
		calls.Wait()
		close(g.hold)
		receive(t, offers[2], other)
		synctest.Wait()
		if waiting.written != 0 || !slices.Equal(g.device.Sizes(), []int{1, 1}) || g.device.Open() != 0 {
			t.Errorf("%d inputs were written, batches of %v ran, %d did not end", waiting.written, g.device.Sizes(), g.device.Open())
		}
	})
}

// A work is told where each of its offers went, and nothing of those of others.
func TestTraces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGathering(t, route.Auto)
		first, of := gather.Traced(t.Context())
		second, ofOther := gather.Traced(t.Context())
		if ofOther.Offers() != nil {
			t.Error("a trace without offers has some")
		}
		g.Gatherer.Offer(first, count(1, 5), false).Withdraw()
		large := count(1, 900)
		receive(t, g.Gatherer.Offer(first, large, false), large)
		g.device.Before = func(*gpu.Batch) error { return gpu.ErrDown }
		_ = g.Gatherer.Offer(second, large, false).Receive(second, func(gather.Share) error { return nil })
		g.MayTake(second)
		want := map[gather.Outcome]int64{{Place: route.Cores, Why: route.Slower}: 1, {Place: route.Device, Why: route.Faster}: 1}
		if got := of.Offers(); !maps.Equal(got, want) {
			t.Errorf("the offers of the first work went to %v, want %v", got, want)
		}
		want = map[gather.Outcome]int64{{Place: route.Cores, Why: route.Failed}: 1, {Place: route.Cores, Why: route.Down}: 1}
		if got := ofOther.Offers(); !maps.Equal(got, want) {
			t.Errorf("the offers of the second work went to %v, want %v", got, want)
		}
	})
}

// A batch that goes on keeps nothing of the callers that have left it.
func TestWhatCallersLeaveIsFree(t *testing.T) {
	g := newGathering(t, route.Strict)
	began := make(chan struct{})
	g.hold = make(chan struct{})
	g.device.Before = func(*gpu.Batch) error { close(began); <-g.hold; return nil }
	leave := func() weak.Pointer[numbers] {
		part := count(1, 1)
		o := g.Offer(part)
		<-began
		o.Leave()
		return weak.Make(part)
	}
	part := leave()
	runtime.GC()
	if part.Value() != nil {
		t.Error("a batch keeps the inputs of a caller that has left")
	}
	close(g.hold)
}

// crowded is a device whose memory is full for a while.
type crowded struct{ *gputest.Device }

func (d crowded) Begin(ctx context.Context, kernel *gpu.Kernel, jobs []gpu.Job) (*gpu.Batch, error) {
	time.Sleep(time.Minute)
	return d.Device.Begin(ctx, kernel, jobs)
}

// A batch that waits until outputs of others are read does not make the device slow.
func TestWaitingForMemoryIsNoWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		device, router := gputest.NewDevice(entries), route.New(route.Auto, 1)
		router.SetCosts("double", route.Costs{OnDevice: route.Curve{{Work: 1, Took: time.Second}}, OnCore: 1e6 * time.Minute})
		device.Before = func(*gpu.Batch) error { time.Sleep(time.Second); return nil }
		prepare := func(context.Context) (gpu.Limits, error) { return device.Description.Limits, nil }
		g := gather.New(router, gather.Device{Executor: crowded{device}, Prepare: prepare})
		if err := g.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		part := count(1, 1)
		receive(t, g.Offer(t.Context(), part, false), part)
		if took := router.DeviceTime("double", 1); took != time.Second {
			t.Errorf("the device is expected to take %v, want 1s", took)
		}
	})
}

// Work that no device gets costs next to nothing.
func TestNoDeviceTakesNoMemory(t *testing.T) {
	g := gather.New(route.New(route.Auto, 1), gather.Device{Prepare: func(context.Context) (gpu.Limits, error) {
		return gpu.Limits{}, gather.ErrSoftware
	}})
	_ = g.Prepare(t.Context())
	if allocations := testing.AllocsPerRun(100, func() { g.MayTake(t.Context()) }); allocations > 0 {
		t.Errorf("a batch without a device allocates %v times", allocations)
	}
}

// Two devices work at the same time. One that fails gets nothing for a second, and the other all.
func TestSeveralDevices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := gputest.NewDevice(entries), gputest.NewDevice(entries)
		hold, broken := make(chan struct{}), false
		for _, d := range []*gputest.Device{first, second} {
			d.Before = func(*gpu.Batch) error {
				if broken && d == first {
					return gpu.ErrDown
				}
				<-hold
				return nil
			}
		}
		g := gather.New(route.New(route.Strict, 1), prepared(first), prepared(second))
		if err := g.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		parts := []*numbers{count(1, 1), count(10, 2), count(20, 3)}
		var offers []*gather.Offer
		for _, part := range parts {
			offers = append(offers, g.Offer(t.Context(), part, false))
			synctest.Wait()
		}
		if !taken(offers[0]) || !taken(offers[1]) || taken(offers[2]) {
			t.Error("two devices did not take one offer each")
		}
		close(hold)
		for i, o := range offers {
			receive(t, o, parts[i])
		}
		synctest.Wait()

		broken = true
		var got error
		_ = g.Offer(t.Context(), count(1, 1), false).Receive(t.Context(), func(s gather.Share) error { got = s.Err; return nil })
		if !errors.Is(got, gpu.ErrDown) {
			t.Errorf("the first device gave %v", got)
		}
		before := len(second.Sizes())
		for range 3 {
			part := count(1, 1)
			receive(t, g.Offer(t.Context(), part, false), part)
		}
		if after := len(second.Sizes()); after != before+3 {
			t.Errorf("the second device ran %d batches while the first was down", after-before)
		}
		want := map[gather.Outcome]int64{{Place: route.Device, Why: route.Wanted}: 6, {Place: route.Cores, Why: route.Failed}: 1}
		if stats := g.Stats(); !maps.Equal(stats.Offers, want) {
			t.Errorf("offers went to %v, want %v", stats.Offers, want)
		}
	})
}

// A codec that writes for long holds up nobody else, even if what is left of its offer has to be given back.
func TestWritersHoldUpNobody(t *testing.T) {
	first, second := gputest.NewDevice(entries), gputest.NewDevice(entries)
	first.Description.Limits.BindingBytes = 2 * 48 // a record, and a word to spare
	second.Description.Limits = first.Description.Limits
	began, hold := make(chan struct{}), make(chan struct{})
	first.Before = func(*gpu.Batch) error { close(began); <-hold; return gpu.ErrDown }
	isDown := false
	prepare := func(context.Context) (gpu.Limits, error) {
		if isDown {
			return gpu.Limits{}, gpu.ErrDown
		}
		return first.Description.Limits, nil
	}
	g := gather.New(route.New(route.Strict, 1), gather.Device{Executor: first, Prepare: prepare}, gather.Device{Executor: second, Prepare: prepare})
	if err := g.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	failing := g.Offer(t.Context(), count(1, 1), false)
	<-began
	slow := &writer{count(1, 2), make(chan struct{}), make(chan struct{})}
	writing := g.Offer(t.Context(), slow, false)
	<-slow.began
	isDown = true
	_ = g.Prepare(t.Context()) // it is
	close(hold)
	answered := make(chan struct{})
	go func() {
		_ = failing.Receive(t.Context(), func(gather.Share) error { return nil })
		g.Stats()
		close(answered)
	}()
	select {
	case <-answered:
	case <-time.After(10 * time.Second):
		t.Error("a writer holds up the gatherer")
	}
	close(slow.goOn)
	if err := writing.Receive(t.Context(), func(gather.Share) error { return nil }); err != nil {
		t.Error(err)
	}
}

// writer is a part that takes its time to write.
type writer struct {
	*numbers
	began, goOn chan struct{}
}

func (w *writer) Write(job int, input []byte) {
	close(w.began)
	<-w.goOn
	w.numbers.Write(job, input)
}

// With no device left, those who insisted on one do not wait.
func TestNobodyWaitsForADeviceThatFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGathering(t, route.Strict)
		release := make(chan struct{})
		g.device.Before = func(*gpu.Batch) error { <-release; return gpu.ErrDown }
		running, waiting := g.Offer(count(1, 1)), g.Offer(count(10, 2))
		close(release)
		for _, o := range []*gather.Offer{running, waiting} {
			var got error
			if err := o.Receive(t.Context(), func(s gather.Share) error { got = s.Err; return nil }); err != nil || !errors.Is(got, gpu.ErrDown) {
				t.Errorf("received %v and %v", got, err)
			}
		}
		if o := g.Offer(count(1, 1)); o.Insists() > 0 || taken(o) || !o.Withdraw() {
			t.Error("an offer waits for a device that failed a moment ago")
		}
		time.Sleep(2 * time.Second)
		g.device.Before = nil
		if !g.MayTake(t.Context()) { // which prepares it again
			synctest.Wait()
		}
		part := count(1, 4)
		receive(t, g.Offer(part), part)
	})
}

// Nothing of a gatherer goes on after Close, and nothing begins.
func TestCloseEndsPreparing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		prepared, isPreparing := 0, false
		g := gather.New(route.New(route.Auto, 1), gather.Device{Prepare: func(ctx context.Context) (gpu.Limits, error) {
			prepared, isPreparing = prepared+1, true
			<-ctx.Done()
			time.Sleep(time.Second) // to give up
			isPreparing = false
			return gpu.Limits{}, ctx.Err()
		}})
		g.MayTake(t.Context())
		synctest.Wait()
		began := time.Now()
		g.Close()
		if took := time.Since(began); prepared != 1 || isPreparing || took != time.Second {
			t.Errorf("prepared %d times, after %v it still is: %t", prepared, took, isPreparing)
		}
		time.Sleep(time.Hour)
		if g.MayTake(t.Context()) || prepared != 1 {
			t.Errorf("prepared %d times, after it was closed, too", prepared)
		}
		g.Close() // once more does nothing
	})
}

// A device that computes on the cores is prepared once, and work is counted as kept from it.
func TestSoftwareGetsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		prepared := 0
		g := gather.New(route.New(route.Auto, 1), gather.Device{Prepare: func(context.Context) (gpu.Limits, error) {
			prepared++
			return gpu.Limits{}, gather.ErrSoftware
		}})
		for range 3 {
			if g.MayTake(t.Context()) {
				t.Error("it may take offers")
			}
			synctest.Wait()
		}
		if got := g.Stats().Offers[gather.Outcome{Place: route.Cores, Why: route.Software}]; got != 2 || prepared != 1 {
			t.Errorf("%d offers are counted as kept from software, which was prepared %d times", got, prepared)
		}
	})
}

// A device that takes longer than expected gets no more than it has, and those who wait for it do not wait
// for long.
func TestNobodyInsistsOnADeviceThatIsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGathering(t, route.Auto)
		g.hold = make(chan struct{})
		first, second := count(1, 900), count(1000, 900)
		running, waiting := g.Offer(first), g.Offer(second)
		if !taken(running) || taken(waiting) || waiting.Insists() == 0 || waiting.Insists() > time.Second {
			t.Errorf("the second offer is taken: %t, and insists for %v", taken(waiting), waiting.Insists())
		}
		time.Sleep(time.Minute)
		late := g.Offer(count(1, 900))
		if late.Insists() > 0 || taken(late) || !late.Withdraw() || !waiting.Withdraw() {
			t.Error("an offer insists on a device that is late")
		}
		if got := g.Stats().Offers[gather.Outcome{Place: route.Cores, Why: route.Busy}]; got != 2 {
			t.Errorf("%d offers are counted as busy", got)
		}
		close(g.hold)
		receive(t, running, first)
	})
}

// panics is a part that cannot write.
type panics struct{ *numbers }

func (panics) Write(int, []byte) { panic("no input") }

func TestAPanicOfACodecFailsItsBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGathering(t, route.Strict)
		var got error
		_ = g.Offer(panics{count(1, 1)}).Receive(t.Context(), func(s gather.Share) error { got = s.Err; return nil })
		if got == nil || g.device.Open() != 0 {
			t.Errorf("the share has the error %v, and %d batches did not end", got, g.device.Open())
		}
		part := count(1, 1)
		receive(t, g.Offer(part), part)
	})
}
