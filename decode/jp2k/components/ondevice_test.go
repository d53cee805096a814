package components

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"

	"tileserver/decode/jp2k/ht"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/tier1/kernel"
	"tileserver/decode/jp2k/tier1/kernel/kerneltest"
	"tileserver/decode/pool"
	"tileserver/decode/pool/pooltest"
	"tileserver/gpu/gputest"
)

// kernels are the Go twins of the kernels that decode code-blocks.
var kernels = gputest.Entries{kernel.CodeBlocks.Name: kerneltest.Entries()}

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
	throughput := codeBlock{width: 4, height: 4, bitPlanes: 8, data: [][]byte{{1, 2}}}
	throughput.HT, throughput.Passes, throughput.Segments = true, 1, []packets.Segment{{Passes: 1, Length: 2}}
	all := []codeBlock{throughput, arithmeticBlock(64, 64, 5), many, short, arithmeticBlock(64, 64, 900), chunks, halved, arithmeticBlock(5, 3, 5)}
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
	if sizes := device.Sizes(); !slices.Equal(sizes, []int{1, 1, 1, 2, 3, 4, 5}) || device.Open() != 0 { // not the short one
		t.Errorf("the device ran batches of %v, and %d did not end", sizes, device.Open())
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
