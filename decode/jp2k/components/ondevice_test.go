package components

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"

	"tileserver/decode/jp2k/ht"
	"tileserver/decode/jp2k/ht/httest"
	htkernel "tileserver/decode/jp2k/ht/kernel"
	httwin "tileserver/decode/jp2k/ht/kernel/kerneltest"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/tier1"
	tier1kernel "tileserver/decode/jp2k/tier1/kernel"
	tier1twin "tileserver/decode/jp2k/tier1/kernel/kerneltest"
	"tileserver/decode/pool"
	"tileserver/decode/pool/pooltest"
	"tileserver/gpu/gputest"
)

// kernels are the Go twins of the kernels that decode code-blocks.
var kernels = gputest.Entries{
	tier1kernel.CodeBlocks.Name: tier1twin.Entries(),
	htkernel.CodeBlocks.Name:    httwin.Entries(),
}

// throughputBlock returns a code-block of high throughput with coefficients of some bits.
func throughputBlock(width, height, bits, passes int) codeBlock {
	s := httest.Samples{Width: width, Height: height, BitPlanes: bits, Plane: 1, Passes: passes, Values: make([]int32, width*height)}
	for i := range s.Values {
		s.Values[i] = (int32(i)*7919%(2<<bits-1) - (1<<bits - 1)) * int32(i%3/2)
	}
	coded := s.Encode()
	b := codeBlock{width: width, height: height, bitPlanes: bits, data: [][]byte{coded.Cleanup, coded.Refinement}}
	b.HT, b.MissingBitPlanes, b.Passes = true, coded.MissingBitPlanes, passes
	b.Segments = []packets.Segment{{Passes: 1, Length: len(coded.Cleanup)}, {Passes: passes - 1, Length: len(coded.Refinement)}}
	b.Length = len(coded.Cleanup) + len(coded.Refinement)
	return b
}

// Wherever they are decoded, code-blocks give the same coefficients, and the same is lost of damaged ones.
func TestADeviceMakesWhatCoresMake(t *testing.T) {
	short := arithmeticBlock(20, 16, 300)
	short.data = [][]byte{short.data[0][:len(short.data[0])/2]}
	chunks := arithmeticBlock(31, 30, 700)
	middle := len(chunks.data[0]) / 2
	chunks.data = [][]byte{chunks.data[0][:middle], nil, chunks.data[0][middle:]}
	halved := arithmeticBlock(8, 9, 90)
	halved.halved = true
	many := arithmeticBlock(8, 8, 90)
	many.bitPlanes += tier1.MaxBitPlanes
	throughput := throughputBlock(4, 4, 8, 1)
	throughput.data = [][]byte{{1, 2}}
	region := throughputBlock(33, 17, 20, 2)
	region.bitPlanes, region.shift = 10, 10
	all := []codeBlock{throughput, arithmeticBlock(64, 64, 5), many, short, arithmeticBlock(64, 64, 900), chunks, halved, arithmeticBlock(5, 3, 5)}
	expectOnDevice(t, all, []int{1, 1, 1, 2, 3, 4, 5}) // not the short one
	all = []codeBlock{throughputBlock(64, 64, 9, 3), throughput, chunks, region, arithmeticBlock(5, 3, 5), throughputBlock(16, 7, 25, 1), many}
	expectOnDevice(t, all, []int{1, 1, 1, 2, 2, 3, 3})
	shortRegion, shortHalved := throughputBlock(32, 17, 12, 1), throughputBlock(30, 20, 13, 1)
	shortRegion.bitPlanes, shortRegion.shift, shortRegion.halved = 6, 6, true
	shortHalved.halved = true
	inShorts := []codeBlock{shortRegion, shortHalved, throughputBlock(20, 64, 14, 2), throughputBlock(20, 9, 5, 1)}
	expectOnDevice(t, inShorts, []int{1, 2, 3, 4})
}

// expectOnDevice decodes ever more of some code-blocks, and compares each with what a core makes of it. The
// device runs batches of the given sizes.
func expectOnDevice(t *testing.T, all []codeBlock, sizes []int) {
	t.Helper()
	workers, device := pooltest.WithDevice(t, kernels)
	for count := 1; count <= len(all); count++ {
		job, alone := newDecodeJob(all[:count], new(sync.Pool)), new(blockWorkspace)
		if err := workers.Run(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		for i, got := range job.made {
			want, wantErr := alone.decode(&all[i])
			lost := got.lost
			got.lost = nil
			if fmt.Sprint(lost) != fmt.Sprint(wantErr) || !reflect.DeepEqual(got, want) {
				t.Errorf("block %d of %d: %v, lost for %v; a core makes %v, lost for %v", i, count, got, lost, want, wantErr)
			}
		}
	}
	if got := device.Sizes(); !slices.Equal(got, sizes) || device.Open() != 0 {
		t.Errorf("the device ran batches of %v, want %v, and %d did not end", got, sizes, device.Open())
	}
}

// An error of what is left for the cores names its code-block, although the tasks are others than before.
func TestWhatADeviceLeavesKeepsItsNumber(t *testing.T) {
	unsupported := codeBlock{width: 4, height: 4, bitPlanes: ht.MaxBitPlanes + 1, data: [][]byte{{1, 2}}}
	unsupported.HT, unsupported.Passes, unsupported.Segments = true, 1, []packets.Segment{{Passes: 1, Length: 2}}
	workers, _ := pooltest.WithDevice(t, kernels)
	job := newDecodeJob([]codeBlock{arithmeticBlock(8, 8, 5), unsupported, arithmeticBlock(16, 8, 5), arithmeticBlock(8, 8, 50)}, new(sync.Pool))
	failed := new(pool.TaskError)
	if err := workers.Run(t.Context(), job); !errors.As(err, &failed) || !slices.Equal(job.blocksOf(failed.Index), []int{1}) {
		t.Errorf("got %v, want an error about code-block 1", err)
	}
}
