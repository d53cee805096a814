package layer_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"tileserver/layer"
	"tileserver/layer/listing"
)

// offering offers layers a, b, … behind the served layer "served", and counts how often each is opened.
type offering struct {
	*layer.Catalog
	opened map[string]int
}

func newOffering(t *testing.T, ids ...string) *offering {
	t.Helper()
	o := &offering{layer.NewCatalog(layer.CatalogConfig{}), make(map[string]int)}
	mustServe(t, o.Catalog, mustOpen(t, o.Catalog, gradientConfig("served", new(int))))
	o.offer(t, "first", ids...)
	return o
}

func (o *offering) offer(t *testing.T, written string, ids ...string) {
	t.Helper()
	layers := make([]layer.Offered, len(ids))
	for i, id := range ids {
		layers[i] = layer.Offered{ID: id, Title: "The layer " + id}
	}
	if err := o.Offer(layer.Offers{Layers: layers, ConfigOf: o.config, Written: written}); err != nil {
		t.Fatal(err)
	}
}

func (o *offering) config(id string) layer.Config {
	config := gradientConfig(id, new(int))
	open := config.Open
	config.Open = func(ctx context.Context) (*layer.Dataset, error) {
		if id == "missing" {
			return nil, fs.ErrNotExist
		}
		o.opened[id]++
		return open(ctx)
	}
	return config
}

func (o *offering) find(t *testing.T, id string) {
	t.Helper()
	if l, err := o.Find(t.Context(), id); err != nil || l.ID() != id {
		t.Errorf("%s: %v", id, err)
	}
}

func TestAnOfferedLayerIsOpenedWhenItIsNamed(t *testing.T) {
	o := newOffering(t, "a", "b", "missing")
	if len(o.opened) != 0 {
		t.Errorf("opened %v before anybody asked", o.opened)
	}
	for range 3 {
		o.find(t, "a")
		o.find(t, "served")
	}
	if o.opened["a"] != 1 || o.opened["b"] != 0 {
		t.Errorf("opened %v", o.opened)
	}
	for id, code := range map[string]layer.Code{"missing": layer.NotFound, "nobody": layer.NotFound} {
		if _, err := o.Find(t.Context(), id); codeOf(err) != code {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestOfferedLayersStayOpenWhileTheyAreOfferedAlike(t *testing.T) {
	o := newOffering(t, "a", "b", "c")
	for _, id := range []string{"a", "b", "c"} {
		o.find(t, id)
	}
	o.offer(t, "first", "a", "c") // b is gone
	o.find(t, "a")
	if _, err := o.Find(t.Context(), "b"); codeOf(err) != layer.NotFound {
		t.Errorf("b: %v", err)
	}
	o.offer(t, "second", "a", "b") // with other settings
	o.find(t, "a")
	o.find(t, "b")
	if want := map[string]int{"a": 2, "b": 2, "c": 1}; fmt.Sprint(o.opened) != fmt.Sprint(want) {
		t.Errorf("opened %v, want %v", o.opened, want)
	}
}

func TestOffersHaveValidIDs(t *testing.T) {
	o := newOffering(t)
	for _, ids := range [][]string{{"a", "a"}, {"no id"}, {""}} {
		var layers []layer.Offered
		for _, id := range ids {
			layers = append(layers, layer.Offered{ID: id})
		}
		if err := o.Offer(layer.Offers{Layers: layers, ConfigOf: o.config}); err == nil {
			t.Errorf("%q are offered", ids)
		}
	}
}

// idsOf returns the ids of a page, and whether it is the last.
func idsOf(t *testing.T, o *offering, s listing.Selection, r listing.Range) (ids []string, page layer.Page) {
	t.Helper()
	page, err := o.Page(s, r)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range page.Layers {
		ids = append(ids, l.ID())
	}
	for _, l := range page.Offered {
		ids = append(ids, l.ID)
	}
	return ids, page
}

// Whatever the size of the pages, each layer is on one of them, in order.
func TestPagesHaveEachLayerOnce(t *testing.T) {
	var all []string
	for i := range 23 {
		all = append(all, fmt.Sprintf("l%02d", i))
	}
	o := newOffering(t, all...)
	want := append([]string{"served"}, all...)
	for limit := 1; limit <= 25; limit++ {
		var byID, byOffset []string
		for r := (listing.Range{Limit: limit}); ; {
			ids, page := idsOf(t, o, listing.Selection{}, r)
			if byID = append(byID, ids...); page.IsLast() {
				break
			}
			if page.Total != len(want) || page.Offset != len(byID)-len(ids) || len(ids) != limit {
				t.Fatalf("limit %d: page %v at %d of %d", limit, ids, page.Offset, page.Total)
			}
			r.After = page.Last()
		}
		for offset := 0; offset < len(want); offset += limit {
			ids, page := idsOf(t, o, listing.Selection{}, listing.Range{Limit: limit, Offset: offset})
			if byOffset = append(byOffset, ids...); page.Offset != offset {
				t.Errorf("limit %d: offset %d, want %d", limit, page.Offset, offset)
			}
		}
		if !slices.Equal(byID, want) || !slices.Equal(byOffset, want) {
			t.Errorf("limit %d: %v and %v", limit, byID, byOffset)
		}
	}
}

func TestSearchesFindOfferedLayers(t *testing.T) {
	o := newOffering(t, "ortho-2020", "ortho-2021", "dem-2021")
	for words, want := range map[string]string{"ortho": "ortho-2020 ortho-2021", "LAYER 2021": "ortho-2021 dem-2021", "served": "served", "none": ""} {
		ids, page := idsOf(t, o, listing.Selection{Words: strings.Fields(words)}, listing.Range{Limit: 9})
		if got := strings.Join(ids, " "); got != want || page.Total != len(ids) {
			t.Errorf("%q: %q of %d, want %q", words, got, page.Total, want)
		}
	}
	ids, _ := idsOf(t, o, listing.Selection{Words: []string{"ortho"}}, listing.Range{Limit: 9, After: "ortho-2020"})
	if !slices.Equal(ids, []string{"ortho-2021"}) {
		t.Errorf("after the first: %v", ids)
	}
	for placement, want := range map[listing.Placement]bool{listing.Placed: true, listing.Unplaced: false} {
		if ids, _ := idsOf(t, o, listing.Selection{Placement: placement}, listing.Range{Limit: 9}); slices.Contains(ids, "dem-2021") != want {
			t.Errorf("a search by place finds %v", ids)
		}
	}
	if _, err := o.Page(listing.Selection{}, listing.Range{Limit: 9, After: "gone"}); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after an unknown layer: %v", err)
	}
}

func TestTheFirstOfferedLayerIsShownFirst(t *testing.T) {
	o := &offering{layer.NewCatalog(layer.CatalogConfig{}), make(map[string]int)}
	o.offer(t, "", "a", "b")
	if id := o.StartLayerID(); id != "a" || len(o.opened) != 0 {
		t.Errorf("the start layer is %q, opened %v", id, o.opened)
	}
}
