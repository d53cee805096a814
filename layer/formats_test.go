package layer_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"tileserver/display"
	"tileserver/display/terrain"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
)

func tileID(z, x, y int) geo.TileID { return geo.TileID{Z: z, X: x, Y: y} }

// disc returns a white disc surrounded by nodata.
func disc() *rastertest.Synthetic {
	info := rastertest.Flat(raster.Uint8, 600, 600, 3, 256, 256)
	return &rastertest.Synthetic{Name: "disc@1", Has: info, Sample: func(_, _, x, y int) (float64, bool) {
		return 255, (x-300)*(x-300)+(y-300)*(y-300) < 250*250
	}}
}

// Pictures with transparency are PNG; others have the format that the client prefers.
func TestAutoFormat(t *testing.T) {
	c := newCatalog(t, disc(), nil)
	inside := areas.Box{Bounds: geo.Bounds{MinX: 250, MinY: 250, MaxX: 350, MaxY: 350}, Width: 100, Height: 100}
	across := areas.Box{Bounds: geo.Bounds{MinX: 0, MinY: 250, MaxX: 350, MaxY: 350}, Width: 100, Height: 100}
	outside := areas.Box{Bounds: geo.Bounds{MinX: -900, MinY: 0, MaxX: -800, MaxY: 100}, Width: 100, Height: 100}
	long := areas.Box{Bounds: geo.Bounds{MinX: 250, MinY: 250, MaxX: 350, MaxY: 351}, Width: 20_000, Height: 2}
	tests := []struct {
		area   areas.Area
		format layer.Format
		mime   string
	}{
		{long, layer.AutoJPEG, "image/jpeg"}, {long, layer.AutoWebP, "image/png"}, // exceeds the maximum size of WebP
		{inside, layer.AutoJPEG, "image/jpeg"}, {inside, layer.AutoWebP, "image/webp"},
		{across, layer.AutoJPEG, "image/png"}, {across, layer.AutoWebP, "image/png"},
		{outside, layer.AutoJPEG, "image/png"}, {outside, layer.AutoWebP, "image/png"},
	}
	keys := map[string]bool{}
	for _, test := range tests {
		for range 2 { // rendered, then cached
			p := mustPicture(t, c, layer.Request{Area: test.area, Format: test.format})
			if p.MIME != test.mime {
				t.Errorf("%+v as %d is %s, want %s", test.area, test.format, p.MIME, test.mime)
			}
			keys[p.Key] = true
		}
	}
	if len(keys) != len(tests) {
		t.Errorf("%d keys of %d pictures", len(keys), len(tests))
	}
}

func TestBackgroundLiesBehindJPEG(t *testing.T) {
	c := newCatalog(t, disc(), nil)
	for _, bounds := range []geo.Bounds{{MinX: 0, MinY: 0, MaxX: 100, MaxY: 100}, {MinX: -500, MinY: 0, MaxX: -400, MaxY: 100}} {
		r := layer.Request{Area: areas.Box{Bounds: bounds, Width: 100, Height: 100}, Format: layer.JPEG}
		white := mustPicture(t, c, r)
		r.Style.Background = raster.RGBA{R: 200, G: 20, B: 20, A: 255}
		red := mustPicture(t, c, r)
		for p, want := range map[*layer.Picture]color.RGBA{&white: {255, 255, 255, 255}, &red: {200, 20, 20, 255}} {
			img, _, err := image.Decode(bytes.NewReader(p.Bytes))
			if err != nil {
				t.Fatal(err)
			}
			got := color.RGBAModel.Convert(img.At(50, 50)).(color.RGBA)
			if off := max(math.Abs(float64(got.R)-float64(want.R)), math.Abs(float64(got.G)-float64(want.G))); off > 3 {
				t.Errorf("behind %v is %v, want %v", bounds, got, want)
			}
		}
		if white.Key == red.Key {
			t.Error("the background is not in the key")
		}
	}
}

// Settings without effect on a picture are not part of its key.
func TestSettingsWithoutEffect(t *testing.T) {
	c := newCatalog(t, gradient(), nil)
	key := func(f layer.Format, e layer.Encoding) string {
		return mustPrepare(t, c, layer.Request{Area: areas.Preview{MaxSize: 10}, Format: f, Encoding: e}).Key()
	}
	same := [][2]layer.Encoding{{{Quality: 75}, {}}}
	for _, pair := range same {
		if key(layer.JPEG, pair[0]) != key(layer.JPEG, pair[1]) {
			t.Errorf("%+v and %+v have other keys", pair[0], pair[1])
		}
	}
	if key(layer.PNG, layer.Encoding{Quality: 9, FullChroma: true, Lossless: true}) != key(layer.PNG, layer.Encoding{}) {
		t.Error("a PNG depends on what it does not have")
	}
	if key(layer.WebP, layer.Encoding{Lossless: true, Quality: 9}) != key(layer.WebP, layer.Encoding{Lossless: true}) {
		t.Error("a lossless picture has a quality")
	}
	if key(layer.JPEG, layer.Encoding{FullChroma: true}) == key(layer.JPEG, layer.Encoding{}) {
		t.Error("full chroma is not in the key")
	}
}

// A pictureProvider has blocks that are pictures, and counts requests for them.
type pictureProvider struct {
	*rastertest.Synthetic
	pictures int
}

func (p *pictureProvider) StoredPicture(_ context.Context, level int, rect raster.Rect) (raster.StoredPicture, bool, error) {
	id, ok := p.Has.Levels[level].WholeBlock(rect)
	if !ok {
		return raster.StoredPicture{}, false, nil
	}
	p.pictures++
	return raster.StoredPicture{Kind: raster.JPEG, Bytes: []byte{byte(level), byte(id.Col), byte(id.Row)}, Width: 256, Height: 256}, true, nil
}

func TestStoredBlocksAreSentAsTheyAre(t *testing.T) {
	tile := func(z, x, y int) areas.Area { return areas.Tile{TileSet: "image", Tile: tileID(z, x, y)} }
	jpeg := func(area areas.Area, change func(*layer.Request)) layer.Request {
		r := layer.Request{Area: area, Format: layer.JPEG}
		if change != nil {
			change(&r)
		}
		return r
	}
	zero := 0.0
	tests := []struct {
		name   string
		r      layer.Request
		stored bool
	}{
		{"a block", jpeg(tile(4, 3, 2), nil), true},
		{"a block as a box", jpeg(areas.Box{Bounds: geo.Bounds{MinX: 256, MinY: 512, MaxX: 512, MaxY: 768}, Width: 256, Height: 256}, nil), true},
		{"a block at the edge", jpeg(tile(4, 11, 2), nil), false},
		{"half a block on", jpeg(areas.Box{Bounds: geo.Bounds{MinX: 128, MinY: 512, MaxX: 384, MaxY: 768}, Width: 256, Height: 256}, nil), false},
		{"four blocks", jpeg(tile(3, 1, 1), nil), false},
		{"as large again", jpeg(areas.Tile{TileSet: "image", Tile: tileID(4, 3, 2), Scale: 2}, nil), false},
		{"as PNG", jpeg(tile(4, 3, 2), func(r *layer.Request) { r.Format = layer.PNG }), false},
		{"as WebP", jpeg(tile(4, 3, 2), func(r *layer.Request) { r.Format = layer.WebP }), false},
		{"in another quality", jpeg(tile(4, 3, 2), func(r *layer.Request) { r.Encoding.Quality = 50 }), false},
		{"stretched", jpeg(tile(4, 3, 2), func(r *layer.Request) { r.Style.Stretch.Kind = display.MinMax }), false},
		{"bands in another order", jpeg(tile(4, 3, 2), func(r *layer.Request) { r.Style.Bands = []int{2, 1, 0} }), false},
		{"one band", jpeg(tile(4, 3, 2), func(r *layer.Request) { r.Style.Bands = []int{0} }), false},
		{"all bands, by name", jpeg(tile(4, 3, 2), func(r *layer.Request) { r.Style.Bands = []int{0, 1, 2} }), true},
		{"without a sample", jpeg(tile(4, 3, 2), func(r *layer.Request) { r.Style.NoData = &zero }), false},
		{"on a map", jpeg(areas.Tile{TileSet: "WebMercatorQuad", Tile: tileID(13, 4434, 2800)}, nil), false},
	}
	for _, test := range tests {
		source := &pictureProvider{Synthetic: gradient()}
		c := newCatalog(t, source, nil)
		p := mustPicture(t, c, test.r)
		if got := p.From == layer.Stored; got != test.stored {
			t.Errorf("%s: from %v", test.name, p.From)
		}
		if test.stored && (p.MIME != "image/jpeg" || len(p.Bytes) != 3 || source.Calls() != 0) {
			t.Errorf("%s: %d bytes of %s, and %d blocks were decoded", test.name, len(p.Bytes), p.MIME, source.BlocksMade())
		}
		if again := mustPicture(t, c, test.r); test.stored && (again.From != layer.Hit || source.pictures != 1) {
			t.Errorf("%s: the second request: from %v, after %d calls of StoredPicture", test.name, again.From, source.pictures)
		}
	}
}

// The relief of tiles equals the relief of their joint area, byte for byte: on a map, in the
// image's own pixels, and at scale 2.
func TestReliefOfTilesJoins(t *testing.T) {
	for _, mode := range []terrain.Mode{terrain.ModeHillshade, terrain.ModeRelief, terrain.ModeContours} {
		t.Run(mode.String(), func(t *testing.T) { checkReliefJoins(t, mode) })
	}
}

func checkReliefJoins(t *testing.T, mode terrain.Mode) {
	t.Helper()
	source := &rastertest.Synthetic{Name: "hills@1", Has: rastertest.Flat(raster.Int16, 700, 500, 1, 128, 128),
		Sample: func(_, _, x, y int) (float64, bool) {
			return 500 + 300*math.Sin(float64(x)/17)*math.Cos(float64(y)/23), (x/50+y/40)%9 != 4
		}}
	c := newCatalog(t, source, nil)
	parameters := terrain.DefaultParameters(mode)
	heights := style.Style{Spec: display.Spec{Relief: &parameters}}
	if mode == terrain.ModeRelief {
		heights.Rescale = []display.Range{{Low: 200, High: 800}}
	}
	decode := func(area areas.Area) image.Image {
		img, _, err := image.Decode(bytes.NewReader(mustPicture(t, c, layer.Request{Area: area, Style: heights}).Bytes))
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	for _, set := range []string{"WebMercatorQuad", "image"} {
		at := tileAt(t, c, 15).Area.(areas.Tile)
		if set == "image" {
			at = areas.Tile{TileSet: set, Tile: tileID(2, 0, 0)}
		}
		whole := at
		whole.Tile.Z, whole.Tile.X, whole.Tile.Y, whole.Scale = at.Tile.Z-1, at.Tile.X/2, at.Tile.Y/2, 2
		want := decode(whole)
		isVisible := false
		for dy := range 2 {
			for dx := range 2 {
				part := at
				part.Tile.X, part.Tile.Y = whole.Tile.X*2+dx, whole.Tile.Y*2+dy
				got := decode(part)
				for y := range 256 {
					for x := range 256 {
						a, b := got.At(x, y), want.At(dx*256+x, dy*256+y)
						if color.NRGBAModel.Convert(a) != color.NRGBAModel.Convert(b) {
							t.Fatalf("%s: pixel %d,%d of tile %d,%d is %v, and %v in the whole", set, x, y, dx, dy, a, b)
						}
						_, _, _, alpha := a.RGBA()
						isVisible = isVisible || alpha != 0
					}
				}
			}
		}
		if !isVisible {
			t.Fatalf("%s: the picture is blank", set)
		}
	}
}

// A slope of 45 degrees has this value at any latitude and zoom: distances are measured on the
// ground, not on the map.
func TestSlopeIsMeasuredOnTheGround(t *testing.T) {
	source := &rastertest.Synthetic{Name: "slope@1", Has: rastertest.Flat(raster.Float32, 600, 600, 1, 128, 128),
		Sample: func(_, _, x, _ int) (float64, bool) { return 10 * float64(x), true }} // pixels of 10 m
	c := newCatalog(t, source, nil)
	parameters := terrain.DefaultParameters(terrain.ModeSlope)
	for z := 14; z <= 17; z++ {
		r := tileAt(t, c, z)
		r.Format, r.Style.Relief = layer.NPY, &parameters
		data := mustPicture(t, c, r).Bytes
		values := data[len(data)-2*4*256*256:]
		got := math.Float32frombits(binary.LittleEndian.Uint32(values[4*(128*256+128):]))
		if math.Abs(float64(got)-45) > 0.2 {
			t.Errorf("zoom %d: a slope of %v degrees, want 45", z, got)
		}
	}
}

func TestDataHasStoredSamples(t *testing.T) {
	source := heights()
	source.Has.Bands[0].NoData, source.Has.Bands[0].HasNoData = -9999, true
	c := newCatalog(t, source, nil)
	r := layer.Request{Format: layer.NPY, Area: areas.Box{Bounds: geo.Bounds{MinX: 10, MinY: 20, MaxX: 40, MaxY: 30}, Width: 30, Height: 10}}
	p := mustPicture(t, c, r)
	if !strings.Contains(string(p.Bytes[:100]), "'shape': (2, 10, 30)") || p.MIME != "application/x-binary" {
		t.Fatalf("%q, %s", p.Bytes[:100], p.MIME)
	}
	values := p.Bytes[len(p.Bytes)-2*4*300:]
	for i := range 300 {
		x, y := 10+i%30, 20+i/30
		want, valid := source.Sample(0, 0, x, y)
		got := math.Float32frombits(binary.LittleEndian.Uint32(values[4*i:]))
		mask := math.Float32frombits(binary.LittleEndian.Uint32(values[4*(300+i):]))
		if valid != (mask == 255) || valid && got != float32(want) {
			t.Fatalf("pixel %d,%d is %v under %v, want %v, %v", x, y, got, mask, want, valid)
		}
	}
	styled := r
	styled.Style.ColorMap, styled.Style.Stretch = "viridis", display.Stretch{Kind: display.MinMax}
	if q := mustPicture(t, c, styled); !bytes.Equal(p.Bytes, q.Bytes) || q.Key != p.Key {
		t.Error("the style changes the samples")
	}
	r.Format = layer.GeoTIFF
	if tif := mustPicture(t, c, r); !slices.Equal(tif.Bytes[:4], []byte("II*\x00")) || !bytes.Contains(tif.Bytes, []byte("-9999")) {
		t.Errorf("a GeoTIFF begins with %q", tif.Bytes[:4])
	}
}
