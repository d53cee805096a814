package tiff

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	stdjpeg "image/jpeg"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	jpeg "tileserver/codec/jpeg/decoder"
	"tileserver/decode/pool"
	"tileserver/decode/tiff/masks"
	"tileserver/decode/tiff/tag"
	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
	"tileserver/source"
)

// tiledJPEG returns an image of 3 x 2 blocks. Those of the last column and row extend beyond it.
func tiledJPEG(change func(*tifftest.Image)) tifftest.Image {
	img := tifftest.Image{
		Width: 83, Height: 45, Samples: 3, Photometric: tifftest.YCbCr, Compression: tifftest.JPEGBlocks,
		Tiled: true, BlockWidth: 32, BlockHeight: 32,
		Value: func(x, y, band int) float64 { return float64(20 + x + 2*y + 50*band) },
	}
	if change != nil {
		change(&img)
	}
	return img
}

// maskOf returns a mask of an image's size.
func maskOf(img tifftest.Image, value func(x, y, band int) float64) tifftest.Image {
	return tifftest.Image{Width: img.Width, Height: img.Height, Bits: 1, Subfile: tifftest.Mask, Value: value, Tiled: true, BlockWidth: 16, BlockHeight: 16}
}

func TestStoredPictures(t *testing.T) {
	opaque := func(x, y, band int) float64 { return 1 }
	hole := func(x, y, band int) float64 {
		if x == 40 && y == 7 {
			return 0
		}
		return 1
	}
	all, none := []raster.BlockID{{}, {Col: 1}}, []raster.BlockID(nil)
	type change = func(img *tifftest.Image)
	for _, test := range []struct {
		name   string
		change change
		mask   func(x, y, band int) float64
		want   []raster.BlockID
	}{
		{"YCbCr", nil, nil, all},
		{"chroma shared", func(img *tifftest.Image) { img.JPEG.Subsampled = true }, nil, all},
		{"tables in blocks", func(img *tifftest.Image) { img.JPEG.InlineTables = true }, nil, all},
		{"RGB", func(img *tifftest.Image) { img.Photometric = tifftest.RGB }, nil, all},
		{"gray", func(img *tifftest.Image) { img.Samples, img.Photometric = 1, tifftest.BlackIsZero }, nil, all},
		{"gray, low is white", func(img *tifftest.Image) { img.Samples, img.Photometric = 1, tifftest.WhiteIsZero }, nil, none},
		{"bands apart", func(img *tifftest.Image) { img.Photometric, img.Planar = tifftest.RGB, true }, nil, none},
		{"nodata", func(img *tifftest.Image) { img.NoData = "0" }, nil, none},
		{"not JPEG", func(img *tifftest.Image) { img.Compression, img.Photometric = tifftest.Deflate, tifftest.RGB }, nil, none},
		{"bands named otherwise", func(img *tifftest.Image) {
			img.Tags = []tifftest.Tag{{ID: uint16(tag.GDALMetadata), Value: `<GDALMetadata><Item name="COLORINTERP" sample="0" role="colorinterp">Blue</Item></GDALMetadata>`}}
		}, nil, none},
		{"not stored", func(img *tifftest.Image) { img.Sparse = func(column, row int) bool { return column == 0 } }, nil, all[1:]},
		{"a mask that hides nothing", nil, opaque, all},
		{"a mask that hides a pixel", nil, hole, all[:1]},
		{"one strip", func(img *tifftest.Image) { img.Tiled, img.BlockHeight = false, 0 }, nil, all[:1]},
		{"strips that become one block", func(img *tifftest.Image) { img.Tiled, img.BlockHeight = false, 16 }, nil, none},
	} {
		t.Run(test.name, func(t *testing.T) {
			img := tiledJPEG(test.change)
			file := tifftest.File{Images: []tifftest.Image{img}}
			if test.mask != nil {
				file.Images = append(file.Images, maskOf(img, test.mask))
			}
			f, src := openCounting(t, file, Config{})
			m := f.Images()[0]
			var got []raster.BlockID
			for _, id := range m.Info().Levels[0].Covering(m.Info().Levels[0].Bounds()) {
				src.taken()
				picture, ok, err := m.StoredPicture(t.Context(), 0, m.Info().Levels[0].Block(id))
				if err != nil {
					t.Fatal(err)
				}
				if reads := src.taken(); len(reads) > 1 || ok && len(reads) != 1 {
					t.Errorf("block %v: %d reads", id, len(reads))
				}
				if ok {
					got = append(got, id)
					checkPicture(t, m, 0, id, picture)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got the blocks %v, want %v", got, test.want)
			}
		})
	}
}

// TestStoredPicturesUnderOtherMasks uses a mask in a side file, and one inherited from a finer
// level.
func TestStoredPicturesUnderOtherMasks(t *testing.T) {
	full := tiledJPEG(func(img *tifftest.Image) { img.Width, img.Height = 128, 96 })
	small := tiledJPEG(func(img *tifftest.Image) { img.Width, img.Height, img.Subfile = 64, 48, tifftest.Overview })
	mask := maskOf(full, func(x, y, _ int) float64 { return map[bool]float64{true: 0, false: 1}[x == 80 && y == 14] })
	beside := &folder{files: map[string][]byte{"scene.tif.msk": encode(t, tifftest.File{Images: []tifftest.Image{mask}})}}
	for name, m := range map[string]*Image{
		"in the file": open(t, tifftest.File{Images: []tifftest.Image{full, mask, small}}).Images()[0],
		"beside it":   openIn(t, tifftest.File{Images: []tifftest.Image{full, small}}, beside).Images()[0],
	} {
		for level, hidden := range []raster.BlockID{{Col: 2}, {Col: 1}} {
			for col := range m.Info().Levels[level].Columns() {
				id := raster.BlockID{Col: col}
				picture, ok, err := m.StoredPicture(t.Context(), level, m.Info().Levels[level].Block(id))
				if err != nil || ok != (id != hidden) {
					t.Fatalf("mask %s, level %d, block %v: got %v and %v", name, level, id, ok, err)
				}
				if ok {
					checkPicture(t, m, level, id, picture)
				}
			}
		}
	}
}

// checkPicture compares a stored picture with the block: exactly with our decoders, and roughly
// with the standard library's, which must find the colors itself.
func checkPicture(t *testing.T, m *Image, level int, id raster.BlockID, picture raster.StoredPicture) {
	t.Helper()
	tiles, err := m.Blocks(t.Context(), level, []raster.BlockID{id}, nil)
	if err != nil {
		t.Errorf("level %d, block %v is a picture, but reading the block gives %v", level, id, err)
		return
	}
	block := tiles[0]
	if picture.Width != block.Width() || picture.Height != block.Height() {
		t.Fatalf("a picture of %dx%d for a block of %dx%d", picture.Width, picture.Height, block.Width(), block.Height())
	}
	if m.Info().Alpha() < 0 && !block.AllValid() {
		t.Errorf("level %d, block %v is a picture, but not all of it is data", level, id)
	}
	planes := make([][]uint8, block.Bands())
	for b := range planes {
		planes[b] = make([]uint8, block.Width()*block.Height())
	}
	if picture.Kind == raster.WebP {
		decodeWebP(t, picture, planes)
	} else {
		decodeJPEG(t, picture, planes)
		checkWithStandardLibrary(t, picture, planes)
	}
	for b, plane := range planes {
		if !bytes.Equal(plane, block.Plane(b)) {
			t.Errorf("level %d, block %v, band %d: the picture shows other pixels", level, id, b)
		}
	}
}

func decodeJPEG(t *testing.T, picture raster.StoredPicture, planes [][]uint8) {
	t.Helper()
	var d jpeg.Decoder
	frame, err := d.Open(picture.Bytes, nil)
	if err != nil {
		t.Fatal(err)
	}
	const transformYCbCr = 1
	want := jpeg.Picture[uint8]{Width: picture.Width, Height: picture.Height, RGB: frame.Transform == transformYCbCr}
	copy(want.Planes[:], planes)
	if err := d.Decode8(&want); err != nil {
		t.Fatal(err)
	}
}

// checkWithStandardLibrary compares colors, which that decoder takes from markers. It upsamples
// chroma differently.
func checkWithStandardLibrary(t *testing.T, picture raster.StoredPicture, planes [][]uint8) {
	t.Helper()
	decoded, err := stdjpeg.Decode(bytes.NewReader(picture.Bytes))
	if err != nil {
		t.Fatal(err)
	}
	if decoded.Bounds() != image.Rect(0, 0, picture.Width, picture.Height) {
		t.Fatalf("the standard library decodes to %v", decoded.Bounds())
	}
	const maxMean = 5.
	for b, plane := range planes {
		var sum float64
		for i, v := range plane {
			r, g, bl, _ := decoded.At(i%picture.Width, i/picture.Width).RGBA()
			seen := int([]uint32{r, g, bl}[b] >> 8)
			sum += float64(max(seen-int(v), int(v)-seen))
		}
		if mean := sum / float64(len(plane)); mean > maxMean {
			t.Errorf("band %d is %.1f away from the standard library", b, mean)
		}
	}
}

// TestStoredPicturesOfOthers checks the files of other writers.
func TestStoredPicturesOfOthers(t *testing.T) {
	folder := testdataFolder(t)
	count := make(map[raster.PictureKind]int)
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasPrefix(filepath.Ext(path), ".tif") {
			return err
		}
		f, err := openFile(t, path)
		if err != nil {
			return nil // other tests check that
		}
		for _, m := range f.Images() {
			countPictures(t, m, count)
		}
		return f.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d JPEGs and %d WebPs", count[raster.JPEG], count[raster.WebP])
	if count[raster.JPEG] < 100 || count[raster.WebP] < 20 {
		t.Error("too few pictures")
	}
}

// countPictures checks some of the pictures of an image.
func countPictures(t *testing.T, m *Image, count map[raster.PictureKind]int) {
	const maxPerLevel = 12
	for level, l := range m.Info().Levels {
		found := 0
		for _, id := range l.Covering(raster.Rect{X1: min(l.Width, 16*l.BlockWidth), Y1: min(l.Height, 8*l.BlockHeight)}) {
			picture, ok, err := m.StoredPicture(t.Context(), level, m.Info().Levels[level].Block(id))
			if err != nil || !ok {
				continue // Blocks returns the same error
			}
			checkPicture(t, m, level, id, picture)
			count[picture.Kind]++
			if found++; found == maxPerLevel {
				break
			}
		}
	}
}

func TestStoredPictureErrors(t *testing.T) {
	img := tiledJPEG(nil)
	f, src := openCounting(t, tifftest.File{Images: []tifftest.Image{img}}, Config{})
	m := f.Images()[0]
	if _, _, err := m.StoredPicture(t.Context(), 0, raster.Rect{X0: 3 * 64, X1: 4 * 64, Y1: 48}); !errors.Is(err, raster.ErrNoSuchBlock) {
		t.Errorf("a block outside: %v", err)
	}
	if _, _, err := m.StoredPicture(t.Context(), 1, raster.Rect{X1: 1, Y1: 1}); !errors.Is(err, raster.ErrNoSuchBlock) {
		t.Errorf("a level that does not exist: %v", err)
	}
	src.fail = fmt.Errorf("%w: by a test", source.ErrChanged)
	if _, _, err := m.StoredPicture(t.Context(), 0, m.Info().Levels[0].Block(raster.BlockID{})); !errors.Is(err, raster.ErrChanged) {
		t.Errorf("a file that changed: %v", err)
	}
	src.fail = nil
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := m.StoredPicture(ctx, 0, m.Info().Levels[0].Block(raster.BlockID{})); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func TestStoredPictureIsReserved(t *testing.T) {
	budget := new(countingBudget)
	img := tiledJPEG(nil)
	pool := pool.New(pool.Config{Workers: 1, Budget: budget})
	f, _ := openCounting(t, tifftest.File{Images: []tifftest.Image{img, maskOf(img, func(x, y, band int) float64 { return 1 })}}, Config{Pool: pool})
	*budget = countingBudget{}
	m := f.Images()[0]
	picture, ok, err := m.StoredPicture(t.Context(), 0, m.Info().Levels[0].Block(raster.BlockID{Col: 1}))
	if err != nil || !ok {
		t.Fatalf("got %v and %v", ok, err)
	}
	if least := int64(2*len(picture.Bytes)) - 1000; budget.acquired < least || budget.released != budget.acquired {
		t.Errorf("%d bytes were reserved and %d released for a picture of %d", budget.acquired, budget.released, len(picture.Bytes))
	}
}

func BenchmarkStoredPicture(b *testing.B) {
	img := tiledJPEG(func(img *tifftest.Image) {
		img.Width, img.Height, img.BlockWidth, img.BlockHeight, img.JPEG.Subsampled = 1024, 512, 512, 512, true
		img.Value = func(x, y, band int) float64 {
			return float64((x*x/1931 + y*y/731 + x*y/553 + 40*band + (x*7+y*13)%11) % 256)
		}
	})
	masked := []tifftest.Image{img, maskOf(img, func(x, y, band int) float64 { return 1 })}
	masked[1].Compression, masked[1].BlockWidth, masked[1].BlockHeight = tifftest.Deflate, 512, 512
	for _, test := range []struct {
		name   string
		images []tifftest.Image
		known  bool // whether the mask's states are cached
	}{{"jpeg", masked[:1], true}, {"masked jpeg", masked, false}, {"masked jpeg of a known mask", masked, true}} {
		b.Run(test.name, func(b *testing.B) {
			m := open(b, tifftest.File{Images: test.images}).Images()[0]
			b.ReportAllocs()
			for b.Loop() {
				if !test.known {
					states := &m.masks[0].maskStates
					unit := states.AllValidUnit.Load()
					*states = masks.States{}
					states.AllValidUnit.Store(unit)
				}
				picture, ok, err := m.StoredPicture(b.Context(), 0, m.Info().Levels[0].Block(raster.BlockID{Col: 1}))
				if err != nil || !ok {
					b.Fatal(ok, err)
				}
				b.ReportMetric(float64(len(picture.Bytes)), "B")
			}
		})
	}
}
