package cog

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"tileserver/encode/blocks"
	"tileserver/encode/tag"
	"tileserver/raster"
)

var allTypes = []raster.DataType{
	raster.Uint8, raster.Int8, raster.Uint16, raster.Int16, raster.Uint32, raster.Int32, raster.Uint64, raster.Int64,
	raster.Float32, raster.Float64, raster.ComplexInt16, raster.ComplexInt32, raster.Complex64, raster.Complex128,
}

func TestPixelsOfAllTypesAreReadAsTheyWereWritten(t *testing.T) {
	for _, kind := range allTypes {
		for _, compression := range []blocks.Compression{blocks.None, blocks.LZW, blocks.Deflate, blocks.ZSTD} {
			t.Run(fmt.Sprintf("%v, %s", kind, compression), func(t *testing.T) {
				t.Parallel()
				img := imageOf(kind, 117, 75, 2)
				img.Coding.Compression = compression
				got := open(t, write(t, img, blocksOf(img), 1))
				if info := got.Info(); info.Type != kind || len(info.Bands) != 2 {
					t.Fatalf("%d bands of %v", len(info.Bands), info.Type)
				}
				checkPixels(t, img, got)
			})
		}
	}
}

// shapes are images whose sizes or colors are special.
func shapes() map[string]*Image {
	masked := colored(imageOf(raster.Uint8, 90, 140, 3))
	masked.Info.Masked, masked.Coding.Compression = true, blocks.Deflate
	big := imageOf(raster.Int16, 150, 33, 1)
	big.Big, big.Info.Masked, big.Coding.Compression = true, true, blocks.LZW
	noData := imageOf(raster.Int16, 70, 70, 2)
	for i := range noData.Info.Bands {
		noData.Info.Bands[i].NoData, noData.Info.Bands[i].HasNoData = -9999, true
	}
	noDataOfFloats := imageOf(raster.Float32, 70, 40, 1)
	noDataOfFloats.Info.Bands[0].NoData, noDataOfFloats.Info.Bands[0].HasNoData = -3.4e38, true
	palette := imageOf(raster.Uint8, 65, 20, 1)
	palette.Info.Bands[0].Color = raster.PaletteIndex
	for i := range 256 {
		palette.Info.Palette = append(palette.Info.Palette, raster.RGBA{R: uint8(i), G: uint8(255 - i), B: 7, A: 255})
	}
	premultiplied := colored(imageOf(raster.Uint16, 40, 70, 4))
	premultiplied.Info.Premultiplied = true
	inverted := imageOf(raster.Uint8, 33, 33, 1)
	inverted.Info.Bands[0].Color, inverted.Info.Inverted = raster.Gray, true
	lossless := colored(imageOf(raster.Uint8, 100, 50, 4))
	lossless.Coding = blocks.Coding{Compression: blocks.WebP, Lossless: true}
	inks := imageOf(raster.Uint8, 40, 30, 5)
	inks.Info.Colors.Space, inks.Coding.Compression = raster.CMYK, blocks.Deflate
	lercOfBytes, lercOfFloats, lercOfWords := imageOf(raster.Uint8, 100, 50, 3), imageOf(raster.Float32, 70, 70, 2), imageOf(raster.Int16, 70, 70, 1)
	lercOfBytes.Coding.Compression = blocks.LERC
	lercOfFloats.Coding = blocks.Coding{Compression: blocks.LERC, Around: blocks.ZSTD}
	lercOfWords.Coding, lercOfWords.Info.Masked = blocks.Coding{Compression: blocks.LERC, Around: blocks.Deflate}, true
	return map[string]*Image{
		"LERC of bytes": lercOfBytes, "LERC of floats": lercOfFloats, "LERC of words": lercOfWords,
		"inks": inks, "masked": masked, "BigTIFF": big, "nodata": noData, "nodata of floats": noDataOfFloats, "palette": palette,
		"premultiplied": premultiplied, "inverted": inverted, "lossless WebP": lossless,
		"one pixel": imageOf(raster.Float64, 1, 1, 1), "one block": imageOf(raster.Uint8, 32, 32, 3), "one row": imageOf(raster.Uint8, 300, 1, 1),
		"alpha": colored(imageOf(raster.Uint8, 40, 70, 4)), "many bands": imageOf(raster.Uint8, 40, 30, 20),
	}
}

func TestSpecialImagesAreReadAsTheyWereWritten(t *testing.T) {
	for name, img := range shapes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := open(t, write(t, img, blocksOf(img), 1))
			info := got.Info()
			if info.Masked != img.Info.Masked || info.Premultiplied != img.Info.Premultiplied || info.Inverted != img.Info.Inverted {
				t.Errorf("%+v", info)
			}
			if info.Colors.Space != img.Info.Colors.Space {
				t.Errorf("colors are %v", info.Colors.Space)
			}
			if !slices.Equal(info.Palette, img.Info.Palette) {
				t.Errorf("another palette: %v", info.Palette)
			}
			for i, b := range img.Info.Bands {
				if b.Color != raster.Undefined && info.Bands[i].Color != b.Color {
					t.Errorf("band %d is %v, want %v", i+1, info.Bands[i].Color, b.Color)
				}
			}
			checkPixels(t, img, got)
		})
	}
}

func TestBytesAreTheSameInAnyOrderAndWithAnyNumberOfWorkers(t *testing.T) {
	img := colored(imageOf(raster.Uint8, 300, 200, 3))
	img.Info.Masked, img.Coding.Compression = true, blocks.ZSTD
	order := blocksOf(img)
	want, err := os.ReadFile(write(t, img, order, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 2, 8} {
		shuffled := slices.Clone(order)
		rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		got, err := os.ReadFile(write(t, img, shuffled, workers))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d workers: other bytes, %v", workers, err)
		}
	}
}

// The data of a file without a mask are blocks between their size and their last bytes, the smallest
// overview first, without gaps to the end of the file.
func TestBlocksLieAsGDALLaysThemOut(t *testing.T) {
	img := imageOf(raster.Uint8, 100, 70, 1)
	img.Coding.Compression = blocks.Deflate
	file, err := os.ReadFile(write(t, img, blocksOf(img), 3))
	if err != nil {
		t.Fatal(err)
	}
	const lines = "GDAL_STRUCTURAL_METADATA_SIZE=000140 bytes\nLAYOUT=IFDS_BEFORE_DATA\nBLOCK_ORDER=ROW_MAJOR\n" +
		"BLOCK_LEADER=SIZE_AS_UINT4\nBLOCK_TRAILER=LAST_4_BYTES_REPEATED\nKNOWN_INCOMPATIBLE_EDITION=NO\n "
	if got := string(file[8:][:len(lines)]); got != lines {
		t.Errorf("%q", got)
	}
	sizes, at := 0, len(file)
	for range len(blocksOf(img)) { // from the end of the file, by the repeated bytes
		begin := beginOfBlock(t, file, at)
		sizes += at - begin
		at = begin
	}
	if at > 1500 || at < 500 {
		t.Errorf("%d bytes of blocks after %d of directories", sizes, at)
	}
}

// beginOfBlock returns where the block begins that ends at an offset.
func beginOfBlock(t *testing.T, file []byte, end int) int {
	t.Helper()
	for begin := end - frameBytes - 1; begin >= 0; begin-- {
		size := int(binary.LittleEndian.Uint32(file[begin:]))
		if begin+size+frameBytes == end && bytes.Equal(file[end-8:end-4], file[end-4:end]) {
			return begin
		}
	}
	t.Fatalf("no block ends at %d", end)
	return 0
}

func TestSparseFilesLeaveOutBlocksWithoutValidPixels(t *testing.T) {
	empty := func(img *Image, level int, id raster.BlockID) raster.Tile {
		rect := img.Info.Levels[level].Block(id)
		return tileOf(img, level, id).WithValidity(make([]uint8, rect.Width()*rect.Height()))
	}
	for _, masked := range []bool{false, true} {
		img := imageOf(raster.Int16, 100, 70, 1)
		img.Sparse, img.Info.Masked = true, masked
		if !masked {
			img.Info.Bands[0].NoData, img.Info.Bands[0].HasNoData = -1, true
		}
		path := t.TempDir() + "/out.tif"
		w, err := Create(path, img)
		if err != nil {
			t.Fatal(err)
		}
		kept := block{0, raster.BlockID{Col: 1, Row: 1}}
		for _, b := range blocksOf(img) {
			tile := empty(img, b.level, b.id)
			if b == kept {
				tile = tileOf(img, b.level, b.id)
			}
			if err := w.Put(b.level, b.id, tile); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Finish(t.Context()); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Size() > 1500+32*32*2 {
			t.Errorf("masked %v: %d bytes, %v", masked, info.Size(), err)
		}
		got := open(t, path)
		ids := img.Info.Levels[0].Covering(img.Info.Levels[0].Bounds())
		tiles, err := got.Blocks(t.Context(), 0, ids, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, id := range ids {
			if id == kept.id {
				checkTile(t, img, tiles[i], kept)
			} else if tiles[i].AnyValid() {
				t.Errorf("masked %v: block %v is valid", masked, id)
			}
		}
	}
}

func TestBlocksThatSayNothingOfValidityAreKept(t *testing.T) {
	img := imageOf(raster.Uint8, 32, 32, 1)
	img.Sparse = true
	w, err := Create(t.TempDir()+"/out.tif", img)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Put(0, raster.BlockID{}, tileOf(img, 0, raster.BlockID{}).WithValidity(make([]uint8, 32*32))); err != nil {
		t.Fatal(err)
	}
	if w.levels[0].bytes == 0 {
		t.Error("the block was left out")
	}
	if err := w.Abort(); err != nil {
		t.Error(err)
	}
}

func TestFilesOfFourGiBAreBigTIFFs(t *testing.T) {
	img := imageOf(raster.Uint8, 60, 60, 1)
	for _, test := range []struct {
		bytes  int64
		big    bool
		forced bool
	}{{1 << 30, false, false}, {1<<32 - 1<<16, false, false}, {1 << 32, true, false}, {1 << 40, true, false}, {10, true, true}} {
		images := []fileImage{{directory: img.describe(0, nil, img.Coding)}}
		l := newLayout(images, func(bool) int { return 200 }, []int64{test.bytes}, test.forced)
		if l.big != test.big || l.fileBytes < test.bytes+200 {
			t.Errorf("%d bytes: BigTIFF %v, %d bytes in all", test.bytes, l.big, l.fileBytes)
		}
	}
}

func TestDescriptionOfBandsIsReadAsItWasWritten(t *testing.T) {
	img := imageOf(raster.Float32, 40, 40, 2)
	img.Info.Bands[0] = raster.Band{Name: `height <"&'> ümlaut`, Unit: "m", Scale: 0.5, Offset: -3, Color: raster.Gray}
	img.Info.Bands[1] = raster.Band{Name: "red", Color: raster.Red, NoData: -1e30, HasNoData: true}
	img.Metadata = []Item{{Name: "AREA", Value: "a<b"}, {Name: "SENSOR", Domain: "IMAGERY", Value: "x"}, {Band: 2, Name: "K", Value: "v"}}
	bands := open(t, write(t, img, blocksOf(img), 1)).Info().Bands
	first := bands[0]
	if first.Name != img.Info.Bands[0].Name || first.Unit != "m" || first.Scale != 0.5 || first.Offset != -3 || first.Color != raster.Gray {
		t.Errorf("%+v", first)
	}
	if second := bands[1]; second.Color != raster.Red || !second.HasNoData || float32(second.NoData) != -1e30 {
		t.Errorf("%+v", second)
	}
	text := img.metadata(tag.PhotometricBlackIsZero)
	for _, want := range []string{
		"<Item name=\"AREA\">a&amp;lt;b</Item>", "<Item name=\"SENSOR\" domain=\"IMAGERY\">x</Item>", "<Item name=\"K\" sample=\"1\">v</Item>",
		"<Item name=\"COLORINTERP\" sample=\"1\" role=\"colorinterp\">Red</Item>",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}
