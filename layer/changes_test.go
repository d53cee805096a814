package layer_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/layer"
	"tileserver/layer/listing"
)

func TestRefreshNoticesChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &changingDataset{version: 1}
		c := newChangingCatalog(t, source, nil)
		first := c.Refresh()
		time.Sleep(2 * time.Second)
		if again := c.Refresh(); !again.Equal(first) {
			t.Errorf("nothing has changed, at %v", again)
		}
		source.set(func() { source.version = 2 })
		time.Sleep(2 * time.Second)
		if again := c.Refresh(); !again.After(first) {
			t.Errorf("the next version is of %v, the first of %v", again, first)
		}
	})
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

func TestPageAfterAnUnknownLayer(t *testing.T) {
	c := newCatalog(t, gradient(), nil)
	page, err := c.Page(listing.Selection{}, listing.Range{Limit: 2})
	if err != nil || len(page.Layers) != 1 || !page.ChangedAt.Equal(c.ChangedAt()) {
		t.Errorf("the first page is %+v, %v", page, err)
	}
	if _, err := c.Page(listing.Selection{}, listing.Range{Limit: 2, After: "none"}); codeOf(err) != layer.Invalid {
		t.Errorf("the error is %v", err)
	}
}
