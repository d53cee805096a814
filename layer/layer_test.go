package layer_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/display"
	"tileserver/display/picture"
	"tileserver/geo"
	"tileserver/gpu/gather"
	"tileserver/gpu/route"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
)

// newCatalog returns a catalog with one layer "l" of a source, in UTM zone 33 with pixels of 10 m.
func newCatalog(t *testing.T, source raster.Provider, change func(*layer.CatalogConfig)) *layer.Catalog {
	t.Helper()
	crs, err := geo.ByCode(32633)
	if err != nil {
		t.Fatal(err)
	}
	placement, err := geo.NewAffinePlacement(geo.Affine{A: 10, C: 500000, E: -10, F: 5300000})
	if err != nil {
		t.Fatal(err)
	}
	config := layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: admission.New(admission.Config{Cheap: 4, Dear: 4, Queue: 100}), Encoder: new(picture.Encoder)}
	if change != nil {
		change(&config)
	}
	c := layer.NewCatalog(config)
	err = c.Add(context.Background(), layer.Config{ID: "l", Open: func(context.Context) (*layer.Dataset, error) {
		return &layer.Dataset{
			Provider: source, CRS: crs, Placement: placement, Identity: "made up",
			Close: func() error { return nil },
		}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// gradient returns an 8-bit RGB image of 3000 by 2000 pixels.
func gradient() *rastertest.Synthetic {
	info := rastertest.Flat(raster.Uint8, 3000, 2000, 3, 256, 256)
	for b, color := range []raster.Color{raster.Red, raster.Green, raster.Blue} {
		info.Bands[b].Color = color
	}
	return &rastertest.Synthetic{Name: "gradient@1", Has: info, Sample: func(_, band, x, y int) (float64, bool) {
		return float64((x/12 + y/8*band) % 256), true
	}}
}

// tileAt returns a request for the tile of a level that contains the center of "l".
func tileAt(t *testing.T, c *layer.Catalog, z int) layer.Request {
	t.Helper()
	l, err := c.Layer("l")
	if err != nil {
		t.Fatal(err)
	}
	d := l.Describe()
	set := geo.WebMercatorQuad()
	at := geo.NewTransform(geo.WorldCRS84Quad().CRS, set.CRS).Apply(d.Bounds.Center())
	x, y, _, _, ok := set.Limits(z, geo.Bounds{MinX: at.X, MinY: at.Y, MaxX: at.X + 1, MaxY: at.Y + 1})
	if !ok {
		t.Fatal("the layer is not on the map")
	}
	return layer.Request{Format: layer.PNG, Area: areas.Tile{TileSet: set.ID, Tile: geo.TileID{Z: z, X: x, Y: y}}}
}

func layerOf(t testing.TB, c *layer.Catalog, id string) *layer.Layer {
	t.Helper()
	l, err := c.Layer(id)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// prepare prepares the picture of a request, of "l" unless the request has another layer.
func prepare(c *layer.Catalog, r layer.Request) (*layer.Composition, error) {
	if r.Layer == nil {
		var err error
		if r.Layer, err = c.Layer("l"); err != nil {
			return nil, err
		}
	}
	return c.Prepare(r)
}

func mustPrepare(t *testing.T, c *layer.Catalog, r layer.Request) *layer.Composition {
	t.Helper()
	j, err := prepare(c, r)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func mustPicture(t *testing.T, c *layer.Catalog, r layer.Request) layer.Picture {
	t.Helper()
	p, err := mustPrepare(t, c, r).Picture(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func codeOf(err error) layer.Code {
	var e *layer.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return "none"
}

func TestPictureIsRenderedOnceAndCached(t *testing.T) {
	source := gradient()
	c := newCatalog(t, source, nil)
	r := tileAt(t, c, 13)
	if first := mustPicture(t, c, r); first.From != layer.Miss || first.MIME != "image/png" {
		t.Errorf("the first is %v %v", first.From, first.MIME)
	}
	read := source.BlocksMade()
	second := mustPicture(t, c, r)
	if second.From != layer.Hit || source.BlocksMade() != read {
		t.Errorf("the second is %v and read %d blocks", second.From, source.BlocksMade()-read)
	}
	picture, _, err := image.Decode(bytes.NewReader(second.Bytes))
	if err != nil || picture.Bounds().Dx() != 256 || picture.Bounds().Dy() != 256 {
		t.Errorf("the picture is %v, %v", picture, err)
	}
}

func TestKeyIsKnownBeforeAnythingIsRead(t *testing.T) {
	source := gradient()
	source.Has.Type = raster.Uint16 // stretched by statistics, which read pixels
	c := newCatalog(t, source, nil)
	r := tileAt(t, c, 13)
	key := mustPrepare(t, c, r).Key()
	if source.Calls() != 0 {
		t.Fatalf("%d calls for a key", source.Calls())
	}
	if p := mustPicture(t, c, r); p.Key != key || source.Calls() == 0 {
		t.Errorf("the picture has the key %s, want %s", p.Key, key)
	}
	if other := mustPrepare(t, newCatalog(t, source, nil), r).Key(); other != key {
		t.Errorf("a replica has the key %s, want %s", other, key)
	}
}

func TestKeysTellRequestsApart(t *testing.T) {
	c := newCatalog(t, gradient(), nil)
	base := tileAt(t, c, 13)
	noData := 3.0
	area := base.Area.(areas.Tile)
	changes := map[string]func(*layer.Request){
		"as it is":    func(*layer.Request) {},
		"format":      func(r *layer.Request) { r.Format = layer.JPEG },
		"quality":     func(r *layer.Request) { r.Format, r.Encoding.Quality = layer.JPEG, 30 },
		"bands":       func(r *layer.Request) { r.Style.Bands = []int{2, 1, 0} },
		"rescale":     func(r *layer.Request) { r.Style.Rescale = []display.Range{{Low: 0, High: 100}} },
		"resampling":  func(r *layer.Request) { r.Style.Resampling = resample.Nearest },
		"nodata":      func(r *layer.Request) { r.Style.NoData = &noData },
		"scale":       func(r *layer.Request) { a := area; a.Scale = 2; r.Area = a },
		"tile":        func(r *layer.Request) { a := area; a.Tile.X++; r.Area = a },
		"set":         func(r *layer.Request) { r.Area = areas.Tile{TileSet: "image"} },
		"preview":     func(r *layer.Request) { r.Area = areas.Preview{MaxSize: 100} },
		"color map":   func(r *layer.Request) { r.Style.Bands = []int{0}; r.Style.ColorMap = "viridis" },
		"single band": func(r *layer.Request) { r.Style.Bands = []int{0} },
	}
	seen := make(map[string]string)
	for name, change := range changes {
		r := base
		change(&r)
		key := mustPrepare(t, c, r).Key()
		if other, taken := seen[key]; taken {
			t.Errorf("%s and %s have the same key", name, other)
		}
		seen[key] = name
	}
}

func TestConcurrentRequestsReadEachBlockOnce(t *testing.T) {
	source := gradient()
	hold := make(chan struct{})
	source.Before = func(ctx context.Context, _ int, _ []raster.BlockID, _ []int) error {
		select {
		case <-hold:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	c := newCatalog(t, source, nil)
	r := tileAt(t, c, 13)
	explanation, err := mustPrepare(t, c, r).Explain(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var misses atomic.Int64
	var wait sync.WaitGroup
	for range 500 {
		j := mustPrepare(t, c, r)
		wait.Go(func() {
			p, err := j.Picture(context.Background())
			if err != nil {
				t.Error(err)
			}
			if p.From == layer.Miss {
				misses.Add(1)
			}
		})
	}
	close(hold)
	wait.Wait()
	if want := len(explanation.Parts[0].Plan.Blocks()); misses.Load() != 1 || source.BlocksMade() != want {
		t.Errorf("%d pictures rendered from %d blocks, want 1 from %d", misses.Load(), source.BlocksMade(), want)
	}
}

// Whoever decodes for a picture is remembered with it.
func TestExplanationsTellWhereBlocksWereDecoded(t *testing.T) {
	source, gatherer := gradient(), gather.New(route.New(route.Auto, 1))
	source.Before = func(ctx context.Context, _ int, _ []raster.BlockID, _ []int) error {
		gatherer.MayTake(ctx)
		return nil
	}
	c := newCatalog(t, source, nil)
	r := tileAt(t, c, 13)
	for _, want := range []int64{0, 1} {
		explanation, err := mustPrepare(t, c, r).Explain(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got := explanation.Decoding[gather.Outcome{Place: route.Cores, Why: route.Software}]; got != want {
			t.Errorf("%d times blocks were decoded on the cores, want %d", got, want)
		}
		mustPicture(t, c, r)
	}
}

func TestNeighborsShareBlocks(t *testing.T) {
	source := gradient()
	c := newCatalog(t, source, nil)
	r := tileAt(t, c, 14)
	area := r.Area.(areas.Tile)
	seen := make(map[raster.BlockID]bool)
	for i := range 16 {
		a := area
		a.Tile.X, a.Tile.Y = a.Tile.X+i%4, a.Tile.Y+i/4
		r.Area = a
		explanation, err := mustPrepare(t, c, r).Explain(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range explanation.Parts[0].Plan.Blocks() {
			seen[id] = true
		}
		mustPicture(t, c, r)
	}
	if source.BlocksMade() != len(seen) {
		t.Errorf("sixteen tiles read %d blocks, want %d", source.BlocksMade(), len(seen))
	}
}

func TestBlankPicturesReadNothing(t *testing.T) {
	source := gradient()
	c := newCatalog(t, source, nil)
	for _, format := range []layer.Format{layer.PNG, layer.JPEG, layer.WebP} {
		p := mustPicture(t, c, layer.Request{Format: format, Area: areas.Tile{TileSet: "WebMercatorQuad", Tile: geo.TileID{Z: 3}, Scale: 2}})
		if p.From != layer.Empty || p.MIME != map[layer.Format]string{layer.PNG: "image/png", layer.JPEG: "image/jpeg", layer.WebP: "image/webp"}[format] || len(p.Bytes) == 0 {
			t.Errorf("%v: %d bytes of %v from %v", format, len(p.Bytes), p.MIME, p.From)
		}
	}
	if source.Calls() != 0 {
		t.Errorf("%d calls were made", source.Calls())
	}
}

func TestUnknownLayers(t *testing.T) {
	c, _, _ := newStackCatalog(t, nil)
	for id, want := range map[string]string{
		"x":    `not_found: there is no layer "x"; did you mean "l"?`,
		"viel": `not_found: there is no layer "viel"; did you mean "veil"?`,
	} {
		if _, err := c.Layer(id); codeOf(err) != layer.NotFound || err.Error() != want {
			t.Errorf("got the error %v, want %s", err, want)
		}
	}
}

func TestBadRequests(t *testing.T) {
	c := newCatalog(t, gradient(), func(c *layer.CatalogConfig) { c.MaxPixels = 512 * 512 })
	good := tileAt(t, c, 13)
	tests := map[string]struct {
		change func(*layer.Request)
		want   layer.Code
	}{
		"no such set":       {func(r *layer.Request) { r.Area = areas.Tile{TileSet: "x"} }, layer.NotFound},
		"no such tile":      {func(r *layer.Request) { r.Area = areas.Tile{TileSet: "image", Tile: geo.TileID{X: 9}} }, layer.NotFound},
		"no such level":     {func(r *layer.Request) { r.Area = areas.Tile{TileSet: "image", Tile: geo.TileID{Z: 99}} }, layer.NotFound},
		"no such band":      {func(r *layer.Request) { r.Style.Bands = []int{7} }, layer.Invalid},
		"unknown color map": {func(r *layer.Request) { r.Style.Bands = []int{0}; r.Style.ColorMap = "x" }, layer.Invalid},
		"empty box":         {func(r *layer.Request) { r.Area = areas.Box{Width: 5, Height: 5} }, layer.Invalid},
		"too many pixels":   {func(r *layer.Request) { r.Area = areas.Preview{MaxSize: 3000} }, layer.TooLarge},
		"too wide for webp": {func(r *layer.Request) {
			r.Format, r.Area = layer.WebP, areas.Box{Bounds: geo.Bounds{MaxX: 1, MaxY: 1}, Width: 16384, Height: 2}
		}, layer.TooLarge},
		"too high for jpg": {func(r *layer.Request) {
			r.Format, r.Area = layer.JPEG, areas.Box{Bounds: geo.Bounds{MaxX: 1, MaxY: 1}, Width: 1, Height: 65501}
		}, layer.TooLarge},
		"negative preview": {func(r *layer.Request) { r.Area = areas.Preview{MaxSize: -1} }, layer.Invalid},
	}
	for name, test := range tests {
		r := good
		test.change(&r)
		if _, err := prepare(c, r); codeOf(err) != test.want {
			t.Errorf("%s: got the error %v, want %s", name, err, test.want)
		}
	}
}

func TestMessagesRevealNoFileNames(t *testing.T) {
	source := gradient()
	source.Before = func(context.Context, int, []raster.BlockID, []int) error {
		return errors.New("open /secret/place.tif: no such file")
	}
	c := newCatalog(t, source, nil)
	_, err := mustPrepare(t, c, tileAt(t, c, 13)).Picture(context.Background())
	var e *layer.Error
	if !errors.As(err, &e) || e.Code != layer.Unavailable || strings.Contains(e.Message, "secret") || !strings.Contains(e.Error(), "secret") {
		t.Errorf("got the error %v with the message %q", err, e.Message)
	}
}

func TestFullQueueIsBusyExceptForCachedPictures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := gradient()
		c := newCatalog(t, source, func(c *layer.CatalogConfig) { c.Gate = admission.New(admission.Config{Queue: 1}) })
		cached := tileAt(t, c, 13)
		mustPicture(t, c, cached)

		hold := make(chan struct{})
		source.Before = func(context.Context, int, []raster.BlockID, []int) error { <-hold; return nil }
		other := func(size int) *layer.Composition {
			return mustPrepare(t, c, layer.Request{Area: areas.Preview{MaxSize: size}})
		}
		var wait sync.WaitGroup
		for i := range 2 {
			wait.Go(func() {
				if _, err := other(100 + i).Picture(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if _, err := other(300).Picture(t.Context()); codeOf(err) != layer.Busy {
			t.Errorf("the third got the error %v, want %s", err, layer.Busy)
		}
		if p := mustPicture(t, c, cached); p.From != layer.Hit {
			t.Errorf("a cached picture is a %v", p.From)
		}
		close(hold)
		wait.Wait()
	})
}

func TestCancelingStopsTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := gradient()
		ended := make(chan error, 1)
		source.Before = func(ctx context.Context, _ int, _ []raster.BlockID, _ []int) error {
			<-ctx.Done()
			ended <- ctx.Err()
			return ctx.Err()
		}
		c := newCatalog(t, source, nil)
		j := mustPrepare(t, c, tileAt(t, c, 13))
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			synctest.Wait()
			cancel()
		}()
		if _, err := j.Picture(ctx); codeOf(err) != layer.Canceled {
			t.Errorf("got the error %v, want %s", err, layer.Canceled)
		}
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the provider's context ended with %v", err)
		}
	})
}

// A dataset that changes while it is read is opened again, once. The picture and its key are those
// of the new version.
func TestChangedDatasetIsOpenedAgainOnce(t *testing.T) {
	var opened atomic.Int64
	c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: admission.New(admission.Config{Cheap: 4, Dear: 4, Queue: 100}), Encoder: new(picture.Encoder)})
	err := c.Add(context.Background(), layer.Config{ID: "l", Open: func(context.Context) (*layer.Dataset, error) {
		version := opened.Add(1)
		source := gradient()
		source.Name = fmt.Sprint("gradient@", version)
		source.Before = func(context.Context, int, []raster.BlockID, []int) error {
			if version == 1 {
				return fmt.Errorf("block: %w", raster.ErrChanged)
			}
			return nil
		}
		return &layer.Dataset{Provider: source, Close: func() error { return nil }}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	r := layer.Request{Area: areas.Preview{MaxSize: 50}}
	before := mustPrepare(t, c, r)
	p, err := before.Picture(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if opened.Load() != 2 || p.Key == before.Key() || p.Key != mustPrepare(t, c, r).Key() {
		t.Errorf("opened %d times; the key was %s, is %s", opened.Load(), before.Key(), p.Key)
	}
}

func TestImageWithoutCRSIsServedInItsOwnPixels(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20), Gate: admission.New(admission.Config{Cheap: 4, Dear: 4, Queue: 100}), Encoder: new(picture.Encoder)})
	err := c.Add(context.Background(), layer.Config{ID: "l", Open: func(context.Context) (*layer.Dataset, error) {
		return &layer.Dataset{Provider: gradient(), CRSError: errors.New("EPSG:999999 is not known"), Close: func() error { return nil }}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	l, _ := c.Layer("l")
	d := l.Describe()
	if d.HasBounds || d.CRSProblem == "" || len(d.TileSets) != 1 || d.TileSets[0].MaxZoom != 4 {
		t.Errorf("described as %+v", d)
	}
	if p := mustPicture(t, c, layer.Request{Area: areas.Tile{TileSet: "image", Tile: geo.TileID{Z: 4, X: 11, Y: 7}}}); p.From != layer.Miss {
		t.Errorf("the last tile is %v", p.From)
	}
	if _, err := prepare(c, layer.Request{Area: areas.Tile{TileSet: "WebMercatorQuad"}}); codeOf(err) != layer.NotFound {
		t.Errorf("a map tile got the error %v", err)
	}
}

// bandsOf returns a style with these bands.
func bandsOf(bands ...int) style.Style { return style.Style{Spec: display.Spec{Bands: bands}} }

func TestPointAndStatistics(t *testing.T) {
	c := newCatalog(t, gradient(), nil)
	p, err := c.Point(context.Background(), layerOf(t, c, "l"), style.Style{}, nil, geo.Point{X: 1200.5, Y: 80.5})
	if err != nil || p.Bands[0].Value != 100 || p.Bands[1].Value != 110 {
		t.Errorf("the point is %+v, %v", p, err)
	}
	if _, err := c.Point(context.Background(), layerOf(t, c, "l"), style.Style{}, nil, geo.Point{X: -5}); codeOf(err) != layer.NotFound {
		t.Errorf("a point outside got the error %v", err)
	}
	s, err := c.Statistics(context.Background(), layerOf(t, c, "l"), bandsOf(0))
	if err != nil || len(s.Bands) != 1 || s.Bands[0].Min != 0 || s.Bands[0].Max != 249 {
		t.Errorf("the statistics are %+v, %v", s, err)
	}
	if _, err := c.Statistics(context.Background(), layerOf(t, c, "l"), bandsOf(5)); codeOf(err) != layer.Invalid {
		t.Errorf("an unknown band got the error %v", err)
	}
}

// A replaced file is noticed within a second, before any pixel is read, even if the picture is
// cached.
func TestReplacedDatasetIsNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		version, checks, broken := 1, 0, false
		c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20)})
		err := c.Add(t.Context(), layer.Config{ID: "l", Open: func(context.Context) (*layer.Dataset, error) {
			if broken {
				return nil, errors.New("half written")
			}
			mine := version
			source := gradient()
			source.Name = fmt.Sprint("gradient@", mine)
			return &layer.Dataset{
				Provider: source, Close: func() error { return nil },
				IsCurrent: func() bool { checks++; return mine == version },
			}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		r := layer.Request{Area: areas.Preview{MaxSize: 50}}
		first := mustPicture(t, c, r).Key
		for range 100 {
			mustPrepare(t, c, r)
		}
		if checks > 1 {
			t.Errorf("%d checks within a second", checks)
		}
		version, broken = 2, true
		time.Sleep(2 * time.Second)
		if got := mustPicture(t, c, r); got.Key != first || got.From != layer.Hit {
			t.Errorf("while the new version cannot be opened, the picture is %v %v", got.Key, got.From)
		}
		broken = false
		time.Sleep(2 * time.Second)
		if got := mustPicture(t, c, r); got.Key == first || got.From != layer.Miss {
			t.Errorf("the new version is %v %v", got.Key, got.From)
		}
	})
}

// With resampling=nearest, no level has samples that the image does not have.
func TestNearestInventsNoClasses(t *testing.T) {
	source := &rastertest.Synthetic{Name: "classes@1", Has: rastertest.Flat(raster.Uint8, 3000, 2000, 1, 256, 256)}
	source.Sample = func(_, _, x, _ int) (float64, bool) { return float64(1 + x%2*200), true }
	c := newCatalog(t, source, nil)
	for resampling, mayBe := range map[resample.Method][]uint32{resample.Nearest: {1, 201}, resample.Average: {101}} {
		p := mustPicture(t, c, layer.Request{Area: areas.Preview{MaxSize: 187}, Style: style.Style{Resampling: resampling}})
		picture, _, err := image.Decode(bytes.NewReader(p.Bytes))
		if err != nil {
			t.Fatal(err)
		}
		for x := range picture.Bounds().Dx() {
			if r, _, _, _ := picture.At(x, 50).RGBA(); !slices.Contains(mayBe, r>>8) {
				t.Fatalf("%v: column %d is %d, want one of %v", resampling, x, r>>8, mayBe)
			}
		}
	}
}
