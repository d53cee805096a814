package layer

import (
	"context"
	"testing"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/display/expression"
	"tileserver/geo"
	"tileserver/layer/areas"
	"tileserver/pyramid"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// blockSamples are the samples of a block of the layer that addEstimated adds.
const blockSamples = 256 * 256 * 3

// addEstimated adds a layer of 1024 x 1024 pixels in 16 blocks, a sample of which is guessed to take some
// time.
func addEstimated(t *testing.T, c *Catalog, config Config, decoding time.Duration) *rastertest.Synthetic {
	t.Helper()
	source := &rastertest.Synthetic{
		Name: config.ID + "@1", Has: rastertest.Flat(raster.Uint8, 1024, 1024, 3, 256, 256),
		Sample: func(_, band, x, y int) (float64, bool) { return float64((x*y + band) % 256), true },
	}
	config.Open = func(context.Context) (*Dataset, error) {
		return &Dataset{Provider: source, Identity: config.ID, DecodingTime: decoding, Close: func() error { return nil }}, nil
	}
	if err := c.Add(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	return source
}

// newEstimated returns a catalog with a layer "l".
func newEstimated(t *testing.T, decoding time.Duration) *Catalog {
	t.Helper()
	c := NewCatalog(CatalogConfig{Cache: cache.New(64 << 20)})
	addEstimated(t, c, Config{ID: "l"}, decoding)
	return c
}

func layerOf(t *testing.T, c *Catalog, id string) *Layer {
	t.Helper()
	l, err := c.Layer(id)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// square returns an area of pixels of an image, in a picture with a side.
func square(from, to float64, side int) areas.Area {
	return areas.Box{Bounds: geo.Bounds{MinX: from, MinY: from, MaxX: to, MaxY: to}, Width: side, Height: side}
}

// estimated returns the composition of a request of a layer, with its drawings.
func estimated(t *testing.T, c *Catalog, id string, r Request) (*Composition, []drawing) {
	t.Helper()
	r.Layer = layerOf(t, c, id)
	composition, err := c.Prepare(r)
	if err != nil {
		t.Fatal(err)
	}
	drawings, err := composition.plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return composition, drawings
}

// costOf returns the estimated cost of a picture of a layer.
func costOf(t *testing.T, c *Catalog, id string, r Request) time.Duration {
	t.Helper()
	composition, drawings := estimated(t, c, id, r)
	return composition.admissionOf(drawings).Cost
}

// decode lets the blocks of a picture be cached, without measuring how long that takes.
func decode(t *testing.T, c *Catalog, id string, r Request) {
	t.Helper()
	_, drawings := estimated(t, c, id, r)
	plan := &drawings[0].plan
	if _, err := drawings[0].providers.Pyramid.Provider().Blocks(t.Context(), plan.Level, plan.Blocks(), plan.Bands); err != nil {
		t.Fatal(err)
	}
}

// decodingCost returns what the blocks that are not cached add to the estimated cost of a picture. They
// are cached then.
func decodingCost(t *testing.T, c *Catalog, id string, r Request) time.Duration {
	t.Helper()
	missing := costOf(t, c, id, r)
	decode(t, c, id, r)
	return missing - costOf(t, c, id, r)
}

// The samples that are not cached count, each with the guess for the codec of the file until something was
// measured.
func TestMissingSamplesCountAtTheRateOfTheirCodec(t *testing.T) {
	firstBand := Request{Area: square(0, 256, 256)}
	firstBand.Style.Bands = []int{0}
	for _, test := range []struct {
		name    string
		cached  areas.Area // or nil
		request Request
		samples time.Duration
	}{
		{"a block", nil, Request{Area: square(0, 256, 256)}, blockSamples},
		{"corners of four blocks", nil, Request{Area: square(128, 384, 256)}, 4 * blockSamples},
		{"four blocks", nil, Request{Area: square(0, 512, 512)}, 4 * blockSamples},
		{"a band", nil, firstBand, blockSamples / 3},
		{"an overview", nil, Request{Area: square(0, 1024, 256)}, 16 * blockSamples},
		{"four blocks, one of which is cached", square(0, 256, 256), Request{Area: square(0, 512, 512)}, 3 * blockSamples},
		{"four cached blocks", square(0, 512, 512), Request{Area: square(128, 384, 256)}, 0},
	} {
		for guess, want := range map[time.Duration]time.Duration{0: 10, 2: 2, 45: 45} {
			c := newEstimated(t, guess)
			if test.cached != nil {
				decode(t, c, "l", Request{Area: test.cached})
			}
			if got := decodingCost(t, c, "l", test.request); got != test.samples*want {
				t.Errorf("%s with a guess of %v: %v, want %v", test.name, guess, got, test.samples*want)
			}
		}
	}
}

// Overviews that are saved count by the bytes to load. Those that are built in the background do not
// count, since a picture waits for them without a slot.
func TestSavedOverviewsCountByTheirBytes(t *testing.T) {
	folder := t.TempDir()
	start := func() *Catalog {
		saved, err := disk.OpenGroups(disk.GroupsConfig{Folder: folder, MaxBytes: 64 << 20, OnFailure: func(err error) { t.Error(err) }})
		if err != nil {
			t.Fatal(err)
		}
		c := NewCatalog(CatalogConfig{Cache: cache.New(64 << 20), SavedOverviews: saved})
		addEstimated(t, c, Config{ID: "l", MaxInlineOverviewBytes: 1000}, 45)
		t.Cleanup(func() { c.Close() })
		return c
	}
	overview := Request{Area: square(0, 1024, 512)}
	composition, drawings := estimated(t, start(), "l", overview)
	withoutBuild := composition.admissionOf(drawings).Cost
	if _, err := composition.Picture(t.Context()); err != nil {
		t.Fatal(err)
	}

	after := start()
	if got, least := decodingCost(t, after, "l", overview), time.Duration(512*512*3); got < least || got > 16*blockSamples*45/10 {
		t.Errorf("to load a saved overview costs %v, want at least %v and far less than to build it", got, least)
	}
	if want := costOf(t, after, "l", overview); withoutBuild != want {
		t.Errorf("a picture that waits for a build costs %v, want %v as with all in memory", withoutBuild, want)
	}
}

// Of a picture whose blocks are cached, the pixels count: their sampling, their coloring and their encoder,
// each at its own rate.
func TestPixelsAndTheirEncoderCount(t *testing.T) {
	c := newEstimated(t, 0)
	const small, large = 256, 512
	of := func(side int, format Format) time.Duration {
		t.Helper()
		return costOf(t, c, "l", Request{Area: square(0, 256, side), Format: format})
	}
	decode(t, c, "l", Request{Area: square(0, 512, large)}) // with the neighbors that kernels reach
	before := of(small, PNG)
	if got := of(large, PNG); before <= 0 || got != 4*before {
		t.Errorf("four times the pixels cost %v, and one times %v", got, before)
	}
	if got := of(small, WebP); got != before {
		t.Errorf("before something is measured, a WebP costs %v, and a PNG %v", got, before)
	}

	c.encoding[WebP].Measure(1, 120) // 100 ns more than the guess
	if got, want := of(small, WebP), before+100*small*small; got != want {
		t.Errorf("with a slow encoder: %v, want %v", got, want)
	}
	if got := of(small, PNG); got != before {
		t.Errorf("the encoder of another format counts: %v, want %v", got, before)
	}

	rates := layerOf(t, c, "l").group.rates
	rates.sampling.Measure(1, 110)
	if got, want := of(small, PNG), before+100*small*small; got != want {
		t.Errorf("with slow sampling: %v, want %v", got, want)
	}
	sampled := of(small, PNG)
	rates.coloring.Measure(1, 100)
	if got := of(small, PNG); got < sampled+99*small*small {
		t.Errorf("with slow coloring: %v, %v before that", got, sampled)
	}
}

func TestAnExpressionCountsByItsOperations(t *testing.T) {
	c := newEstimated(t, 0)
	of := func(text string) time.Duration {
		t.Helper()
		source, err := expression.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		r := Request{Area: square(0, 256, 256)}
		r.Style.Expression = source
		decode(t, c, "l", r)
		return costOf(t, c, "l", r)
	}
	if simple, dear := of("b1"), of("sqrt(b1)+sqrt(b2)+sqrt(b3)"); dear <= simple {
		t.Errorf("three roots cost %v, a band %v", dear, simple)
	}
}

// Pictures of a layer that decodes ten times as slowly as its codec was guessed to correct what the next
// ones are estimated to cost. They say nothing about other layers and other formats.
func TestPicturesCorrectTheEstimates(t *testing.T) {
	const guess, actual = 2, 20
	c := newEstimated(t, guess)
	addEstimated(t, c, Config{ID: "slow"}, guess).Before = func(ctx context.Context, _ int, ids []raster.BlockID, _ []int) error {
		admission.Spend(ctx, time.Duration(len(ids))*blockSamples*actual)
		return nil
	}
	next := Request{Area: square(512, 768, 256)}
	for id, want := range map[string]time.Duration{"l": guess, "slow": actual} {
		composition, _ := estimated(t, c, "slow", Request{Area: square(0, 512, 512), Format: PNG})
		if _, err := composition.Picture(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := decodingCost(t, c, id, next); got != blockSamples*want {
			t.Errorf("%s: the block of the next picture costs %v, want %v", id, got, blockSamples*want)
		}
	}

	fast, slow := layerOf(t, c, "l").group.rates, layerOf(t, c, "slow").group.rates
	for name, rate := range map[string]struct {
		*admission.Rate
		isMeasured bool
	}{
		"sampling":                  {slow.sampling, true},
		"coloring":                  {slow.coloring, true},
		"encoding PNG":              {c.encoding[PNG], true},
		"encoding JPEG":             {c.encoding[JPEG], false},
		"sampling of another layer": {fast.sampling, false},
		"coloring of another layer": {fast.coloring, false},
	} {
		rate.Guess(time.Hour) // counts only before measurements
		if isGuessed := rate.Time(1) == time.Hour; isGuessed == rate.isMeasured {
			t.Errorf("%s is measured: %v, want %v", name, !isGuessed, rate.isMeasured)
		}
	}
}

// Of plans with many blocks, some are looked up: each as far from the next, whatever part it is in.
func TestFewBlocksOfAPlanAreLookedUp(t *testing.T) {
	for _, sizes := range [][]int{{}, {7}, {maxCountedBlocks}, {maxCountedBlocks + 1}, {5, 0, 10 * maxCountedBlocks, 3}, {1_000_000, 999_999}} {
		var plan pyramid.Plan
		total := 0
		for _, size := range sizes {
			part := pyramid.Part{Blocks: make([]raster.BlockID, size)}
			for i := range part.Blocks {
				part.Blocks[i].Col = total + i
			}
			total += size
			plan.Parts = append(plan.Parts, part)
		}
		some := someBlocks(&plan)
		if len(some) > maxCountedBlocks || len(some) < min(total, maxCountedBlocks/2) {
			t.Errorf("of %d blocks, %d are looked up", total, len(some))
		}
		for i := range some {
			if step := some[1%len(some)].Col; some[i].Col != i*step {
				t.Fatalf("of %d blocks, number %d is %d", total, i, some[i].Col)
			}
		}
	}
}

func TestAPictureOfBlocksThatAreNotCachedReadsFirst(t *testing.T) {
	c := newEstimated(t, 0)
	request := Request{Area: square(0, 256, 256)}
	for _, isCached := range []bool{false, true} {
		if isCached {
			decode(t, c, "l", request)
		}
		composition, drawings := estimated(t, c, "l", request)
		if work := composition.admissionOf(drawings); work.ReadsFirst == isCached {
			t.Errorf("cached: %v, reads first: %v", isCached, work.ReadsFirst)
		}
	}
}
