package components

import (
	"testing"

	"tileserver/cache"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// readInBulk reads samples of a component at its finest resolution, in patches that are read together.
func (o opened) readInBulk(t *testing.T, component int, patches ...wavelet.Rect) (tiles []raster.Tile) {
	t.Helper()
	r := o.NewRequest()
	r.InBulk = true
	var outputs []*Output
	for _, rect := range patches {
		out := &Output{Rect: rect, Type: raster.Int64, Bands: 1}
		outputs = append(outputs, out)
		r.AddOutputs([]*Output{out}, out.Bytes())
		r.AddSamples(ComponentRequest{Component: component, Rect: rect, Targets: []Target{{out, 0}}})
	}
	if err := r.Plan(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, out := range outputs {
		tiles = append(tiles, out.Buffer.Freeze())
	}
	return tiles
}

// cachedCodeBlocks returns how many groups of code-blocks are cached.
func cachedCodeBlocks(c *cache.Cache) int {
	for _, space := range c.Stats().Spaces {
		if space.Name == "code-blocks" {
			return space.Entries
		}
	}
	return 0
}

// A pass in bulk decodes each code-block once, although only those at the edges of its requests are cached.
func TestAPassInBulkCachesWhatItsRequestsShare(t *testing.T) {
	for _, blockLog2 := range []int{2, 4} {
		image := jp2ktest.Wide()
		image.Image = wavelet.Rect{X0: 3, Y0: 5, X1: 420, Y1: 330}
		image.Coding.BlockWidthLog2, image.Coding.BlockHeightLog2 = blockLog2, blockLog2
		apart := open(t, image.Codestream(), nil)
		whole := apart.read(t, 0, image.Image)
		coded := apart.shared.Stats().Decoded

		all := cache.New(32 << 20)
		o := open(t, image.Codestream(), func(c *Config) { c.Shared = NewShared(all, 4<<20) })
		one := o.readInBulk(t, 0, image.Image)
		if got := cachedCodeBlocks(all); got != 0 || string(one[0].Plane(0)) != string(whole.Plane(0)) {
			t.Errorf("of a request for everything, %d groups are cached, or samples are wrong", got)
		}
		if got := o.shared.Stats().Decoded; got != coded {
			t.Errorf("a request for everything decodes %d code-blocks, of %d", got, coded)
		}

		for _, y := range []int{5, 133, 261} {
			upper := wavelet.Rect{X0: 3, Y0: y, X1: 420, Y1: min(y+64, 330)}
			lower := wavelet.Rect{X0: 3, Y0: upper.Y1, X1: 420, Y1: min(y+128, 330)}
			for i, tile := range o.readInBulk(t, 0, upper, lower) {
				rect := []wavelet.Rect{upper, lower}[i]
				from := whole.Plane(0)[(rect.Y0-5)*417*8:]
				if got := tile.Plane(0); string(got) != string(from[:len(got)]) {
					t.Errorf("samples of %v are wrong", rect)
				}
			}
		}
		if got := o.shared.Stats().Decoded - coded; got != coded {
			t.Errorf("three requests decode %d code-blocks, of %d", got, coded)
		}
		if got := cachedCodeBlocks(all); got == 0 {
			t.Error("no group is cached between requests")
		}

		o.read(t, 0, image.Image)
		before := o.shared.Stats().Decoded
		if o.readInBulk(t, 0, image.Image); o.shared.Stats().Decoded != before {
			t.Error("what is cached is decoded again")
		}
	}
}
