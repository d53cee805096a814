package kernel_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/tier1/kernel"
	"tileserver/decode/jp2k/tier1/kernel/kerneltest"
	"tileserver/decode/jp2k/tier1/tier1test"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/gpu"
	"tileserver/gpu/gputest"
)

// twin is a device that runs the kernel's Go twin.
var twin = gputest.NewRunner(gputest.Entries{kernel.CodeBlocks.Name: kerneltest.Entries()})

// expect decodes blocks as one batch and compares each with what a core decodes. It returns how many the
// kernel left to the cores, which have to be those that are damaged.
func expect(t testing.TB, device gpu.Runner, blocks []tier1.Block) (leftToCores int) {
	t.Helper()
	var jobs []gpu.Job
	var taken []*tier1.Block
	for i := range blocks {
		job, err := kernel.JobOf(&blocks[i])
		want := decode(&blocks[i], make([]int32, min(max(0, blocks[i].Width*blocks[i].Height), tier1.MaxArea)))
		if err != nil && want == nil {
			t.Fatalf("block %d: refused for %v, but a core decodes it", i, err)
		}
		if err != nil {
			leftToCores++
			continue
		}
		jobs, taken = append(jobs, job), append(taken, &blocks[i])
	}
	b := gputest.Run(t, device, kernel.CodeBlocks, jobs, inputsOf(taken, jobs))
	for i, block := range taken {
		got, want := make([]int32, block.Width*block.Height), make([]int32, block.Width*block.Height)
		err, wantErr := gpu.ReadNumbers(b.Status(i), b.OutputOf(i), got), decode(block, want)
		switch {
		case (err == nil) != (wantErr == nil):
			t.Fatalf("block %d: %v, on a core %v", i, err, wantErr)
		case err != nil:
			leftToCores++
		case !slices.Equal(got, want):
			at := 0
			for got[at] == want[at] {
				at++
			}
			t.Fatalf("block %d of %d, %dx%d, style %06b, orientation %d, %d passes of %d planes: coefficient %d,%d is %d, on a core %d", i, len(taken),
				block.Width, block.Height, block.Style, block.Orientation, block.Passes, block.BitPlanes, at%block.Width, at/block.Width, got[at], want[at])
		}
	}
	return leftToCores
}

// inputsOf returns the inputs of jobs, in memory that held noise.
func inputsOf(blocks []*tier1.Block, jobs []gpu.Job) (inputs [][]byte) {
	for i, block := range blocks {
		input := bytes.Repeat([]byte{0xA5}, int(jobs[i].Input))
		kernel.Write(block, input)
		inputs = append(inputs, input)
	}
	return inputs
}

func decode(b *tier1.Block, out []int32) error { return new(tier1.Decoder).Decode(b, out) }

func TestRealBlocks(t *testing.T) {
	blocks, left := 0, 0
	realBlocks(t, func(t *testing.T, real []tier1.Block) {
		blocks += len(real)
		left += expect(t, twin, real)
	})
	t.Logf("%d code-blocks, of which %d are left to cores", blocks, left)
}

const allStyles = 64

// everyStyle returns blocks of all styles and many sizes, whole and cut.
func everyStyle() (blocks []tier1.Block) {
	sizes := [][2]int{{1, 1}, {3, 5}, {4, 4}, {5, 64}, {64, 64}, {1024, 4}, {4, 1024}, {33, 17}, {1, 9}, {7, 2}, {16, 7}, {31, 6}, {6, 8}, {12, 3}}
	for style := range tier1.Style(allStyles) {
		for i, size := range sizes {
			n := size[0] * size[1]
			for _, scale := range []float64{0.1, 3, 300} {
				if n > 1024 && (int(style)+i)%8 != 0 {
					continue // slow to encode
				}
				b := tier1test.Encode(tier1test.Coefficients(n, scale, uint64(style)), size[0], size[1], wavelet.Orientation((int(style)+i)%4), style)
				blocks = append(blocks, b, tier1test.Cut(b, b.Passes/2), tier1test.Cut(b, max(0, b.Passes-1)))
			}
		}
	}
	for bitPlanes := range tier1.MaxBitPlanes + 1 {
		blocks = append(blocks, deepBlock(bitPlanes, 12), deepBlock(bitPlanes, 13))
	}
	return blocks
}

// deepBlock returns a block with the largest coefficients of some bit-planes, and others.
func deepBlock(bitPlanes, width int) tier1.Block {
	largest := int64(1)<<bitPlanes - 1
	values := tier1test.Coefficients(width*5, float64(largest)/8, 3)
	for i, v := range values {
		values[i] = max(-largest, min(v, largest))
	}
	values[7], values[width*5-1] = largest, -largest
	return tier1test.Encode(values, width, 5, wavelet.LH, 0)
}

func TestEveryStyle(t *testing.T) {
	if left := expect(t, twin, everyStyle()); left > 0 {
		t.Errorf("%d sound blocks are left to cores", left)
	}
}

// damagedBlocks returns blocks with wrong bytes, and with too few.
func damagedBlocks() (blocks []tier1.Block) {
	random := rand.New(rand.NewPCG(5, 6))
	for style := range tier1.Style(allStyles) {
		for seed := range uint64(4) {
			b := tier1test.Encode(tier1test.Coefficients(20*19, 40, seed), 20, 19, wavelet.Orientation(style%4), style)
			wrong := b
			wrong.Data = slices.Clone(b.Data)
			for range 3 {
				wrong.Data[random.IntN(len(wrong.Data))] ^= 1 << random.IntN(8)
			}
			short := b
			short.Data = b.Data[:len(b.Data)/2]
			noise := b
			noise.Data = make([]byte, len(b.Data))
			for i := range noise.Data {
				noise.Data[i] = max(byte(random.Uint32()), byte(random.Uint32())) // many are 0xFF
			}
			blocks = append(blocks, wrong, short, noise)
		}
	}
	return blocks
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
	for name, b := range map[string]tier1.Block{
		"invalid":   {Width: 65, Height: 64},
		"long":      {Width: 1, Height: 1, BitPlanes: tier1.MaxBitPlanes + 1},
		"no bytes":  {Width: 1, Height: 1, BitPlanes: 1, Passes: 1},
		"too short": {Width: 1, Height: 1, BitPlanes: 1, Passes: 1, Segments: []tier1.Segment{{Passes: 1, Length: 1}}},
	} {
		if _, err := kernel.JobOf(&b); !errors.Is(err, tier1.ErrInvalid) && !errors.Is(err, tier1.ErrDamaged) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// FuzzTwin compares the twin with what a core decodes.
func FuzzTwin(f *testing.F) {
	for style := range tier1.Style(allStyles) {
		if style%5 == 0 {
			b := tier1test.Encode(tier1test.Coefficients(12*9, 60, uint64(style)), 12, 9, wavelet.Orientation(style%4), style)
			f.Add(b.Data, uint16(12), uint16(9), uint8(b.Orientation), uint8(style), uint8(b.BitPlanes), uint8(0))
		}
	}
	f.Add([]byte{0xFF, 0x80, 0xFF, 0x8F, 0xFF, 0x90}, uint16(64), uint16(64), uint8(0), uint8(0), uint8(30), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, width, height uint16, orientation, style, planes, perSegment uint8) {
		b := tier1.Block{
			Width: int(width), Height: int(height), Orientation: wavelet.Orientation(orientation), Style: tier1.Style(style),
			BitPlanes: int(planes), Data: data, Passes: 3*int(planes) - 2,
		}
		for done := 0; done < b.Passes; {
			n := min(b.Passes-done, max(1, int(perSegment)))
			if b.Style&tier1.Bypass != 0 && done >= 10 {
				n = min(n, 2-(done-10)%3/2)
			} else if b.Style&tier1.Bypass != 0 {
				n = min(n, 10-done)
			}
			b.Segments = append(b.Segments, tier1.Segment{Passes: n, Length: len(b.Data) * n / b.Passes})
			done += n
		}
		expect(t, twin, []tier1.Block{b})
	})
}

func ExampleJobOf() {
	b := tier1test.Encode([]int64{1, -2, 3, 0}, 2, 2, wavelet.HL, 0)
	job, err := kernel.JobOf(&b)
	fmt.Println(job.Parameters, job.Output, err)
	// Output: [2 2 1 0 2 4 1 1] 8 <nil>
}
