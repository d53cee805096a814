package kernel_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"math/rand/v2"
	"testing"

	"tileserver/codec/deflate/decoder"
	"tileserver/codec/deflate/kernel"
	"tileserver/codec/deflate/kernel/kerneltest"
	"tileserver/gpu"
	"tileserver/gpu/gputest"
	"tileserver/gpu/trial"
	"tileserver/gpu/trial/trialtest"
)

// twin is a device that runs the kernel's Go twin.
var twin = gputest.NewRunner(gputest.Entries{kernel.Inflate.Name: kerneltest.Entries()})

// A stream is a zlib stream, and how many bytes it should hold.
type stream struct {
	bytes []byte
	holds int
}

// expect decompresses streams as one batch and compares each with what a core makes of it. It returns how
// many the kernel left to the cores.
func expect(t testing.TB, device gpu.Runner, streams []stream) (leftToCores int) {
	t.Helper()
	var jobs []gpu.Job
	var inputs [][]byte
	var taken []stream
	for _, s := range streams {
		job, ok := kernel.JobOf(s.bytes, s.holds)
		if !ok {
			leftToCores++
			continue
		}
		input := bytes.Repeat([]byte{0xA5}, int(job.Input))
		kernel.Write(s.bytes, input)
		jobs, inputs, taken = append(jobs, job), append(inputs, input), append(taken, s)
	}
	b := gputest.Run(t, device, kernel.Inflate, jobs, inputs)
	for i, s := range taken {
		got, want := make([]byte, s.holds), make([]byte, s.holds)
		if kernel.Read(s.bytes, b.Status(i), b.OutputOf(i), got) != nil {
			leftToCores++
			continue
		}
		if n, err := new(decoder.Decoder).Zlib(want, s.bytes); err != nil || n != s.holds || !bytes.Equal(got, want) {
			t.Fatalf("stream %d of %d: a core decompresses %d of %d bytes, others, with the error %v", i, len(taken), n, s.holds, err)
		}
	}
	return leftToCores
}

// compress returns a stream of several blocks, if it is not short.
func compress(data []byte, level int) stream {
	var to bytes.Buffer
	w, err := zlib.NewWriterLevel(&to, level)
	if err != nil {
		panic(err)
	}
	third := len(data) / 3
	w.Write(data[:third])
	if third > 1000 {
		w.Flush()
	}
	w.Write(data[third:])
	w.Close()
	return stream{to.Bytes(), len(data)}
}

// samplesOf returns data of a kind: noise, one value, a gradient as a predictor leaves it, or words.
func samplesOf(kind, n int, random *rand.Rand) []byte {
	data := make([]byte, n)
	for i := range data {
		switch kind {
		case 0:
			data[i] = byte(random.Uint32())
		case 1:
			data[i] = 7
		case 2:
			data[i] = byte(random.IntN(4)) * byte(random.IntN(2)) * byte(1-i%2)
		default:
			data[i] = "the quick brown fox "[(i*i/50+random.IntN(2))%20]
		}
	}
	return data
}

// everyKind returns streams of every kind of block, level and data. Sizes are no multiples of words.
func everyKind() (streams []stream) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 3, 4, 63, 1001, 40_003} {
		for kind := range 4 {
			for level := zlib.HuffmanOnly; level <= zlib.BestCompression; level++ {
				streams = append(streams, compress(samplesOf(kind, n, random), level))
			}
		}
	}
	return streams
}

// damagedStreams returns streams of which most are damaged: cut, changed, or of another size than said.
func damagedStreams() (streams []stream) {
	random := rand.New(rand.NewPCG(5, 6))
	for kind := range 4 {
		for level := zlib.HuffmanOnly; level <= zlib.BestCompression; level++ {
			whole := compress(samplesOf(kind, 3001, random), level)
			for range 12 {
				cut, changed := bytes.Clone(whole.bytes[:random.IntN(len(whole.bytes))]), bytes.Clone(whole.bytes)
				changed[2+random.IntN(len(changed)-2)] ^= 1 << random.IntN(8)
				streams = append(streams, stream{cut, whole.holds}, stream{changed, whole.holds})
			}
			streams = append(streams, stream{whole.bytes, whole.holds - 1}, stream{whole.bytes, whole.holds + 1}, whole)
		}
	}
	return streams
}

func TestEveryKindOfStream(t *testing.T) {
	if left := expect(t, twin, everyKind()); left > 0 {
		t.Errorf("%d sound streams are left to the cores", left)
	}
}

func TestDamagedStreamsAreLeftToTheCores(t *testing.T) {
	streams := damagedStreams()
	if left := expect(t, twin, streams); left < len(streams)*9/10 || left == len(streams) {
		t.Errorf("%d of %d streams are left to the cores", left, len(streams))
	}
}

// A stream of empty blocks would keep a device busy for long, and so would a very long one.
func TestStreamsThatTakeLongAreLeftToTheCores(t *testing.T) {
	var empty bytes.Buffer
	w := zlib.NewWriter(&empty)
	data := samplesOf(3, 100_000, rand.New(rand.NewPCG(1, 1)))
	for len(data) > 0 {
		w.Write(data[:20])
		w.Flush()
		data = data[20:]
	}
	w.Close()
	if left := expect(t, twin, []stream{{empty.Bytes(), 100_000}}); left != 1 {
		t.Error("a stream of many blocks is not left to the cores")
	}
	long := compress(make([]byte, 1<<20+1), zlib.BestSpeed)
	if _, ok := kernel.JobOf(long.bytes, long.holds); ok {
		t.Error("a device takes a stream of more than a mebibyte")
	}
}

func TestTheTwinPassesTheTrial(t *testing.T) {
	trialtest.CheckTwin(t, trial.Sample{Kernel: kernel.Inflate, Work: kernel.Sample}, kerneltest.Entries())
}

func FuzzTwin(f *testing.F) {
	random := rand.New(rand.NewPCG(7, 8))
	for kind := range 4 {
		for _, level := range []int{zlib.NoCompression, zlib.BestSpeed, zlib.HuffmanOnly} {
			s := compress(samplesOf(kind, 300, random), level)
			f.Add(s.bytes, s.holds)
		}
	}
	f.Fuzz(func(t *testing.T, bytes []byte, holds int) {
		if holds > 1<<20 || len(bytes) > 1<<16 {
			return
		}
		expect(t, twin, []stream{{bytes, holds}})
	})
}

func ExampleJobOf() {
	_, ok := kernel.JobOf([]byte("no zlib stream"), 100)
	fmt.Println(ok)
	// Output: false
}
