package kernel_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/codec/jpeg"
	"tileserver/codec/jpeg/decoder"
	"tileserver/codec/jpeg/kernel"
	"tileserver/codec/jpeg/kernel/kerneltest"
	"tileserver/gpu"
	"tileserver/gpu/gputest"
	"tileserver/gpu/trial"
	"tileserver/gpu/trial/trialtest"
)

// twin is a device that runs the kernel's Go twin.
var twin = gputest.NewRunner(gputest.Entries{kernel.Intervals.Name: kerneltest.Entries()})

// A request is a stream, and how much of its picture is wanted.
type request struct {
	stream        []byte
	width, height int
}

// whole returns a request for a whole picture.
func whole(p kerneltest.Picture, random *rand.Rand) request {
	return request{p.Stream(random), p.Width, p.Height}
}

// picture returns memory for the picture. Three components become colors.
func (r *request) picture(frame decoder.Frame) *decoder.Picture[uint8] {
	p := &decoder.Picture[uint8]{Width: r.width, Height: r.height, RGB: frame.Components == 3}
	for i := range frame.Components {
		p.Planes[i] = bytes.Repeat([]byte{0xA5}, r.width*r.height)
	}
	return p
}

// expect decodes pictures as one batch and compares each with what a core makes of it. It returns how many
// the kernel left to the cores.
func expect(t testing.TB, device gpu.Runner, requests []request) (leftToCores int) {
	t.Helper()
	var jobs []gpu.Job
	var inputs [][]byte
	var taken []request
	d := new(decoder.Decoder)
	for _, r := range requests {
		job, input, ok := jobOf(d, r)
		if !ok {
			leftToCores++
			continue
		}
		jobs, inputs, taken = append(jobs, job), append(inputs, input), append(taken, r)
	}
	b := gputest.Run(t, device, kernel.Intervals, jobs, inputs)
	for i, r := range taken {
		samples, err := kernel.Samples(b.Status(i), b.OutputOf(i))
		if err != nil {
			leftToCores++
			continue
		}
		frame, _ := d.Open(r.stream, nil)
		got, want := r.picture(frame), r.picture(frame)
		if err := d.Compose8(got, samples); err != nil {
			t.Fatalf("picture %d of %d: %v", i, len(taken), err)
		}
		if _, err := d.Open(r.stream, nil); err != nil {
			t.Fatal(err)
		}
		if err := d.Decode8(want); err != nil {
			t.Fatalf("picture %d of %d is made, but a core says %v", i, len(taken), err)
		}
		for c := range got.Planes {
			if at := firstDifference(got.Planes[c], want.Planes[c]); at >= 0 {
				t.Fatalf("picture %d of %d, %dx%d of %+v: sample %d of component %d is %d, on a core %d",
					i, len(taken), r.width, r.height, frame, at, c, got.Planes[c][at], want.Planes[c][at])
			}
		}
	}
	return leftToCores
}

// jobOf returns the job of a picture with its input, in memory that held noise.
func jobOf(d *decoder.Decoder, r request) (job gpu.Job, input []byte, ok bool) {
	if frame, err := d.Open(r.stream, nil); err != nil || r.width > frame.Width || r.height > frame.Height {
		return gpu.Job{}, nil, false
	}
	s, ok := d.Intervals(r.height)
	if !ok {
		return gpu.Job{}, nil, false
	}
	if job, ok = kernel.JobOf(&s); !ok {
		return gpu.Job{}, nil, false
	}
	input = bytes.Repeat([]byte{0xA5}, int(job.Input))
	kernel.Write(&s, input)
	return job, input, true
}

func firstDifference(a, b []byte) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// factorsOfAll are subsampling factors of every kind.
var factorsOfAll = [][][2]int{
	{{1, 1}}, {{2, 2}}, {{1, 1}, {1, 1}}, {{1, 1}, {1, 1}, {1, 1}}, {{2, 1}, {1, 1}, {1, 1}}, {{1, 2}, {1, 1}, {1, 1}}, {{2, 2}, {1, 1}, {1, 1}},
	{{4, 1}, {1, 1}, {2, 1}}, {{1, 1}, {2, 2}, {1, 2}}, {{2, 2}, {1, 1}, {1, 1}, {2, 2}}, {{1, 1}, {1, 1}, {1, 1}, {1, 1}},
}

// everyKind returns pictures of every kind of subsampling, whole and in part.
func everyKind() (requests []request) {
	random := rand.New(rand.NewPCG(1, 2))
	for i, factors := range factorsOfAll {
		for j, size := range [][2]int{{1, 1}, {8, 8}, {17, 16}, {35, 61}, {130, 90}} {
			for _, interval := range []int{1, 2, 5, 9, 1000} {
				p := kerneltest.Picture{
					Width: size[0], Height: size[1], Factors: factors, Interval: interval,
					Largest: []int{100, 1023, 7}[(i+j)%3], Quantizer: []uint16{1, 16, 65535, 255}[(i+j)%4],
				}
				r := whole(p, random)
				requests = append(requests, r, request{r.stream, (r.width + 1) / 2, (2*r.height + 2) / 3})
			}
		}
	}
	return requests
}

// damagedStreams returns pictures of which most are damaged: cut, changed, with a marker too many or too few.
func damagedStreams() (requests []request) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, factors := range factorsOfAll {
		p := kerneltest.Picture{Width: 60, Height: 45, Factors: factors, Interval: 3, Largest: 200, Quantizer: 20}
		for range 20 {
			r := whole(p, random)
			scan := bytes.Index(r.stream, []byte{0xFF, byte(jpeg.MarkerScan)}) + 20
			at := func() int { return scan + random.IntN(len(r.stream)-scan-2) }
			cut, changed, noise := bytes.Clone(r.stream[:at()]), bytes.Clone(r.stream), bytes.Clone(r.stream)
			changed[at()] ^= 1 << random.IntN(8)
			for i := at(); i < min(len(noise), scan+200); i++ {
				noise[i] = byte(random.Uint32())
			}
			inserted := slices.Insert(bytes.Clone(r.stream), at(), 0xFF, byte(jpeg.MarkerRestart)+byte(random.IntN(8)))
			marker := bytes.Index(r.stream, []byte{0xFF, byte(jpeg.MarkerRestart) + 1})
			removed := slices.Delete(bytes.Clone(r.stream), marker, marker+2)
			for _, stream := range [][]byte{cut, changed, noise, inserted, removed} {
				requests = append(requests, request{stream, r.width, r.height})
			}
		}
	}
	return requests
}

func TestEveryKindOfPicture(t *testing.T) {
	if left := expect(t, twin, everyKind()); left > 0 {
		t.Errorf("%d sound pictures are left to the cores", left)
	}
}

// The kernel gives up exactly those of which the cores say that they are damaged.
func TestDamagedStreamsAreLeftToTheCores(t *testing.T) {
	requests, damaged := damagedStreams(), 0
	d := new(decoder.Decoder)
	for _, r := range requests {
		if frame, err := d.Open(r.stream, nil); err != nil || d.Decode8(r.picture(frame)) != nil {
			damaged++
		}
	}
	if left := expect(t, twin, requests); left != damaged || left < len(requests)/2 || left == len(requests) {
		t.Errorf("%d of %d streams are left to the cores, which say that %d are damaged", left, len(requests), damaged)
	}
}

// A stream whose intervals are long would keep the device busy for long, and so would a large one.
func TestLargePicturesAreLeftToTheCores(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, test := range []struct {
		side, interval int
		isTaken        bool
	}{{720, 8100, true}, {736, 8464, false}, {736, 4232, true}} {
		p := kerneltest.Picture{Width: test.side, Height: test.side, Factors: [][2]int{{1, 1}}, Interval: test.interval, Largest: 1, Quantizer: 1}
		if _, _, isTaken := jobOf(new(decoder.Decoder), whole(p, random)); isTaken != test.isTaken {
			t.Errorf("%+v: %v", test, isTaken)
		}
	}
}

func TestTheTwinPassesTheTrial(t *testing.T) {
	trialtest.CheckTwin(t, trial.Sample{Kernel: kernel.Intervals, Work: kernel.Sample}, kerneltest.Entries())
}

// FuzzTwin compares the twin with what a core decodes.
func FuzzTwin(f *testing.F) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, factors := range factorsOfAll {
		p := kerneltest.Picture{Width: 33, Height: 21, Factors: factors, Interval: 2, Largest: 300, Quantizer: 9}
		f.Add(p.Stream(random), uint16(p.Width), uint16(p.Height))
	}
	f.Fuzz(func(t *testing.T, stream []byte, width, height uint16) {
		const maxPixels = 1 << 16
		if width == 0 || height == 0 || int(width)*int(height) > maxPixels || len(stream) > maxPixels {
			return
		}
		expect(t, twin, []request{{stream, int(width), int(height)}})
	})
}

func ExampleJobOf() {
	p := kerneltest.Picture{Width: 64, Height: 48, Factors: [][2]int{{2, 2}, {1, 1}, {1, 1}}, Interval: 4, Largest: 9, Quantizer: 5}
	var d decoder.Decoder
	_, err := d.Open(p.Stream(rand.New(rand.NewPCG(1, 2))), nil)
	intervals, hasIntervals := d.Intervals(p.Height)
	job, isTaken := kernel.JobOf(&intervals)
	fmt.Println(intervals.Count(), job.Output, err, hasIntervals, isTaken)
	// Output: 3 4608 <nil> true true
}
