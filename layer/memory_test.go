package layer_test

import (
	"sort"
	"testing"

	"tileserver/admission"
	"tileserver/layer"
)

// minMemory returns the smallest budget with which a picture can be rendered.
func minMemory(t *testing.T, picture func(c *layer.Catalog) error) int64 {
	t.Helper()
	const enough = 64 << 20
	least := sort.Search(enough, func(bytes int) bool {
		c, _, _ := newStackCatalog(t, func(c *layer.CatalogConfig) { c.Gate = admission.New(admission.Config{Memory: int64(bytes)}) })
		err := picture(c)
		if err != nil && codeOf(err) != layer.TooLarge {
			t.Fatal(err)
		}
		return err == nil
	})
	if least == 0 || least == enough {
		t.Fatalf("a picture takes %d bytes", least)
	}
	return int64(least)
}

// The memory of rotating pictures and of drawing them over each other is reserved before it is
// used.
func TestMemoryOfFinishesAndStacks(t *testing.T) {
	const area = 300 * 200
	drawn := func(finish layer.Finish) int64 {
		return minMemory(t, func(c *layer.Catalog) error {
			_, err := mustPrepare(t, c, layer.Request{Area: pixels(300, 200), Finish: finish}).Picture(t.Context())
			return err
		})
	}
	stacked := func(count int) int64 {
		return minMemory(t, func(c *layer.Catalog) error {
			r := layer.StackRequest{Width: 300, Height: 200}
			r.Backdrop.A = 255
			for range count {
				r.Layers = append(r.Layers, layer.Request{Area: pixels(300, 200)})
			}
			s, err := prepareStack(c, r)
			if err != nil {
				return err
			}
			_, err = s.Picture(t.Context())
			return err
		})
	}
	plain, canvas, one := drawn(layer.Finish{}), stacked(0), stacked(1)
	for name, got := range map[string]int64{
		"mirrored":  drawn(layer.Finish{Mirrored: true}) - plain - 3*area, // less one RGB picture
		"turned":    drawn(layer.Finish{Quarters: 3}) - plain - 3*area,
		"a canvas":  canvas - 4*area,
		"one on it": one - plain - 4*area,
	} {
		if got < 0 {
			t.Errorf("%s: %d bytes are not reserved", name, -got)
		}
	}
	if got := drawn(layer.Finish{Tone: 1}); got != plain {
		t.Errorf("in grays: %d bytes are reserved, want %d", got, plain)
	}
	if got := stacked(3); got != one {
		t.Errorf("three layers reserve %d bytes, want %d as for one", got, one)
	}
}
