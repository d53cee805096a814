package tiff

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"tileserver/cache"
	"tileserver/decode"
	"tileserver/decode/georeference"
	"tileserver/decode/pool"
	"tileserver/decode/rpc/rpctest"
	"tileserver/decode/tiff/tifftest"
	"tileserver/geo"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/source"
)

// folder holds the files beside scene.tif by name. It counts those that are opened and not closed.
type folder struct {
	files map[string][]byte
	asked []string
	open  int
}

type folderSource struct {
	*source.Bytes
	folder *folder
}

func (s folderSource) Close() error {
	s.folder.open--
	return nil
}

func (f *folder) beside(_ context.Context, name string) (source.Source, error) {
	f.asked = append(f.asked, name)
	data, ok := f.files[name]
	switch {
	case !ok:
		return nil, fs.ErrNotExist
	case data == nil:
		return nil, fs.ErrPermission
	}
	f.open++
	return folderSource{source.NewBytes("/folder/"+name, data), f}, nil
}

// openIn opens scene.tif with all side files of a folder.
func openIn(t *testing.T, file tifftest.File, f *folder) *File {
	t.Helper()
	before := f.open
	opened, err := Open(t.Context(), source.NewBytes("/folder/scene.tif", encode(t, file)), Config{Pool: testPool(), Key: "k", Beside: f.beside})
	if err != nil {
		t.Fatal(err)
	}
	kept := f.open - before
	t.Cleanup(func() {
		before := f.open
		if err := opened.Close(); err != nil || before-f.open != kept {
			t.Errorf("of %d side files, %d were closed (%v)", kept, before-f.open, err)
		}
	})
	return opened
}

// separately moves the overviews and the masks of scene to files of their own.
func separately(t *testing.T, masksWithOverviews bool) (tifftest.File, *folder) {
	images := scene(true)
	for i := range images {
		if images[i].Subfile&tifftest.Mask != 0 {
			images[i].Subfile &^= tifftest.Mask
		}
	}
	masks := []tifftest.Image{images[1], images[3], images[5]}
	f := &folder{files: map[string][]byte{"scene.tif.ovr": encode(t, tifftest.File{Images: []tifftest.Image{images[2], images[4]}})}}
	if masksWithOverviews {
		f.files["scene.tif.msk"] = encode(t, tifftest.File{BigTIFF: true, Images: masks})
	} else {
		f.files["scene.tif.msk"] = encode(t, tifftest.File{Images: masks[:1]})
		f.files["scene.tif.msk.ovr"] = encode(t, tifftest.File{BigEndian: true, Images: masks[1:]})
	}
	return tifftest.File{Images: images[:1]}, f
}

func TestProviderSuiteOverSideFiles(t *testing.T) {
	for _, masksWithOverviews := range []bool{false, true} {
		t.Run(fmt.Sprint(masksWithOverviews), func(t *testing.T) {
			file, beside := separately(t, masksWithOverviews)
			rastertest.Suite{
				Open: func(t *testing.T) raster.Provider {
					m := openIn(t, file, beside).Images()[0]
					if len(m.Info().Levels) != 3 || len(m.Description().Notes) != 0 || len(m.Description().Masks) != 3 {
						t.Fatalf("%d levels, notes %q", len(m.Info().Levels), m.Description().Notes)
					}
					return m
				},
				Want: func(level, band, x, y int) (float64, bool) {
					return sceneValue(level, band, x, y), sceneMask(level, x, y) == 1
				},
			}.Run(t)
		})
	}
}

// TestKeysOfSideFiles checks keys: other side files mean other pixels.
func TestKeysOfSideFiles(t *testing.T) {
	file, beside := separately(t, false)
	keys := make(map[string]string)
	key := func(what string) {
		t.Helper()
		k := openIn(t, file, beside).Images()[0].Key()
		if !strings.HasPrefix(k, "k") || strings.Contains(k, "folder") {
			t.Errorf("%s: the key is %q", what, k)
		}
		if other, ok := keys[k]; ok {
			t.Errorf("%s has the key of %s", what, other)
		}
		keys[k] = what
	}
	key("all of them")
	beside.files["scene.tif.ovr"] = append(beside.files["scene.tif.ovr"], 0)
	key("other overviews")
	beside.files["scene.tif.aux.xml"] = []byte("<PAMDataset/>")
	key("notes")
	beside.files["scene.tfw"] = []byte("1 0 0 -1 0 0")
	key("a world file")
	delete(beside.files, "scene.tif.msk.ovr")
	key("no overviews of the mask")
	delete(beside.files, "scene.tif.msk")
	key("no mask")
	clear(beside.files)
	key("none")
	if _, ok := keys["k:0"]; !ok {
		t.Errorf("the key without side files is %q", slices.Sorted(maps.Keys(keys)))
	}
}

// TestSideFilesThatAreNotSound opens damaged side files. They must be skipped, and must not reveal
// what a mask hides.
func TestSideFilesThatAreNotSound(t *testing.T) {
	words := []byte("these are words")
	plain := tifftest.File{Images: []tifftest.Image{flat(40, 20, 7)}}
	of := func(images ...tifftest.Image) []byte { return encode(t, tifftest.File{Images: images}) }
	damaged := of(flat(40, 20, 1))
	damaged = damaged[:len(damaged)-20]
	small := flat(20, 10, 1)
	bands := flat(20, 10, 1)
	bands.Samples = 2
	for _, test := range []struct {
		name   string
		files  map[string][]byte
		levels int
		note   string // part of the notes
		err    string // why the image cannot be read
	}{
		{"nothing", nil, 1, "", ""},
		{"overviews", map[string][]byte{"scene.tif.ovr": of(small)}, 2, "", ""},
		{"overviews by the other name", map[string][]byte{"scene.ovr": of(overview(small))}, 2, "", ""},
		{"overviews of words", map[string][]byte{"scene.tif.ovr": words}, 1, "scene.tif.ovr is skipped", ""},
		{"overviews that may not be read", map[string][]byte{"scene.tif.ovr": nil}, 1, "scene.tif.ovr is skipped", ""},
		{"overviews of another image", map[string][]byte{"scene.tif.ovr": of(flat(20, 20, 1))}, 1, "0 of the side file scene.tif.ovr", ""},
		{"overviews with other bands", map[string][]byte{"scene.tif.ovr": of(bands)}, 1, "2 samples", ""},
		{"overviews of which the second is damaged", map[string][]byte{"scene.tif.ovr": after(rawImage(rawEntry{257, 3, 1, 17}, rawEntry{278, 3, 1, 1}))}, 2, "scene.tif.ovr: skipped: directory 2", ""},
		{"overviews that lack blocks", map[string][]byte{"scene.tif.ovr": rawFile(0, rawImage(rawEntry{278, 3, 1, 1})...)}, 1, "has offsets or sizes of only some of its blocks", ""},
		{"notes of words", map[string][]byte{"scene.tif.aux.xml": words}, 1, "scene.tif.aux.xml is skipped", ""},
		{"notes that are cut off", map[string][]byte{"scene.tif.aux.xml": []byte("<PAMDataset>")}, 1, "EOF", ""},
		{"a world file of words", map[string][]byte{"scene.tfw": words}, 1, "scene.tfw is skipped", ""},
		{"a world file of nothing", map[string][]byte{"scene.TFW": {}}, 1, "0 numbers", ""},
		{"pixels without a size", map[string][]byte{"scene.tifw": []byte("0 0 0 0 1 1")}, 1, "without a size", ""},
		{"a mask", map[string][]byte{"scene.tif.msk": of(flat(40, 20, 1))}, 1, "", ""},
		{"a mask of words", map[string][]byte{"scene.tif.msk": words}, 1, "", "scene.tif.msk: corrupt"},
		{"a mask that may not be read", map[string][]byte{"scene.tif.msk": nil}, 1, "", "permission"},
		{"a mask of another image", map[string][]byte{"scene.tif.msk": of(flat(41, 20, 1))}, 1, "", "41x20 does not fit"},
		{"a mask of two bands", map[string][]byte{"scene.tif.msk": of(tifftest.Image{Width: 40, Height: 20, Samples: 2, Value: ramp})}, 1, "", "2 samples"},
		{"a mask that is cut off", map[string][]byte{"scene.tif.msk": damaged}, 1, "", "EOF"},
	} {
		beside := &folder{files: test.files}
		f := openIn(t, plain, beside)
		m := f.Images()[0]
		notes := strings.Join(m.Description().Notes, "; ")
		if len(m.Info().Levels) != test.levels || !strings.Contains(notes, test.note) || test.note == "" && notes != "" {
			t.Errorf("%s: %d levels, notes %q; want %d and %q", test.name, len(m.Info().Levels), notes, test.levels, test.note)
		}
		_, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
		if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.err)
		}
	}
}

func ramp(x, y, band int) float64 { return float64((x + 3*y + 50*band) % 256) }

// TestMaskOfEachBand opens a side file with as many masks as bands.
func TestMaskOfEachBand(t *testing.T) {
	value := func(x, y, band int) float64 { return float64((x + y + band) % 3 * 100) }
	for _, planar := range []bool{false, true} {
		checkMaskOfEachBand(t, planar, value)
	}
}

func checkMaskOfEachBand(t *testing.T, planar bool, value func(x, y, band int) float64) {
	image := tifftest.Image{Width: 45, Height: 31, Samples: 3, Value: ramp, Tiled: true, BlockWidth: 16, BlockHeight: 16}
	mask := tifftest.Image{Width: 45, Height: 31, Samples: 3, Value: value, Compression: tifftest.Deflate, BlockHeight: 7, Planar: planar}
	beside := &folder{files: map[string][]byte{"scene.tif.msk": encode(t, tifftest.File{Images: []tifftest.Image{mask}})}}
	m := openIn(t, tifftest.File{Images: []tifftest.Image{image}}, beside).Images()[0]
	bands := []int{2, 0}
	tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{Col: 2, Row: 1}}, bands)
	if err != nil {
		t.Fatal(err)
	}
	for i, band := range bands {
		for y := range tiles[0].Height() {
			for x := range tiles[0].Width() {
				v, coverage := tiles[0].At(i, x, y)
				if want := value(32+x, 16+y, band) != 0; (coverage == raster.Valid) != want || v != ramp(32+x, 16+y, band) {
					t.Fatalf("planar %v, band %d at %d,%d: %v of coverage %d, want %v", planar, band, x, y, v, coverage, want)
				}
			}
		}
	}
}

// TestOwnPartsGoBeforeSideFiles checks that side files are not opened for what the file has itself.
func TestOwnPartsGoBeforeSideFiles(t *testing.T) {
	images := scene(true)
	images[0].Tags = tifftest.GeoTIFF(tifftest.Georeference{EPSG: 3857, PixelX: 1, PixelY: 1})
	beside := &folder{}
	openIn(t, tifftest.File{Images: images}, beside)
	if want := []string{"scene.tif.aux.xml"}; !slices.Equal(beside.asked, want) {
		t.Errorf("opened %q, want %q", beside.asked, want)
	}
	beside = &folder{}
	openIn(t, tifftest.File{Images: []tifftest.Image{flat(40, 20, 7)}}, beside)
	want := []string{
		"scene.tif.aux.xml", "scene.tif.ovr", "scene.ovr", "scene.tif.msk",
		"scene.tfw", "scene.TFW", "scene.tifw", "scene.TIFW", "scene.wld", "scene.WLD",
	}
	if !slices.Equal(beside.asked, want) {
		t.Errorf("opened %q, want %q", beside.asked, want)
	}
}

// TestOpeningThatIsInterrupted checks that a canceled Open leaves no file open.
func TestOpeningThatIsInterrupted(t *testing.T) {
	file, beside := separately(t, true)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Open(ctx, source.NewBytes("/folder/scene.tif", encode(t, file)), Config{Pool: testPool(), Beside: func(ctx context.Context, name string) (source.Source, error) {
		if strings.HasSuffix(name, ".msk") {
			cancel()
		}
		return beside.beside(ctx, name)
	}})
	if !errors.Is(err, context.Canceled) || beside.open != 0 {
		t.Errorf("got %v, and %d side files are open", err, beside.open)
	}
}

const utmWKT = `PROJCS["WGS 84 / UTM zone 33N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]]],AUTHORITY["EPSG","32633"]]`

// TestWhereSideFilesPutAnImage checks which georeference takes precedence.
func TestWhereSideFilesPutAnImage(t *testing.T) {
	placed := flat(40, 20, 7)
	placed.Tags = tifftest.GeoTIFF(tifftest.Georeference{EPSG: 3857, OriginX: 1000, OriginY: 5000, PixelX: 10, PixelY: 20})
	noted := []byte("<PAMDataset><SRS>" + utmWKT + "</SRS><GeoTransform>5,1,0,7,0,-1</GeoTransform></PAMDataset>")
	points := []byte(`<PAMDataset><GCPList Projection='` + utmWKT + `'><GCP Pixel="1" Line="2" X="3" Y="4" Z="5"/></GCPList></PAMDataset>`)
	world := []byte("2.0\r\n0\r\n0\r\n-2,0\r\n100\r\n200\r\n")
	own, beside, worldly := geo.Affine{A: 10, C: 1000, E: -20, F: 5000}, geo.Affine{A: 1, C: 5, E: -1, F: 7}, geo.Affine{A: 2, C: 99, E: -2, F: 201}
	for _, test := range []struct {
		name   string
		image  tifftest.Image
		files  map[string][]byte
		affine geo.Affine
		crs    string
		points int
	}{
		{"nothing", flat(40, 20, 7), nil, geo.Affine{}, "", 0},
		{"tags", placed, nil, own, "EPSG:3857", 0},
		{"a world file", flat(40, 20, 7), map[string][]byte{"scene.tfw": world}, worldly, "", 0},
		{"a world file and tags", placed, map[string][]byte{"scene.tfw": world}, own, "EPSG:3857", 0},
		{"notes and tags", placed, map[string][]byte{"scene.tif.aux.xml": noted}, beside, "EPSG:32633", 0},
		{"notes and a world file", flat(40, 20, 7), map[string][]byte{"scene.tif.aux.xml": noted, "scene.wld": world}, beside, "EPSG:32633", 0},
		{"points", flat(40, 20, 7), map[string][]byte{"scene.tif.aux.xml": points}, geo.Affine{}, "EPSG:32633", 1},
		{"notes of a place that is none", placed, map[string][]byte{"scene.tif.aux.xml": []byte("<PAMDataset><GeoTransform>5,0,0,7,0,0</GeoTransform></PAMDataset>")}, own, "EPSG:3857", 0},
	} {
		g := openIn(t, tifftest.File{Images: []tifftest.Image{test.image}}, &folder{files: test.files}).Images()[0].Georeference()
		crs := ""
		if g.CRS != nil {
			crs = g.CRS.Code()
		}
		if g.Affine != test.affine || g.HasAffine != (test.affine != geo.Affine{}) || crs != test.crs || len(g.ControlPoints) != test.points {
			t.Errorf("%s: got %+v in %q with %d points, want %+v in %q with %d", test.name, g.Affine, crs, len(g.ControlPoints), test.affine, test.crs, test.points)
		}
	}
}

// FuzzSideFiles puts arbitrary data beside a sound file and reads it.
func FuzzSideFiles(f *testing.F) {
	names := []string{"scene.tif.ovr", "scene.tif.msk", "scene.tif.aux.xml", "scene.tfw", "scene_RPC.TXT", "scene.RPB"}
	small, mask := flat(20, 10, 1), flat(40, 20, 1)
	mask.Bits, mask.Compression = 1, tifftest.PackBits
	f.Add(uint8(0), encode(f, tifftest.File{Images: []tifftest.Image{small}}))
	f.Add(uint8(1), encode(f, tifftest.File{Images: []tifftest.Image{mask, overview(small)}}))
	f.Add(uint8(2), []byte("<PAMDataset><SRS>"+utmWKT+"</SRS><GeoTransform>5,1,0,7,0,-1</GeoTransform><PAMRasterBand band='1'><NoDataValue>1</NoDataValue></PAMRasterBand></PAMDataset>"))
	f.Add(uint8(3), []byte("2.0\r\n0\r\n0\r\n-2,0\r\n100\r\n200\r\n"))
	f.Add(uint8(4), []byte(rpctest.Text()))
	f.Add(uint8(5), []byte("BEGIN_GROUP = IMAGE\nlineOffset = 1;\nlineNumCoef = (1,\n2);\nEND;"))
	main := encode(f, tifftest.File{Images: []tifftest.Image{flat(40, 20, 7)}})
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		beside := &folder{files: map[string][]byte{names[int(which)%len(names)]: append([]byte{}, data...)}}
		pool := pool.New(pool.Config{Workers: 1, Budget: cache.NewBudget(fuzzBudgetBytes)})
		file, err := Open(t.Context(), source.NewBytes("scene.tif", main), Config{Pool: pool, Beside: beside.beside})
		if err != nil {
			t.Fatalf("a sound file must open whatever its side files: %v", err)
		}
		m := file.Images()[0]
		m.Georeference()
		m.group.Metadata()
		if _, err := m.RPC(t.Context()); err != nil && !errors.Is(err, decode.ErrCorrupt) && !errors.Is(err, georeference.ErrLimit) {
			t.Errorf("an RPC: %v", err)
		}
		for level := range m.Info().Levels[:min(len(m.Info().Levels), 4)] {
			readCorners(t, m, level)
		}
		if err := file.Close(); err != nil || beside.open != 0 {
			t.Errorf("closing leaves %d side files open (%v)", beside.open, err)
		}
	})
}
