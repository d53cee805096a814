package layer_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/layer"
)

// openLayers opens layers whose pixels are never read.
func openLayers(t testing.TB, c *layer.Catalog, configs ...layer.Config) []*layer.Layer {
	t.Helper()
	var layers []*layer.Layer
	for _, config := range configs {
		opened := 0
		config.Open = gradientConfig(config.ID, &opened).Open
		l, err := c.Open(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		layers = append(layers, l)
	}
	return layers
}

func pageOf(t testing.TB, c *layer.Catalog, s layer.Selection, w layer.PageRange) (layer.Page, []string) {
	t.Helper()
	page, err := c.Page(s, w)
	if err != nil {
		t.Fatal(err)
	}
	return page, idsOf(page.Layers)
}

func idsOf(layers []*layer.Layer) (ids []string) {
	for _, l := range layers {
		ids = append(ids, l.ID())
	}
	return ids
}

func TestPagesAreInTheOrderOfTheLayers(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{})
	mustServe(t, c, openLayers(t, c, layer.Config{ID: "z"}, layer.Config{ID: "a"}, layer.Config{ID: "m"}, layer.Config{ID: "b"}, layer.Config{ID: "y"})...)
	for _, test := range []struct {
		window layer.PageRange
		want   []string
		offset int
		last   bool
	}{
		{layer.PageRange{Limit: 2}, []string{"z", "a"}, 0, false},
		{layer.PageRange{Limit: 2, After: "a"}, []string{"m", "b"}, 2, false},
		{layer.PageRange{Limit: 2, After: "b"}, []string{"y"}, 4, true},
		{layer.PageRange{Limit: 2, After: "y"}, nil, 5, true},
		{layer.PageRange{Limit: 2, Offset: 3}, []string{"b", "y"}, 3, true},
		{layer.PageRange{Limit: 2, Offset: 99}, nil, 5, true},
		{layer.PageRange{Limit: 1 << 40}, []string{"z", "a", "m", "b", "y"}, 0, true},
	} {
		page, ids := pageOf(t, c, layer.Selection{}, test.window)
		if !slices.Equal(ids, test.want) || page.Offset != test.offset || page.IsLast() != test.last || page.Total != 5 {
			t.Errorf("%+v: %v at %d of %d, the last: %t", test.window, ids, page.Offset, page.Total, page.IsLast())
		}
	}
	if _, err := c.Page(layer.Selection{}, layer.PageRange{Limit: 2, After: "none"}); codeOf(err) != layer.Invalid {
		t.Errorf("after an unknown layer: %v", err)
	}
}

func TestSearchFindsAllWordsInAnyCase(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{})
	mustServe(t, c, openLayers(t, c,
		layer.Config{ID: "ortho-2019", Title: "Aerial photographs of Köln"},
		layer.Config{ID: "ortho-2021", Title: "AERIAL PHOTOGRAPHS OF KÖLN", Abstract: "Summer flight"},
		layer.Config{ID: "dem", Attribution: "City of Köln"},
	)...)
	for words, want := range map[string][]string{
		"ortho": {"ortho-2019", "ortho-2021"}, "KÖLN": {"ortho-2019", "ortho-2021", "dem"}, "köln 2021": {"ortho-2021"}, "flight": {"ortho-2021"},
		"2019 flight": nil, "city": {"dem"}, "2021aerial": nil,
	} {
		page, ids := pageOf(t, c, layer.Selection{Words: strings.Fields(words)}, layer.PageRange{Limit: 10})
		if !slices.Equal(ids, want) || page.Total != len(want) {
			t.Errorf("%q finds %v of %d, want %v", words, ids, page.Total, want)
		}
	}
	page, ids := pageOf(t, c, layer.Selection{Words: []string{"köln"}}, layer.PageRange{Limit: 1, After: "ortho-2019"})
	if !slices.Equal(ids, []string{"ortho-2021"}) || page.Offset != 1 || page.Total != 3 {
		t.Errorf("the second page of a search is %v at %d of %d", ids, page.Offset, page.Total)
	}
	if _, ids := pageOf(t, c, layer.Selection{Words: []string{"flight"}}, layer.PageRange{Limit: 9, After: "ortho-2019"}); !slices.Equal(ids, []string{"ortho-2021"}) {
		t.Errorf("after a layer that does not match come %v", ids)
	}
}

// Layers are added and removed while a client reads page by page, including the last layers of
// pages that it has read.
func TestPagesHaveRemainingLayersOnce(t *testing.T) {
	const stay, passing, limit = 60, 60, 7
	c := layer.NewCatalog(layer.CatalogConfig{})
	var staying, others []*layer.Layer
	for i := range max(stay, passing) {
		staying = append(staying, openLayers(t, c, layer.Config{ID: fmt.Sprintf("stays-%d", i)})...)
		others = append(others, openLayers(t, c, layer.Config{ID: fmt.Sprintf("passes-%d", i)})...)
	}
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		shuffle := func() {
			var list []*layer.Layer
			for i, l := range staying {
				if random.IntN(2) == 0 {
					list = append(list, others[i])
				}
				list = append(list, l)
			}
			mustServe(t, c, list...)
		}
		met := make(map[string]int)
		shuffle()
		for after, isLast := "", false; !isLast; {
			page, ids := pageOf(t, c, layer.Selection{}, layer.PageRange{Limit: limit, After: after})
			for _, id := range ids {
				met[id]++
			}
			if isLast = page.IsLast(); !isLast {
				after = ids[len(ids)-1]
			}
			shuffle()
		}
		for i := range stay {
			if id := fmt.Sprintf("stays-%d", i); met[id] != 1 {
				t.Fatalf("seed %d: %s was listed %d times", seed, id, met[id])
			}
		}
	}
}

// A page continues after a layer even if all layers of the preceding page are removed.
func TestPagesContinueAfterRemovedLayers(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{})
	all := openLayers(t, c, layer.Config{ID: "a"}, layer.Config{ID: "b"}, layer.Config{ID: "c"}, layer.Config{ID: "d"})
	mustServe(t, c, all...)
	mustServe(t, c, all[1], all[2], all[3])
	mustServe(t, c, all[3])
	for after, want := range map[string][]string{"a": {"d"}, "b": {"d"}, "c": {"d"}, "d": nil} {
		if _, ids := pageOf(t, c, layer.Selection{}, layer.PageRange{Limit: 5, After: after}); !slices.Equal(ids, want) {
			t.Errorf("after %s come %v, want %v", after, ids, want)
		}
	}
	mustServe(t, c, all[3], all[1])
	if _, ids := pageOf(t, c, layer.Selection{}, layer.PageRange{Limit: 5, After: "c"}); !slices.Equal(ids, []string{"d", "b"}) {
		t.Errorf("after c come %v", ids)
	}
	if _, ids := pageOf(t, c, layer.Selection{}, layer.PageRange{Limit: 5, After: "b"}); ids != nil {
		t.Errorf("after b, which was added again, come %v", ids)
	}
}

// The cost of a page does not depend on the number of layers that are not on it.
func TestPagesOfManyLayersAllocateLittle(t *testing.T) {
	allocations := func(layers int) float64 {
		c := layer.NewCatalog(layer.CatalogConfig{})
		var configs []layer.Config
		for i := range layers {
			configs = append(configs, layer.Config{ID: fmt.Sprintf("l%05d", i)})
		}
		mustServe(t, c, openLayers(t, c, configs...)...)
		pageOf(t, c, layer.Selection{}, layer.PageRange{Limit: 5})
		return testing.AllocsPerRun(10, func() { pageOf(t, c, layer.Selection{}, layer.PageRange{Limit: 5, After: "l00007"}) })
	}
	if few, many := allocations(20), allocations(2000); many > few {
		t.Errorf("a page of five layers takes %.0f allocations among 20 layers and %.0f among 2000", few, many)
	}
}

// One request checks few files, and many requests check all of them.
func TestChecksOfManyLayersAreSpreadOverRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const layers = 2500
		c := layer.NewCatalog(layer.CatalogConfig{})
		checked := make(map[int]bool)
		var all []*layer.Layer
		for i := range layers {
			opened := 0
			config := gradientConfig(fmt.Sprintf("l%d", i), &opened)
			open := config.Open
			config.Open = func(ctx context.Context) (*layer.Dataset, error) {
				d, err := open(ctx)
				d.IsCurrent = func() bool { checked[i] = true; return true }
				return d, err
			}
			all = append(all, mustOpen(t, c, config))
		}
		mustServe(t, c, all...)
		time.Sleep(time.Minute)
		c.Refresh()
		if len(checked) != 1000 {
			t.Errorf("one request checks %d files", len(checked))
		}
		c.Refresh()
		c.Refresh()
		if len(checked) != layers {
			t.Errorf("three requests check %d files", len(checked))
		}
	})
}
