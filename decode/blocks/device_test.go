package blocks

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	deflate "tileserver/codec/deflate/kernel"
	deflatetest "tileserver/codec/deflate/kernel/kerneltest"
	jpeg "tileserver/codec/jpeg/kernel"
	jpegtest "tileserver/codec/jpeg/kernel/kerneltest"
	"tileserver/decode/pool"
	"tileserver/decode/pool/pooltest"
	"tileserver/gpu/gputest"
	"tileserver/raster"
)

// kernels are the Go twins of the kernels that decode blocks.
var kernels = gputest.Entries{deflate.Inflate.Name: deflatetest.Entries(), jpeg.Intervals.Name: jpegtest.Entries()}

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

// expectSamePixels decodes a part of each job, of which the second is corrupt, on a pool with a device and on
// one without.
func expectSamePixels(t *testing.T, name string, withDevice *pool.Pool, compression Compression, jobs []Job) {
	t.Helper()
	var tiles [2][]raster.Tile
	for on, p := range []*pool.Pool{pool.New(pool.Config{Workers: 1}), withDevice} {
		for n := range jobs {
			jobs[n].Target = raster.NewBuffer(jobs[n].Layout.Type, 35, jobs[n].Rows-2, len(jobs[n].Samples))
		}
		corrupt, err := AllCodecs().Decode(t.Context(), p, compression, jobs)
		if err != nil || len(corrupt) != 1 || corrupt[0].Index != 1 || corrupt[0].Count != len(jobs) {
			t.Fatalf("%s: corrupt are %v, with the error %v", name, corrupt, err)
		}
		for n := range jobs {
			tiles[on] = append(tiles[on], jobs[n].Target.Freeze())
		}
	}
	for n := range jobs {
		if n != 1 && !tiles[0][n].SamePixels(tiles[1][n]) {
			t.Errorf("%s: block %d has other pixels", name, n)
		}
	}
}

// Blocks of every layout have the same pixels wherever they are decompressed.
func TestDeflateOnADevice(t *testing.T) {
	workers, device := pooltest.WithDevice(t, kernels)
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
		expectSamePixels(t, l.name(), workers, Deflate, jobs)
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

// Pictures with restart intervals have the same pixels wherever they are decoded, as colors or as stored. Those
// without are left to the workers.
func TestJPEGOnADevice(t *testing.T) {
	workers, device := pooltest.WithDevice(t, kernels)
	random, batches := rand.New(rand.NewPCG(1, 2)), 0
	for _, factors := range [][][2]int{{{2, 2}, {1, 1}, {1, 1}}, {{1, 2}, {1, 1}, {1, 1}}, {{1, 1}, {1, 1}, {1, 1}}} {
		const width, rows = 50, 45
		p := jpegtest.Picture{Width: width, Height: rows, Factors: factors, Interval: 3, Largest: 200, Quantizer: 9}
		streams := [][]byte{p.Stream(random), p.Stream(random), p.Stream(random), encodeJPEG(t, photo(width, rows), 90)}
		streams[1] = streams[1][:len(streams[1])/2] // corrupt
		for _, samples := range [][]int{{0, 1, 2}, {2}, {0, 0}} {
			for _, isYCbCr := range []bool{false, true} {
				l := &Layout{Width: width, Samples: 3, Type: raster.Uint8, Bits: 8, JPEG: JPEGLayout{YCbCr: isYCbCr}}
				var jobs []Job
				for _, stream := range streams {
					jobs = append(jobs, Job{Layout: l, Source: stream, Rows: rows, Samples: samples})
				}
				expectSamePixels(t, fmt.Sprintf("%v, samples %v, %v", factors, samples, isYCbCr), workers, JPEG, jobs)
				batches++
			}
		}
	}
	if sizes := device.Sizes(); !slices.Equal(sizes, slices.Repeat([]int{3}, batches)) || device.Open() != 0 {
		t.Errorf("the device ran batches of %v, and %d did not end", sizes, device.Open())
	}
	if stats := workers.Stats(); stats.Decoded != int64(3*batches) || stats.Failed != int64(batches) {
		t.Errorf("%d blocks count as decoded and %d as failed", stats.Decoded, stats.Failed)
	}
}
