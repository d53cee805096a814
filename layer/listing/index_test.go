package listing_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tileserver/layer/listing"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// An item is a layer with a title and an image.
type item struct {
	id, title string
	image     raster.Provider
}

func (i item) ID() string { return i.id }

func items(ids ...string) (all []item) {
	for _, id := range ids {
		all = append(all, item{id: id})
	}
	return all
}

var anyImage = square(100)

func square(side int) *rastertest.Synthetic {
	return &rastertest.Synthetic{Name: "square", Has: rastertest.Flat(raster.Uint8, side, side, 1, 256, 256)}
}

// A site serves lists, one after the other.
type site struct {
	list  *listing.List[item]
	index *listing.Index[item]
}

func newSite(t testing.TB, layers ...item) *site {
	s := &site{list: new(listing.List[item])}
	s.serve(t, layers...)
	return s
}

func (s *site) serve(t testing.TB, layers ...item) {
	t.Helper()
	next, err := listing.New(layers, s.list)
	if err != nil {
		t.Fatal(err)
	}
	s.list = next
	s.index = listing.NewIndex(next, time.Time{}, func(i item) listing.Entry {
		image := i.image
		if image == nil {
			image = anyImage
		}
		return listing.Entry{Text: listing.SearchText(i.id, i.title), Image: image, IsPlaced: strings.HasPrefix(i.id, "placed")}
	})
}

func (s *site) page(t testing.TB, selection listing.Selection, r listing.Range) (listing.Page[item], []string) {
	t.Helper()
	page, ok := s.index.Page(selection, r)
	if !ok {
		t.Fatalf("there is no layer %q", r.After)
	}
	var ids []string
	for _, i := range page.Layers {
		ids = append(ids, i.id)
	}
	return page, ids
}

func TestIDsAreUnique(t *testing.T) {
	if _, err := listing.New(items("a", "b", "a"), new(listing.List[item])); err == nil || err.Error() != `duplicate layer id "a"` {
		t.Errorf("the error is %v", err)
	}
}

func TestSelectionsByPlacement(t *testing.T) {
	s := newSite(t, items("placed-1", "scan", "placed-2")...)
	for placement, want := range map[listing.Placement]string{
		listing.AnyPlacement: "[placed-1 scan placed-2]", listing.Placed: "[placed-1 placed-2]", listing.Unplaced: "[scan]",
	} {
		if _, ids := s.page(t, listing.Selection{Placement: placement}, listing.Range{Limit: 9}); fmt.Sprint(ids) != want {
			t.Errorf("%v: %v, want %s", placement, ids, want)
		}
	}
}

func TestPagesAreInTheOrderOfTheLayers(t *testing.T) {
	s := newSite(t, items("z", "a", "m", "b", "y")...)
	for _, test := range []struct {
		asked  listing.Range
		want   []string
		offset int
		last   bool
	}{
		{listing.Range{Limit: 2}, []string{"z", "a"}, 0, false},
		{listing.Range{Limit: 2, After: "a"}, []string{"m", "b"}, 2, false},
		{listing.Range{Limit: 2, After: "b"}, []string{"y"}, 4, true},
		{listing.Range{Limit: 2, After: "y"}, nil, 5, true},
		{listing.Range{Limit: 2, Offset: 3}, []string{"b", "y"}, 3, true},
		{listing.Range{Limit: 2, Offset: 99}, nil, 5, true},
		{listing.Range{Limit: 1 << 40}, []string{"z", "a", "m", "b", "y"}, 0, true},
	} {
		page, ids := s.page(t, listing.Selection{}, test.asked)
		if !slices.Equal(ids, test.want) || page.Offset != test.offset || page.IsLast() != test.last || page.Total != 5 {
			t.Errorf("%+v: %v at %d of %d, the last: %t", test.asked, ids, page.Offset, page.Total, page.IsLast())
		}
	}
	if page, ok := s.index.Page(listing.Selection{}, listing.Range{Limit: 2, After: "none"}); ok {
		t.Errorf("after an unknown layer: %+v", page)
	}
}

func TestSearchFindsAllWordsInAnyCase(t *testing.T) {
	s := newSite(t,
		item{id: "ortho-2019", title: "Aerial photographs of Köln"},
		item{id: "ortho-2021", title: "AERIAL PHOTOGRAPHS OF KÖLN, Summer flight"},
		item{id: "dem", title: "City of Köln"},
	)
	for words, want := range map[string][]string{
		"ortho": {"ortho-2019", "ortho-2021"}, "KÖLN": {"ortho-2019", "ortho-2021", "dem"}, "köln 2021": {"ortho-2021"}, "flight": {"ortho-2021"},
		"2019 flight": nil, "city": {"dem"}, "2021aerial": nil,
	} {
		page, ids := s.page(t, listing.Selection{Words: strings.Fields(words)}, listing.Range{Limit: 10})
		if !slices.Equal(ids, want) || page.Total != len(want) {
			t.Errorf("%q finds %v of %d, want %v", words, ids, page.Total, want)
		}
	}
	page, ids := s.page(t, listing.Selection{Words: []string{"köln"}}, listing.Range{Limit: 1, After: "ortho-2019"})
	if !slices.Equal(ids, []string{"ortho-2021"}) || page.Offset != 1 || page.Total != 3 {
		t.Errorf("the second page of a search is %v at %d of %d", ids, page.Offset, page.Total)
	}
	if _, ids := s.page(t, listing.Selection{Words: []string{"flight"}}, listing.Range{Limit: 9, After: "ortho-2019"}); !slices.Equal(ids, []string{"ortho-2021"}) {
		t.Errorf("after a layer that does not match come %v", ids)
	}
}

// Layers are added and removed while a client reads page by page, including the last layers of
// pages that it has read.
func TestPagesHaveRemainingLayersOnce(t *testing.T) {
	const stay, passing, limit = 60, 60, 7
	s := newSite(t)
	var staying, others []item
	for i := range max(stay, passing) {
		staying = append(staying, item{id: fmt.Sprintf("stays-%d", i)})
		others = append(others, item{id: fmt.Sprintf("passes-%d", i)})
	}
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		shuffle := func() {
			var list []item
			for i, l := range staying {
				if random.IntN(2) == 0 {
					list = append(list, others[i])
				}
				list = append(list, l)
			}
			s.serve(t, list...)
		}
		met := make(map[string]int)
		shuffle()
		for after, isLast := "", false; !isLast; {
			page, ids := s.page(t, listing.Selection{}, listing.Range{Limit: limit, After: after})
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
	all := items("a", "b", "c", "d")
	s := newSite(t, all...)
	s.serve(t, all[1], all[2], all[3])
	s.serve(t, all[3])
	for after, want := range map[string][]string{"a": {"d"}, "b": {"d"}, "c": {"d"}, "d": nil} {
		if _, ids := s.page(t, listing.Selection{}, listing.Range{Limit: 5, After: after}); !slices.Equal(ids, want) {
			t.Errorf("after %s come %v, want %v", after, ids, want)
		}
	}
	s.serve(t, all[3], all[1])
	if _, ids := s.page(t, listing.Selection{}, listing.Range{Limit: 5, After: "c"}); !slices.Equal(ids, []string{"d", "b"}) {
		t.Errorf("after c come %v", ids)
	}
	if _, ids := s.page(t, listing.Selection{}, listing.Range{Limit: 5, After: "b"}); ids != nil {
		t.Errorf("after b, which was added again, come %v", ids)
	}
}

// The cost of a page does not depend on the number of layers that are not on it.
func TestPagesOfManyLayersAllocateLittle(t *testing.T) {
	allocations := func(layers int) float64 {
		var all []item
		for i := range layers {
			all = append(all, item{id: fmt.Sprintf("l%05d", i)})
		}
		s := newSite(t, all...)
		return testing.AllocsPerRun(10, func() { s.page(t, listing.Selection{}, listing.Range{Limit: 5, After: "l00007"}) })
	}
	if few, many := allocations(20), allocations(2000); many > few {
		t.Errorf("a page of five layers takes %.0f allocations among 20 layers and %.0f among 2000", few, many)
	}
}

// An emptyProvider is an image without stored blocks.
type emptyProvider struct{ *rastertest.Synthetic }

func (emptyProvider) Empty(context.Context, int, raster.Rect) (bool, error) { return true, nil }

func TestBlankLayerIsNotShownFirst(t *testing.T) {
	if got := newSite(t).index.StartID(); got != "" {
		t.Errorf("without layers the first is %q", got)
	}
	void := item{id: "void", image: emptyProvider{square(2000)}}
	if got := newSite(t, void).index.StartID(); got != "void" {
		t.Errorf("the only layer is %q", got)
	}
	s := newSite(t, void, item{id: "small", image: square(100)}, item{id: "large", image: square(500)}, item{id: "abyss", image: emptyProvider{square(3000)}})
	if got := s.index.StartID(); got != "large" {
		t.Errorf("the first is %q, not the largest with pixels", got)
	}
}
