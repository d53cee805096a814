package layer_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/display"
	"tileserver/display/terrain"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// pixels returns the area of the first pixels of an image.
func pixels(width, height int) areas.Area {
	return areas.Box{Bounds: geo.Bounds{MaxX: float64(width), MaxY: float64(height)}, Width: width, Height: height}
}

// veil returns a gray image whose opacity increases by column. The first column is nodata.
func veil() *rastertest.Synthetic {
	info := rastertest.Flat(raster.Uint8, 90, 70, 2, 32, 32)
	info.Bands[0].Color, info.Bands[1].Color = raster.Gray, raster.Alpha
	return &rastertest.Synthetic{Name: "veil@1", Has: info, Sample: func(_, band, x, y int) (float64, bool) {
		return float64([]int{2 * y, 2 * x}[band]), true
	}}
}

// newStackCatalog returns a catalog of the layers "l", a gradient, and "veil", both without a place
// on the earth.
func newStackCatalog(t *testing.T, change func(*layer.CatalogConfig)) (c *layer.Catalog, ground, over *rastertest.Synthetic) {
	t.Helper()
	config := layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: admission.New(admission.Config{Cheap: 4, Dear: 4, Queue: 100, Memory: 1 << 30})}
	if change != nil {
		change(&config)
	}
	c, ground, over = layer.NewCatalog(config), gradient(), veil()
	for _, l := range []struct {
		id     string
		source raster.Provider
	}{{"l", ground}, {"veil", over}} {
		err := c.Add(t.Context(), layer.Config{ID: l.id, Open: func(context.Context) (*layer.Dataset, error) {
			return &layer.Dataset{Provider: l.source, Storage: "disk of " + l.id, Close: func() error { return nil }}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	return c, ground, over
}

// stackOf returns a request for layers over each other, of 80 by 60 pixels.
func stackOf(t *testing.T, c *layer.Catalog, ids ...string) layer.StackRequest {
	t.Helper()
	r := layer.StackRequest{Width: 80, Height: 60}
	for _, id := range ids {
		r.Layers = append(r.Layers, layer.Request{Layer: layerOf(t, c, id), Area: pixels(80, 60)})
	}
	return r
}

// prepareStack prepares a stack, of "l" where a request has no layer.
func prepareStack(c *layer.Catalog, r layer.StackRequest) (*layer.Composition, error) {
	r.Layers = slices.Clone(r.Layers)
	for i := range r.Layers {
		if r.Layers[i].Layer != nil {
			continue
		}
		var err error
		if r.Layers[i].Layer, err = c.Layer("l"); err != nil {
			return nil, err
		}
	}
	return c.PrepareStack(r)
}

func mustStackPicture(t *testing.T, c *layer.Catalog, r layer.StackRequest) layer.Picture {
	t.Helper()
	s, err := prepareStack(c, r)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Picture(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if p.Key != s.Key() {
		t.Errorf("the key was %s before rendering and is %s", s.Key(), p.Key)
	}
	return p
}

func decodedPicture(t *testing.T, p layer.Picture) image.Image {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(p.Bytes))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func at(img image.Image, x, y int) color.NRGBA {
	return color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
}

// Each layer of a stack is read from its own storage, which bounds what the reading may take.
func TestAStackTellsWhichStorageItReads(t *testing.T) {
	c, ground, over := newStackCatalog(t, nil)
	for provider, want := range map[*rastertest.Synthetic]string{ground: "disk of l", over: "disk of veil"} {
		provider.Before = func(ctx context.Context, _ int, _ []raster.BlockID, _ []int) error {
			if got := admission.Storage(ctx); got != want {
				t.Errorf("%s is read from %q, want %q", provider.Name, got, want)
			}
			return nil
		}
	}
	mustStackPicture(t, c, stackOf(t, c, "l", "veil"))
	if ground.Calls() == 0 || over.Calls() == 0 {
		t.Error("a layer was not read")
	}
}

func TestLayersAreDrawnOverEachOther(t *testing.T) {
	c, _, _ := newStackCatalog(t, nil)
	alone := decodedPicture(t, mustPicture(t, c, layer.Request{Area: pixels(80, 60)}))
	img := decodedPicture(t, mustStackPicture(t, c, stackOf(t, c, "l", "veil")))
	if img.Bounds() != image.Rect(0, 0, 80, 60) {
		t.Fatalf("got %v", img.Bounds())
	}
	for y := range 60 {
		for x := range 80 {
			opacity := float64(2*x) / 255
			under, got := at(alone, x, y), at(img, x, y)
			for i, channel := range [][2]uint8{{under.R, got.R}, {under.G, got.G}, {under.B, got.B}} {
				want := float64(2*y)*opacity + float64(channel[0])*(1-opacity)
				if math.Abs(float64(channel[1])-want) > 0.51 || got.A != 255 {
					t.Fatalf("channel %d at %d,%d: got %v over %v, want %v", i, x, y, got, under, want)
				}
			}
		}
	}
	top := decodedPicture(t, mustStackPicture(t, c, stackOf(t, c, "veil", "l")))
	if got := at(top, 70, 50); got != at(alone, 70, 50) {
		t.Errorf("below an opaque layer, %v is visible", got)
	}
}

// A layer is finished before it is drawn over others, and must have the size of the picture then.
func TestLayersOfAStackAreFinished(t *testing.T) {
	c, _, _ := newStackCatalog(t, nil)
	r := stackOf(t, c, "l", "veil")
	r.Layers[1].Area, r.Layers[1].Finish.Quarters = pixels(60, 80), 1
	got := decodedPicture(t, mustStackPicture(t, c, r))
	// The opacity of the veil increases by column; rotated by a quarter turn, it increases by row.
	ground := decodedPicture(t, mustStackPicture(t, c, stackOf(t, c, "l")))
	if got.Bounds() != ground.Bounds() {
		t.Fatalf("got %v, want %v", got.Bounds(), ground.Bounds())
	}
	for x := range 80 {
		if at(got, x, 0) != at(ground, x, 0) {
			t.Fatalf("at %d in the first row: got %v, want what is below, %v", x, at(got, x, 0), at(ground, x, 0))
		}
	}
	if under := at(ground, 40, 59); at(got, 40, 59) == under {
		t.Errorf("nothing lies over %v in the last row", under)
	}
}

func TestTransparencyOfStacks(t *testing.T) {
	c, _, _ := newStackCatalog(t, nil)
	img := decodedPicture(t, mustStackPicture(t, c, stackOf(t, c, "veil", "veil")))
	opacity := 160.0 / 255
	if got, want := float64(at(img, 80-1, 10).A), 255*(1-math.Pow(1-158.0/255, 2)); math.Abs(got-want) > 1 {
		t.Errorf("two veils are opaque by %v, want %v (one by %v)", got, want, 255*opacity)
	}
	red := stackOf(t, c, "veil")
	red.Backdrop = raster.RGBA{R: 255, A: 1}
	img = decodedPicture(t, mustStackPicture(t, c, red))
	if got, want := at(img, 0, 30), (color.NRGBA{R: 255, A: 255}); got != want {
		t.Errorf("before a backdrop: got %v, want %v", got, want)
	}
	for name, want := range map[string]struct {
		format layer.Format
		mime   string
	}{
		"translucent": {layer.AutoJPEG, "image/png"}, "jpeg": {layer.JPEG, "image/jpeg"}, "webp": {layer.WebP, "image/webp"},
	} {
		r := stackOf(t, c, "veil", "veil")
		r.Format = want.format
		if got := mustStackPicture(t, c, r); got.MIME != want.mime {
			t.Errorf("%s: got %s, want %s", name, got.MIME, want.mime)
		}
	}
	opaque := stackOf(t, c, "veil", "l")
	opaque.Format = layer.AutoJPEG
	if got := mustStackPicture(t, c, opaque); got.MIME != "image/jpeg" {
		t.Errorf("opaque: got %s, want JPEG", got.MIME)
	}
}

func TestStackIsRenderedOnceAndCached(t *testing.T) {
	c, ground, over := newStackCatalog(t, nil)
	names := make(map[string]bool)
	requests := []layer.StackRequest{stackOf(t, c), stackOf(t, c, "l"), stackOf(t, c, "l", "veil"), stackOf(t, c, "veil", "l"), stackOf(t, c, "l", "veil", "l")}
	for _, change := range []func(*layer.StackRequest){
		func(r *layer.StackRequest) { r.Format = layer.JPEG },
		func(r *layer.StackRequest) { r.Format, r.Encoding.Quality = layer.JPEG, 30 },
		func(r *layer.StackRequest) { r.Format, r.Background = layer.JPEG, raster.RGBA{G: 9, A: 255} },
		func(r *layer.StackRequest) { r.Backdrop = raster.RGBA{G: 9, A: 255} },
		func(r *layer.StackRequest) { r.Layers[1].Style.Rescale = []display.Range{{Low: 0, High: 9}} },
	} {
		r := stackOf(t, c, "l", "veil")
		change(&r)
		requests = append(requests, r)
	}
	for i, r := range requests {
		s, err := prepareStack(c, r)
		if err != nil {
			t.Fatal(err)
		}
		if names[s.Key()] {
			t.Errorf("request %d has the key of another", i)
		}
		names[s.Key()] = true
	}
	if ground.Calls()+over.Calls() != 0 {
		t.Errorf("the keys took %d reads", ground.Calls()+over.Calls())
	}
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() { mustStackPicture(t, c, stackOf(t, c, "l", "veil")) })
	}
	wait.Wait()
	read := ground.BlocksMade() + over.BlocksMade()
	if got := mustStackPicture(t, c, stackOf(t, c, "l", "veil")); got.From != layer.Hit || read != 1+6 {
		t.Errorf("%d blocks were read, want 7, and the next picture is a %s", read, got.From)
	}
}

func TestEmptyStacks(t *testing.T) {
	c, ground, _ := newStackCatalog(t, nil)
	outside := layer.Request{Area: areas.Box{Bounds: geo.Bounds{MinX: -100, MinY: -100, MaxX: -20, MaxY: -40}, Width: 80, Height: 60}}
	for name, parts := range map[string][]layer.Request{"none": nil, "outside": {outside, outside}} {
		got := mustStackPicture(t, c, layer.StackRequest{Layers: parts, Width: 80, Height: 60})
		if img := decodedPicture(t, got); got.From != layer.Empty || at(img, 40, 30).A != 0 || img.Bounds() != image.Rect(0, 0, 80, 60) {
			t.Errorf("%s: got %s, %v", name, got.From, at(img, 40, 30))
		}
		got = mustStackPicture(t, c, layer.StackRequest{Layers: parts, Width: 80, Height: 60, Backdrop: raster.RGBA{B: 7, A: 255}})
		if got.From != layer.Miss || at(decodedPicture(t, got), 40, 30) != (color.NRGBA{B: 7, A: 255}) {
			t.Errorf("%s, before a backdrop: got %s", name, got.From)
		}
	}
	turned := mustStackPicture(t, c, layer.StackRequest{Width: 60, Height: 80, Backdrop: raster.RGBA{B: 7, A: 255}})
	if got := decodedPicture(t, turned).Bounds(); got != image.Rect(0, 0, 60, 80) {
		t.Errorf("of another size: got %v", got)
	}
	if ground.Calls() != 0 {
		t.Errorf("%d reads for blank pictures", ground.Calls())
	}
}

func TestBadStacks(t *testing.T) {
	c, ground, over := newStackCatalog(t, func(c *layer.CatalogConfig) { c.MaxPixels = 10000 })
	encoding := terrain.DefaultParameters(terrain.ModeTerrarium)
	relief := display.Spec{Relief: &encoding, Bands: []int{0}}
	tests := []struct {
		name    string
		change  func(*layer.StackRequest)
		code    layer.Code
		message string
	}{
		{"too many layers", func(r *layer.StackRequest) {
			for range layer.MaxStackLayers {
				r.Layers = append(r.Layers, r.Layers[0])
			}
		}, layer.Invalid, "at most 16"},
		{"samples", func(r *layer.StackRequest) { r.Format = layer.NPY }, layer.Invalid, "samples"},
		{"no width", func(r *layer.StackRequest) { r.Width = 0 }, layer.Invalid, "width"},
		{"another size", func(r *layer.StackRequest) { r.Width = 81 }, layer.Invalid, `"l"`},
		{"another size when it is turned", func(r *layer.StackRequest) { r.Layers[1].Finish.Quarters = 3 }, layer.Invalid, "60x80"},
		{"too many pixels", func(r *layer.StackRequest) { r.Width = 10000 }, layer.TooLarge, "the limit is 10000"},
		{"quality", func(r *layer.StackRequest) { r.Encoding.Quality = 101 }, layer.Invalid, "quality"},
		{"no such band", func(r *layer.StackRequest) { r.Layers[1].Style = bandsOf(7) }, layer.Invalid, "band"},
		{"numbers", func(r *layer.StackRequest) { r.Layers[0].Style.Spec = relief }, layer.Invalid, "numbers"},
		{"16 bits", func(r *layer.StackRequest) { r.Layers[0].Style.Deep = true }, layer.Invalid, "16-bit"},
		{"a map of what has no place", func(r *layer.StackRequest) {
			r.Layers[0].Area = areas.Box{CRS: geo.CRS84(), Bounds: geo.Bounds{MaxX: 1, MaxY: 1}, Width: 80, Height: 60}
		}, layer.NotFound, "no known place"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := stackOf(t, c, "l", "veil")
			test.change(&r)
			_, err := prepareStack(c, r)
			if codeOf(err) != test.code || !strings.Contains(err.Error(), test.message) {
				t.Errorf("got the error %v, want %s: …%s…", err, test.code, test.message)
			}
		})
	}
	if ground.Calls()+over.Calls() != 0 {
		t.Error("invalid requests read pixels")
	}
}

// The computing limit of one picture applies to all expressions of a stack together.
func TestStacksOfCostlyExpressions(t *testing.T) {
	c, _, _ := newStackCatalog(t, nil)
	for parts, code := range map[int]layer.Code{1: "", layer.MaxStackLayers: layer.TooLarge} {
		r := layer.StackRequest{Width: 2000, Height: 1000}
		for range parts {
			part := layer.Request{Area: pixels(2000, 1000)}
			part.Style.Expression = expressionOf(t, "b1"+strings.Repeat("*b1", 200))
			r.Layers = append(r.Layers, part)
		}
		if _, err := prepareStack(c, r); (err != nil) != (code != "") || err != nil && codeOf(err) != code {
			t.Errorf("%d parts: got the error %v, want %q", parts, err, code)
		}
	}
}

func TestStackFailsWithItsLayer(t *testing.T) {
	c, _, over := newStackCatalog(t, nil)
	over.Before = func(context.Context, int, []raster.BlockID, []int) error { return errors.New("open /secret.tif: gone") }
	s, err := prepareStack(c, stackOf(t, c, "l", "veil"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Picture(t.Context())
	var coded *layer.Error
	if !errors.As(err, &coded) || coded.Code != layer.Unavailable || strings.Contains(coded.Message, "secret") {
		t.Errorf("got the error %v", err)
	}
	if !strings.Contains(err.Error(), `layer "veil"`) {
		t.Errorf("the error does not name the layer: %v", err)
	}
}

// A stack reserves all of its memory at once, so that any number of stacks can share a budget that
// suffices for one.
func TestStacksDoNotDeadlock(t *testing.T) {
	gate := admission.New(admission.Config{Cheap: 4, Dear: 4, Queue: 100, Memory: 1 << 20})
	c, _, _ := newStackCatalog(t, func(c *layer.CatalogConfig) { c.Gate, c.Cache = gate, nil })
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() { mustStackPicture(t, c, stackOf(t, c, "l", "veil", "l", "veil")) })
	}
	wait.Wait()
	if used := gate.Stats().Bytes; used != 0 {
		t.Errorf("%d bytes were not released", used)
	}
	large := stackOf(t, c)
	large.Width, large.Height, large.Backdrop = 2000, 2000, raster.RGBA{A: 255}
	s, err := prepareStack(c, large)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Picture(t.Context()); codeOf(err) != layer.TooLarge || !errors.Is(err, cache.ErrOverBudget) {
		t.Errorf("a stack over the whole budget got the error %v", err)
	}
}

func TestStackWaitsForOverviews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := rows()
		c := newOverviewCatalog(t, source, nil)
		part := wholeImage(100)
		s, err := prepareStack(c, layer.StackRequest{Layers: []layer.Request{part, part}, Width: 100, Height: 80})
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Picture(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		alone := decodedPicture(t, mustPicture(t, c, part))
		if got, want := at(decodedPicture(t, p), 60, 40), at(alone, 60, 40); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
		synctest.Wait()
		if built := c.Stats().Overviews.Built; built != 1 {
			t.Errorf("%d builds, want 1", built)
		}
	})
}

func TestStackOfAChangedDatasetShowsTheNextVersion(t *testing.T) {
	source := &changingDataset{version: 10}
	c := newChangingCatalog(t, source, cache.New(1<<20))
	part := previewOf(90)
	request := layer.StackRequest{Layers: []layer.Request{part, part}, Width: 90, Height: 60}
	s, err := prepareStack(c, request)
	if err != nil {
		t.Fatal(err)
	}
	source.set(func() { source.version = 20 })
	p, err := s.Picture(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if p.Key == s.Key() {
		t.Error("the next version has the key of the one before")
	}
	if got := at(decodedPicture(t, p), 45, 30); got.R != 20 {
		t.Errorf("got %v, want the samples of the version 20", got)
	}
	if source.opened != 2 {
		t.Errorf("the dataset was opened %d times, want 2", source.opened)
	}
}

// All datasets of a stack may change while it is rendered, each once.
func TestStackOfManyChangedDatasets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(1 << 20), Gate: admission.New(admission.Config{Cheap: 100, Dear: 100, Queue: 100})})
		request := layer.StackRequest{Width: 90, Height: 60}
		sources := make([]*changingDataset, 3)
		for i := range sources {
			sources[i] = &changingDataset{version: 10}
			id := string(rune('a' + i))
			if err := c.Add(t.Context(), layer.Config{ID: id, Open: sources[i].open}); err != nil {
				t.Fatal(err)
			}
			request.Layers = append(request.Layers, layer.Request{Layer: layerOf(t, c, id), Area: areas.Preview{MaxSize: 90}})
		}
		s, err := prepareStack(c, request)
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range sources {
			source.set(func() { source.version = 20 })
		}
		p, err := s.Picture(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := at(decodedPicture(t, p), 45, 30); got.R != 20 {
			t.Errorf("got %v, want the samples of the version 20", got)
		}
	})
}
