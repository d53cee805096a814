package components

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"

	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/tier1/tier1test"
	"tileserver/decode/jp2k/wavelet"
)

// arithmeticBlock returns a code-block with coefficients up to a size.
func arithmeticBlock(width, height int, largest int64) codeBlock {
	values := make([]int64, width*height)
	for i := range values {
		values[i] = (int64(i)*7919%(2*largest+1) - largest) * int64(i%3)
	}
	coded := tier1test.Encode(values, width, height, wavelet.HL, 0)
	b := codeBlock{width: width, height: height, orientation: wavelet.HL, bitPlanes: coded.BitPlanes, data: [][]byte{coded.Data}}
	b.Passes, b.Length, b.Segments = coded.Passes, len(coded.Data), []packets.Segment{packets.Segment(coded.Segments[0])}
	return b
}

// Whatever is in a job, each code-block ends as if it were alone: in a task with one that has about as many
// passes, or by itself if it is of another coder.
func TestAJobDecodesEachCodeBlock(t *testing.T) {
	short := arithmeticBlock(20, 16, 300)
	short.data = [][]byte{short.data[0][:len(short.data[0])/2]}
	many := arithmeticBlock(8, 8, 90)
	many.bitPlanes += tier1.MaxBitPlanes
	none := arithmeticBlock(8, 8, 90)
	none.bitPlanes = 0
	throughput := codeBlock{width: 4, height: 4, bitPlanes: 8, data: [][]byte{{1, 2}}}
	throughput.HT, throughput.Passes, throughput.Segments = true, 1, []packets.Segment{{Passes: 1, Length: 2}}
	all := []codeBlock{
		throughput, arithmeticBlock(64, 64, 5), arithmeticBlock(33, 17, 1000), many, short, arithmeticBlock(64, 64, 900), none,
		arithmeticBlock(5, 3, 5), arithmeticBlock(16, 4, 20),
	}
	for count := range len(all) + 1 {
		blocks := all[:count]
		job, workspaces := newDecodeJob(blocks, new(sync.Pool)), new(blockWorkspace)
		var done []int
		for task := range job.Len() {
			done = append(done, job.blocksOf(task)...)
			if err := job.Do(task); err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(done)
		for i := range blocks {
			want, wantErr := workspaces.decode(&blocks[i])
			got := job.made[i]
			err := got.lost
			got.lost = nil
			if len(done) != count || done[i] != i || fmt.Sprint(err) != fmt.Sprint(wantErr) || !reflect.DeepEqual(got, want) {
				t.Errorf("block %d of %d: %v, lost for %v; alone %v, for %v", i, count, got, err, want, wantErr)
			}
		}
	}
	if job := newDecodeJob(all, new(sync.Pool)); job.Len() != 3+3 {
		t.Errorf("six code-blocks of the arithmetic coder and three others are %d tasks, want 6", job.Len())
	}
}

// Partners have about as many bytes and passes. Each code-block has one, whatever their number.
func TestPartnersDifferLittle(t *testing.T) {
	block := func(passes, length int) codeBlock {
		return codeBlock{Block: packets.Block{Passes: passes, Length: length}}
	}
	blocks := []codeBlock{block(4, 300), block(16, 900), block(10, 890), block(4, 310), block(16, 850), block(9, 700), block(1, 20)}
	for count, want := range [][]int{{}, {0}, {1, 0}, {1, 2, 0}, {1, 2, 3, 0}, {1, 4, 2, 3, 0}, {1, 4, 2, 5, 3, 0}, {1, 4, 2, 5, 3, 0, 6}} {
		order := make([]int, count)
		for i := range order {
			order[i] = i
		}
		if pairUp(order, blocks); !slices.Equal(order, want) {
			t.Errorf("%d code-blocks are paired as %v, want %v", count, order, want)
		}
	}
	many, order := make([]codeBlock, 1000), make([]int, 1000)
	for i := range many {
		many[i], order[i] = block(i*7919%25, i*104729%2000), i
	}
	pairUp(order, many)
	if slices.Sort(order); order[0] != 0 || len(slices.Compact(order)) != len(many) {
		t.Error("a code-block is missing")
	}
}
