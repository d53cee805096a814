package kernel_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/decode/jp2k/ht"
	"tileserver/decode/jp2k/ht/httest"
	"tileserver/decode/jp2k/ht/kernel"
	"tileserver/decode/jp2k/ht/kernel/kerneltest"
	"tileserver/gpu"
	"tileserver/gpu/gputest"
)

// twin is a device that runs the kernel's Go twin.
var twin = gputest.NewRunner(gputest.Entries{kernel.CodeBlocks.Name: kerneltest.Entries()})

// expect decodes blocks as one batch and compares each with what a core decodes. It returns how many the
// kernel left to the cores, which may only be those that are damaged or have no passes.
func expect(t testing.TB, device gpu.Runner, blocks []*ht.Block) (leftToCores int) {
	t.Helper()
	var jobs []gpu.Job
	var taken []*ht.Block
	for i, block := range blocks {
		job, err := kernel.JobOf(block)
		wantErr := decode(block, make([]int32, ht.MaxSamples))
		if err != nil && wantErr == nil && block.Passes > 0 {
			t.Fatalf("block %d: refused for %v, but a core decodes it", i, err)
		}
		if err != nil {
			leftToCores++
			continue
		}
		jobs, taken = append(jobs, job), append(taken, block)
	}
	b := gputest.Run(t, device, kernel.CodeBlocks, jobs, inputsOf(taken, jobs))
	for i, block := range taken {
		got, want := make([]int32, block.Width*block.Height), make([]int32, block.Width*block.Height)
		err, wantErr := gpu.ReadNumbers(b.Status(i), b.OutputOf(i), got), decode(block, want)
		switch {
		case err == nil && wantErr != nil, err != nil && wantErr == nil && !mayExceed(block, want):
			t.Fatalf("block %d: %v, on a core %v", i, err, wantErr)
		case err != nil:
			leftToCores++
		case !slices.Equal(got, want):
			at := 0
			for got[at] == want[at] {
				at++
			}
			t.Fatalf("block %d of %d, %dx%d, %d passes, %d of %d planes missing: sample %d,%d is %d, on a core %d", i, len(taken),
				block.Width, block.Height, block.Passes, block.MissingBitPlanes, block.BitPlanes, at%block.Width, at/block.Width, got[at], want[at])
		}
	}
	return leftToCores
}

// mayExceed reports whether a block has samples of more bits than its bit-planes. A core decodes them, but no
// encoder writes them.
func mayExceed(b *ht.Block, samples []int32) bool {
	limit := int32(1) << (b.BitPlanes + 1)
	return slices.ContainsFunc(samples, func(v int32) bool { return v >= limit || v <= -limit })
}

// inputsOf returns the inputs of jobs, in memory that held noise.
func inputsOf(blocks []*ht.Block, jobs []gpu.Job) (inputs [][]byte) {
	for i, block := range blocks {
		input := bytes.Repeat([]byte{0xA5}, int(jobs[i].Input))
		kernel.Write(block, input)
		inputs = append(inputs, input)
	}
	return inputs
}

func decode(b *ht.Block, out []int32) error { return new(ht.Decoder).Decode(b, out) }

func TestRealBlocks(t *testing.T) {
	blocks, left, refined := 0, 0, 0
	realBlocks(t, func(t *testing.T, real []*ht.Block) {
		blocks += len(real)
		left += expect(t, twin, real)
		for _, b := range real {
			if b.Refines() {
				refined++
			}
		}
	})
	t.Logf("%d code-blocks, of which %d have more than one pass and %d are left to cores", blocks, refined, left)
}

// samplesOf returns samples distributed as in the bands of a wavelet: most are near 0.
func samplesOf(count, bitPlanes int, scale float64, random *rand.Rand) []int32 {
	values := make([]int32, count)
	for i := range values {
		values[i] = int32(min(random.ExpFloat64()*scale, float64(int64(1)<<bitPlanes-1)))
		if random.IntN(2) == 0 {
			values[i] = -values[i]
		}
	}
	return values
}

var shapes = [][2]int{
	{64, 64}, {1, 1}, {2, 2}, {3, 5}, {5, 3}, {1, 9}, {9, 1}, {4, 4}, {5, 64}, {7, 7}, {8, 8}, {15, 3}, {16, 6}, {17, 33}, {33, 17},
	{64, 63}, {61, 64}, {128, 32}, {66, 9}, {1024, 4}, {1021, 3}, {4, 1024}, {3, 1023}, {5, 819}, {32, 32}, {6, 10},
}

// everyKind returns blocks of many shapes, bit-planes, sizes of samples, and numbers of passes.
func everyKind() (blocks []*ht.Block) {
	random := rand.New(rand.NewPCG(1, 2))
	for i, shape := range shapes {
		for j, bitPlanes := range []int{1, 2, 9, 14, 15, 24, ht.MaxBitPlanes} {
			for k, scale := range []float64{0, 0.05, 0.7, 5, 300, 1e6, 1e9} {
				if shape[0]*shape[1] > 1024 && (i+j+k)%4 != 0 {
					continue // slow to encode
				}
				s := httest.Samples{Width: shape[0], Height: shape[1], BitPlanes: bitPlanes, VerticallyCausal: random.IntN(2) == 0}
				s.Plane = random.IntN(min(bitPlanes, 4))
				s.Passes = 1 + random.IntN(1+2*min(s.Plane, 1))
				s.Values = samplesOf(shape[0]*shape[1], bitPlanes, scale, random)
				blocks = append(blocks, s.Encode())
			}
		}
	}
	return blocks
}

func TestEveryKindOfBlock(t *testing.T) {
	blocks := everyKind()
	if left := expect(t, twin, blocks); left > 0 {
		t.Errorf("%d of %d sound blocks are left to cores", left, len(blocks))
	}
}

// damagedBlocks returns blocks with wrong bits, with too few, and with noise.
func damagedBlocks() (blocks []*ht.Block) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 400 {
		s := &httest.Samples{Width: 1 + random.IntN(40), Height: 1 + random.IntN(20), VerticallyCausal: random.IntN(2) == 0}
		s.BitPlanes = 2 + random.IntN(29)
		s.Passes = 1 + random.IntN(3)
		s.Plane = 1 + random.IntN(s.BitPlanes-1)
		s.Values = samplesOf(s.Width*s.Height, s.BitPlanes, random.ExpFloat64()*float64(int(1)<<random.IntN(s.BitPlanes+1)), random)
		b := s.Encode()
		wrong, short, noise := *b, *b, *b
		wrong.Cleanup, wrong.Refinement = slices.Clone(b.Cleanup), slices.Clone(b.Refinement)
		for range 3 {
			wrong.Cleanup[random.IntN(len(wrong.Cleanup))] ^= 1 << random.IntN(8)
		}
		short.Cleanup, short.Refinement = b.Cleanup[random.IntN(len(b.Cleanup)):], b.Refinement[:len(b.Refinement)/2]
		noise.Cleanup, noise.Refinement = noiseLike(b.Cleanup, random), noiseLike(b.Refinement, random)
		blocks = append(blocks, &wrong, &short, &noise)
	}
	return append(blocks, longEvents(), &ht.Block{Width: 3, Height: 3, BitPlanes: 9})
}

// noiseLike returns noise in place of all bytes but the last two, which are the length of the suffix. Many
// are 0xFF.
func noiseLike(b []byte, random *rand.Rand) []byte {
	noise := slices.Clone(b)
	for i := range max(0, len(noise)-2) {
		noise[i] = max(byte(random.Uint32()), byte(random.Uint32()), byte(random.Uint32()))
	}
	return noise
}

// longEvents returns a block whose events are as long as events can be, so that MEL has many bytes: runs of one
// event, which alternate between two states.
func longEvents() *ht.Block {
	b := &ht.Block{Width: 64, Height: 64, BitPlanes: 30, MissingBitPlanes: 29, Passes: 1}
	b.Cleanup = slices.Repeat([]byte{0x92, 0x49, 0x24}, 400)
	b.Cleanup = append(b.Cleanup, 0x02, 0x40)
	return b
}

func TestDamagedBlocks(t *testing.T) {
	blocks := damagedBlocks()
	left := expect(t, twin, blocks)
	t.Logf("%d of %d damaged blocks are left to cores", left, len(blocks))
	if left < len(blocks)/3 || left == len(blocks) {
		t.Errorf("%d of %d damaged blocks are left to cores", left, len(blocks))
	}
}

func TestCoresDecodeWhatTheKernelDoesNot(t *testing.T) {
	unrefined := ht.Block{Width: 1, Height: 1, BitPlanes: 1, Passes: 2, Cleanup: []byte{2, 0}, Refinement: []byte{1}}
	for name, test := range map[string]struct {
		block ht.Block
		want  error
	}{
		"damaged":     {ht.Block{Width: 65, Height: 64}, ht.ErrDamaged},
		"unsupported": {ht.Block{Width: 1, Height: 1, BitPlanes: 31, Passes: 1}, ht.ErrUnsupported},
		"no bytes":    {ht.Block{Width: 1, Height: 1, BitPlanes: 1, Passes: 1}, ht.ErrDamaged},
		"unrefined":   {unrefined, ht.ErrUnrefined},
		"no passes":   {ht.Block{Width: 1, Height: 1, BitPlanes: 1}, gpu.ErrNotDone},
	} {
		if _, err := kernel.JobOf(&test.block); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", name, err, test.want)
		}
	}
}

// FuzzTwin compares the twin with what a core decodes.
func FuzzTwin(f *testing.F) {
	for _, b := range damagedBlocks()[:60] {
		f.Add(uint16(b.Width), uint16(b.Height), uint8(b.BitPlanes), uint8(b.MissingBitPlanes), uint8(b.Passes), b.VerticallyCausal,
			b.Cleanup, b.Refinement)
	}
	f.Fuzz(func(t *testing.T, width, height uint16, planes, missing, passes uint8, causal bool, cleanup, refinement []byte) {
		expect(t, twin, []*ht.Block{{
			Width: int(width), Height: int(height), BitPlanes: int(planes), MissingBitPlanes: int(missing), Passes: int(passes),
			VerticallyCausal: causal, Cleanup: cleanup, Refinement: refinement,
		}})
	})
}

func ExampleJobOf() {
	s := httest.Samples{Width: 2, Height: 2, BitPlanes: 3, Passes: 1, Values: []int32{1, -2, 3, 0}}
	b := s.Encode()
	job, err := kernel.JobOf(b)
	fmt.Println(job.Parameters, job.Output, err)
	// Output: [2 2 0 4 1 0 1 0] 8 <nil>
}
