package device_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/cache/disk"
	"tileserver/cmd/tileserver/device"
	"tileserver/gpu"
	"tileserver/gpu/gputest"
	"tileserver/gpu/route"
	"tileserver/gpu/trial"
)

// increment is a kernel that adds one.
var increment = &gpu.Kernel{Name: "increment", Steps: func([]gpu.Job) []gpu.Step { return []gpu.Step{{Entry: "main", Groups: 1}} }}

func incrementInGo(job int, m *gputest.Memory) {
	m.Output[m.Job(job).Output] = m.Input[m.Job(job).Input] + 1
	m.Output[job] = gpu.Done
}

type increments int

var sample = trial.Sample{Kernel: increment, Work: func(jobs int) trial.Work { return increments(jobs) }}

func (increments) Kernel() *gpu.Kernel { return increment }
func (increments) Do(int)              {}

func (n increments) Jobs() []gpu.Job {
	return slices.Repeat([]gpu.Job{{Input: 4, Output: 4, Work: 1}}, int(n))
}

func (increments) Write(job int, input []byte) { binary.LittleEndian.PutUint32(input, uint32(job)) }

func (increments) Read(job int, _ uint32, output []byte) error {
	if binary.LittleEndian.Uint32(output) != uint32(job)+1 {
		return errors.New("not one more")
	}
	return nil
}

func (increments) Check(int) error { return nil }

// opened is a device with what it logs.
type opened struct {
	*device.Devices
	executor *gputest.Device
	log      bytes.Buffer
}

func open(mode route.Mode, change func(*gputest.Device)) *opened {
	return openAs(device.Config{Mode: mode, Cores: 2}, change)
}

// openBeside opens a device beside some cores of a processor.
func openBeside(cores int, processor string, state *disk.Store) *opened {
	return openAs(device.Config{Mode: route.Auto, Cores: cores, Processor: processor, State: state, Build: "1"}, nil)
}

func openAs(c device.Config, change func(*gputest.Device)) *opened {
	o := &opened{executor: gputest.NewDevice(gputest.Entries{"increment": {"main": incrementInGo}})}
	if change != nil {
		change(o.executor)
	}
	c.Executors, c.Samples = []gpu.Executor{o.executor}, []trial.Sample{sample}
	c.Logger = slog.New(slog.NewTextHandler(&o.log, nil))
	o.Devices = device.New(c)
	return o
}

// Costs are of one device beside one kind of cores, and some number of them.
func TestCostsAreMeasuredOnce(t *testing.T) {
	state, err := disk.Open(disk.Config{Folder: t.TempDir(), MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	measured, checked := []int{64, 64, 64, 512, 512, 512, 4096, 4096, 4096}, []int{32, 32, 32}
	for _, test := range []struct {
		cores     int
		processor string
		want      []int
	}{{2, "slow", measured}, {2, "slow", checked}, {2, "fast", measured}, {3, "slow", measured}, {2, "fast", checked}} {
		d := openBeside(test.cores, test.processor, state)
		if err := d.Gatherer.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := d.executor.Sizes(); !slices.Equal(got, test.want) {
			t.Errorf("beside %d cores that are %s, the device ran batches of %v, want %v", test.cores, test.processor, got, test.want)
		}
		if known := d.Router.Estimates(); len(known) != 1 || known[0].Work != 4096 || !strings.Contains(d.log.String(), `GPU is ready`) {
			t.Errorf("the costs are %+v; the log says %s", known, &d.log)
		}
	}
}

// A device that is being measured when the server ends is not measured any more after that, which is no
// failure of the device.
func TestCloseEndsMeasuring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := open(route.Strict, nil)
		d.executor.Before = func(*gpu.Batch) error { time.Sleep(time.Second); return nil }
		d.Gatherer.MayTake(t.Context())
		time.Sleep(time.Second / 2)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		ran := len(d.executor.Sizes())
		time.Sleep(time.Hour)
		if after := len(d.executor.Sizes()); ran > 1 || after != ran || d.executor.Open() != 0 || d.log.Len() > 0 {
			t.Errorf("%d batches ran before the end and %d after it, %d did not end; the log says %s", ran, after-ran, d.executor.Open(), &d.log)
		}
	})
}

// Whoever makes room for batches does so only where a device wins, or must be used.
func TestOnlyUsefulDevicesAreTold(t *testing.T) {
	for _, mode := range []route.Mode{route.Auto, route.Strict} { // cores need no time for the samples
		d, told := open(mode, nil), 0
		d.OnUseful(func() { told++ })
		for range 2 {
			if err := d.Gatherer.Prepare(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		before := told
		d.OnUseful(func() { told++ })
		if isUseful := mode == route.Strict; before > 0 != isUseful || told > before != isUseful || before > 1 {
			t.Errorf("%s: told %d times, and %d in all", mode, before, told)
		}
	}
}

func TestSoftwareGetsWorkOnlyIfItIsWanted(t *testing.T) {
	software := func(d *gputest.Device) { d.Description.IsSoftware = true }
	d := open(route.Auto, software)
	if err := d.Gatherer.Prepare(t.Context()); err == nil || len(d.executor.Sizes()) != 0 {
		t.Errorf("got %v, and batches of %v ran", err, d.executor.Sizes())
	}
	d = open(route.Strict, software)
	if err := d.Gatherer.Prepare(t.Context()); err != nil || !slices.Equal(d.executor.Sizes(), []int{32, 32, 32}) {
		t.Errorf("got %v, and batches of %v ran", err, d.executor.Sizes())
	}
}

// A second device must be like the first, whose costs are expected of it.
func TestDevicesAreOfOneKind(t *testing.T) {
	for what, change := range map[string]func(*gpu.Adapter){
		"name":   func(a *gpu.Adapter) { a.Name = "another" },
		"driver": func(a *gpu.Adapter) { a.Driver = "another" },
		"memory": func(a *gpu.Adapter) { a.Limits.BatchBytes /= 2 }, // batches that wait are of jobs that fit into the other
	} {
		d := open(route.Strict, nil)
		other := gputest.NewDevice(d.executor.Entries)
		change(&other.Description)
		two := device.New(device.Config{
			Executors: []gpu.Executor{d.executor, other}, Samples: []trial.Sample{sample}, Mode: route.Strict, Cores: 2,
			Logger: slog.New(slog.NewTextHandler(&d.log, nil)),
		})
		if err := two.Gatherer.Prepare(t.Context()); err == nil || !strings.Contains(d.log.String(), "of another kind") || len(other.Sizes()) != 0 {
			t.Errorf("%s: got %v, the second ran batches of %v, and the log says %s", what, err, other.Sizes(), &d.log)
		}
	}
}

// A device that fails is prepared again. One that computes something else than the cores is not.
func TestADeviceThatIsWrongNeverGetsWork(t *testing.T) {
	for name, test := range map[string]struct {
		err   error
		wrong bool
		again bool
	}{"down": {err: gpu.ErrDown, again: true}, "wrong": {wrong: true}} {
		fails := true
		d := open(route.Strict, func(d *gputest.Device) {
			d.Before = func(*gpu.Batch) error {
				if fails {
					return test.err
				}
				return nil
			}
			d.Entries = gputest.Entries{"increment": {"main": func(job int, m *gputest.Memory) {
				if incrementInGo(job, m); test.wrong && fails {
					m.Output[m.Job(job).Output]++
				}
			}}}
		})
		if err := d.Gatherer.Prepare(t.Context()); err == nil || !strings.Contains(d.log.String(), "GPU gets no work") {
			t.Errorf("%s: no error; the log says %s", name, &d.log)
		}
		fails = false
		if err := d.Gatherer.Prepare(t.Context()); err == nil != test.again {
			t.Errorf("%s: the second time it is %v", name, err)
		}
	}
}
