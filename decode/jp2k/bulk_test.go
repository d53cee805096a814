package jp2k

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"tileserver/decode/jp2k/codestream"
	htblocks "tileserver/decode/jp2k/ht/kernel"
	htblockstest "tileserver/decode/jp2k/ht/kernel/kerneltest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/kernel"
	tilestest "tileserver/decode/jp2k/kernel/kerneltest"
	codeblocks "tileserver/decode/jp2k/tier1/kernel"
	codeblockstest "tileserver/decode/jp2k/tier1/kernel/kerneltest"
	"tileserver/decode/pool"
	"tileserver/decode/pool/pooltest"
	"tileserver/gpu"
	"tileserver/gpu/gputest"
	"tileserver/raster"
	"tileserver/source/local"
)

// twins are the kernels of this format.
func twins() gputest.Entries {
	return gputest.Entries{
		kernel.Tiles.Name:          tilestest.Entries(),
		codeblocks.CodeBlocks.Name: codeblockstest.Entries(),
		htblocks.CodeBlocks.Name:   htblockstest.Entries(),
	}
}

// tileJobs counts the jobs of a device that were tiles.
func tileJobs(device *gputest.Device) *atomic.Int64 {
	var count atomic.Int64
	device.Before = func(b *gpu.Batch) error {
		if b.Kernel == kernel.Tiles {
			count.Add(int64(b.Jobs()))
		}
		return nil
	}
	return &count
}

// maxBulkSamples is the maximum size of a level that is read in bulk. The twin is slow.
const maxBulkSamples = 1 << 21

// Reads in bulk give the same pixels and the same damage, whether a device computes tiles or cores do.
func TestReadsInBulkOfEveryFile(t *testing.T) {
	workers, device := pooltest.WithDevice(t, twins())
	count := tileJobs(device)
	checkBulkOfEveryFile(t, workers)
	if count.Load() < minTileJobs || device.Open() != 0 {
		t.Errorf("the device computed %d tiles, and %d batches did not end", count.Load(), device.Open())
	}
}

// minTileJobs is how many tiles of the real files a device computes at least.
const minTileJobs = 500

// checkBulkOfEveryFile compares reads in bulk on a pool with others.
func checkBulkOfEveryFile(t *testing.T, workers *pool.Pool) {
	root := realFolder(t)
	for _, file := range expectedFiles(t, root, "jp2k") {
		if _, isRejected := rejectedFiles[file.Path]; isRejected {
			continue
		}
		t.Run(strings.ReplaceAll(file.Path, "/", " "), func(t *testing.T) {
			path := filepath.Join(root, filepath.FromSlash(file.Path))
			without, err := openReal(t.Context(), t, path)
			if err != nil {
				t.Fatal(err)
			}
			src, err := local.Store{}.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			with, err := openWith(t.Context(), src, workers)
			if err != nil {
				t.Fatal(err)
			}
			for level, l := range without.image.Info().Levels {
				if l.Width*l.Height*len(without.image.Info().Bands) <= maxBulkSamples {
					checkBulk(t, with.image, without.image, level)
				}
			}
		})
	}
}

// checkBulk compares a level that is read in bulk with one that is not.
func checkBulk(t *testing.T, with, without *Image, level int) {
	t.Helper()
	ids := without.Info().Levels[level].Covering(without.Info().Levels[level].Bounds())
	got, err := with.Blocks(raster.InBulk(t.Context()), level, ids, nil)
	want, wantErr := without.Blocks(t.Context(), level, ids, nil)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("level %d: %v, without a device %v", level, err, wantErr)
	}
	for i := range want {
		for band := range want[i].Bands() {
			if string(got[i].Plane(band)) != string(want[i].Plane(band)) || string(got[i].Validity(band)) != string(want[i].Validity(band)) {
				t.Fatalf("level %d: band %d of block %v differs", level, band, ids[i])
			}
		}
		if got, want := got[i].Damage(), want[i].Damage(); got.String() != want.String() || got.IsTotal() != want.IsTotal() {
			t.Fatalf("level %d, block %v: lost is %v, without a device %v", level, ids[i], got, want)
		}
	}
}

// Damage costs the same pixels, whether a device finds it or a core.
func TestReadsInBulkOfDamagedImages(t *testing.T) {
	workers, device := pooltest.WithDevice(t, twins())
	count := tileJobs(device)
	image := jp2ktest.RGB()
	image.Coding.Style = codestream.SegmentationSymbols
	data, random := image.Codestream(), rand.New(rand.NewPCG(3, 5))
	for range 20 {
		damaged := slices.Clone(data)
		for range 1 + random.IntN(8) {
			damaged[len(damaged)/8+random.IntN(len(damaged)*7/8)] ^= byte(1 + random.IntN(255))
		}
		with, without := open(t, damaged, func(c *Config) { c.Pool = workers }), open(t, damaged, nil)
		for level := range without.Info().Levels {
			checkBulk(t, with.Image, without.Image, level)
		}
	}
	if count.Load() == 0 || device.Open() != 0 {
		t.Errorf("the device computed %d tiles, and %d batches did not end", count.Load(), device.Open())
	}
}

// What a device computes as a whole is decoded once, and nothing of it is kept. What is cached, or would be
// needed by other parts of the tile, is left to the cores.
func TestWhatADeviceComputesIsNotCached(t *testing.T) {
	workers, device := pooltest.WithDevice(t, twins())
	count := tileJobs(device)
	image := jp2ktest.RGB()
	image.Image.Y1 = 180 // no tile is small
	m := open(t, image.Codestream(), func(c *Config) { c.Pool = workers })
	all := m.Info().Levels[0].Covering(m.Info().Levels[0].Bounds())
	read := func(ids []raster.BlockID) (tiles, decoded int64) {
		t.Helper()
		tiles, decoded = count.Load(), m.shared.Stats().Decoded
		if _, err := m.Blocks(raster.InBulk(t.Context()), 0, ids, nil); err != nil {
			t.Fatal(err)
		}
		return count.Load() - tiles, m.shared.Stats().Decoded - decoded
	}
	tiles, decoded := read(all)
	if again, decodedAgain := read(all); tiles == 0 || again != tiles || decoded == 0 || decodedAgain != decoded {
		t.Errorf("%d tiles of %d code-blocks, and the second time %d of %d; want the same", tiles, decoded, again, decodedAgain)
	}
	if _, err := m.Blocks(t.Context(), 0, all, nil); err != nil {
		t.Fatal(err)
	}
	if tiles, decoded := read(all); tiles != 0 || decoded != 0 {
		t.Errorf("%d tiles of %d code-blocks that are cached", tiles, decoded)
	}
	m = open(t, image.Codestream(), func(c *Config) { c.Pool = workers })
	if tiles, decoded := read(all[:1]); tiles != 0 || decoded == 0 {
		t.Errorf("of a part of a tile, the device computed %d tiles; %d code-blocks were decoded", tiles, decoded)
	}
}
