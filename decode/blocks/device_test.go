package blocks

import (
	"bytes"
	"compress/zlib"
	"testing"

	"tileserver/codec/deflate/kernel"
	"tileserver/codec/deflate/kernel/kerneltest"
	"tileserver/decode/pool"
	"tileserver/decode/pool/pooltest"
	"tileserver/gpu/gputest"
	"tileserver/raster"
)

// kernels are the Go twins of the kernels that decode blocks.
var kernels = gputest.Entries{kernel.Inflate.Name: kerneltest.Entries()}

func zlibOf(t *testing.T, data []byte) []byte {
	t.Helper()
	var to bytes.Buffer
	w := zlib.NewWriter(&to)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return to.Bytes()
}

// Blocks of every layout have the same pixels wherever they are decompressed.
func TestDeflateOnADevice(t *testing.T) {
	workers, device := pooltest.WithDevice(t, kernels)
	codecs, alone := AllCodecs(), pool.New(pool.Config{Workers: 1})
	for i, l := range layouts() {
		const rows = 7
		jobs := make([]Job, 4)
		for n := range jobs {
			source := zlibOf(t, newStored(l, rows, uint64(10*i+n)).encode())
			jobs[n] = Job{Layout: &l, Source: source, Rows: rows, Samples: inOrder(l.Samples)}
		}
		jobs[1].Source = jobs[1].Source[:len(jobs[1].Source)-5]               // corrupt
		jobs[2].Source = zlibOf(t, newStored(l, rows-1, 1).encode())          // ends before the block, behind the target
		jobs[3].Source = zlibOf(t, append(newStored(l, rows, 2).encode(), 1)) // longer than the block
		var tiles [2][]raster.Tile
		for on, p := range []*pool.Pool{alone, workers} {
			for n := range jobs {
				jobs[n].Target = raster.NewBuffer(l.Type, 35, rows-2, l.Samples)
			}
			corrupt, err := codecs.Decode(t.Context(), p, Deflate, jobs)
			if err != nil || len(corrupt) != 1 || corrupt[0].Index != 1 || corrupt[0].Count != len(jobs) {
				t.Fatalf("%s: corrupt are %v, with the error %v", l.name(), corrupt, err)
			}
			for n := range jobs {
				tiles[on] = append(tiles[on], jobs[n].Target.Freeze())
			}
		}
		for n := range jobs {
			if n != 1 && !tiles[0][n].SamePixels(tiles[1][n]) {
				t.Errorf("%s: block %d has other pixels", l.name(), n)
			}
		}
	}
	if sizes := device.Sizes(); len(sizes) != len(layouts()) || device.Open() != 0 {
		t.Errorf("the device ran %d batches, and %d did not end", len(sizes), device.Open())
	}
	if stats := workers.Stats(); stats.Decoded != int64(3*len(layouts())) || stats.Failed != int64(len(layouts())) {
		t.Errorf("%d blocks count as decoded and %d as failed", stats.Decoded, stats.Failed)
	}
}

// Streams whose bits are in reverse order, and those of other codecs, are decoded by the workers.
func TestOtherBlocksAreLeftToWorkers(t *testing.T) {
	workers, device := pooltest.WithDevice(t, kernels)
	codecs := AllCodecs()
	l := Layout{Width: 8, Samples: 1, Type: raster.Uint8, Bits: 8, LowBitFirst: true}
	block := newStored(l, 2, 1)
	for compression, source := range map[Compression][]byte{Deflate: reversedBits(zlibOf(t, block.encode())), None: reversedBits(block.encode())} {
		jobs := []Job{{Layout: &l, Source: source, Rows: 2, Target: raster.NewBuffer(l.Type, 8, 2, 1), Samples: inOrder(1)}}
		if corrupt, err := codecs.Decode(t.Context(), workers, compression, jobs); err != nil || len(corrupt) > 0 {
			t.Errorf("%s: %v, %v", compression, corrupt, err)
		}
		checkBlock(t, block, &jobs[0])
	}
	if sizes := device.Sizes(); len(sizes) > 0 {
		t.Errorf("the device ran batches of %v", sizes)
	}
}
