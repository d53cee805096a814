package blocks

import (
	"bytes"
	"compress/zlib"
	"math/rand/v2"
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

// Pictures with restart intervals have the same pixels wherever they are decoded, whole or in part, as colors
// or as stored.
func TestJPEGOnADevice(t *testing.T) {
	workers, device := pooltest.WithDevice(t, kernels)
	codecs, alone := AllCodecs(), pool.New(pool.Config{Workers: 1})
	random, batches := rand.New(rand.NewPCG(1, 2)), 0
	for _, factors := range [][][2]int{{{1, 1}}, {{2, 2}, {1, 1}, {1, 1}}, {{1, 2}, {1, 1}, {1, 1}}, {{1, 1}, {1, 1}, {1, 1}, {1, 1}}} {
		const width, rows = 50, 45
		p := jpegtest.Picture{Width: width, Height: rows, Factors: factors, Interval: 3, Largest: 200, Quantizer: 9}
		streams := [][]byte{p.Stream(random), p.Stream(random), p.Stream(random), encodeJPEG(t, photo(width, rows), 90)}
		if len(factors) != 3 {
			streams[3] = p.Stream(random)
		}
		streams[1] = streams[1][:len(streams[1])/2] // corrupt
		l := &Layout{Width: width, Samples: len(factors), Type: raster.Uint8, Bits: 8, JPEG: JPEGLayout{YCbCr: len(factors) == 3}}
		for _, samples := range [][]int{inOrder(len(factors)), {len(factors) - 1}, {0, 0}} {
			var tiles [2][]raster.Tile
			for on, p := range []*pool.Pool{alone, workers} {
				var jobs []Job
				for _, stream := range streams {
					jobs = append(jobs, Job{Layout: l, Source: stream, Rows: rows, Samples: samples, Target: raster.NewBuffer(l.Type, width-9, rows-2, len(samples))})
				}
				corrupt, err := codecs.Decode(t.Context(), p, JPEG, jobs)
				if err != nil || len(corrupt) != 1 || corrupt[0].Index != 1 || corrupt[0].Count != len(jobs) {
					t.Fatalf("%v: corrupt are %v, with the error %v", factors, corrupt, err)
				}
				for n := range jobs {
					tiles[on] = append(tiles[on], jobs[n].Target.Freeze())
				}
			}
			batches++
			for n := range streams {
				if n != 1 && !tiles[0][n].SamePixels(tiles[1][n]) {
					t.Errorf("%v, samples %v: block %d has other pixels", factors, samples, n)
				}
			}
		}
	}
	if sizes := device.Sizes(); len(sizes) != batches || device.Open() != 0 || sizes[0] != 4 || sizes[3] != 3 {
		t.Errorf("the device ran batches of %v, and %d did not end", sizes, device.Open())
	}
	if stats := workers.Stats(); stats.Decoded != int64(3*batches) || stats.Failed != int64(batches) {
		t.Errorf("%d blocks count as decoded and %d as failed", stats.Decoded, stats.Failed)
	}
}
