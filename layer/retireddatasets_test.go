package layer_test

import (
	"context"
	"fmt"
	"testing"

	"tileserver/cache"
	"tileserver/layer"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// anyImage configures a layer whose dataset has a given key and identity.
func anyImage(id, key, identity string) layer.Config {
	return layer.Config{ID: id, Open: func(context.Context) (*layer.Dataset, error) {
		source := &rastertest.Synthetic{Name: key, Has: rastertest.Flat(raster.Uint8, 90, 60, 3, 32, 32)}
		source.Sample = func(_, _, x, _ int) (float64, bool) { return float64(x), true }
		return &layer.Dataset{Provider: source, Identity: identity, Close: func() error { return nil }}, nil
	}}
}

// The oldest records are dropped, but a different dataset never gets the pixels cached under its
// key. A dataset under a new key keeps that key.
func TestReturningLayerWhoseRecordWasDropped(t *testing.T) {
	for _, test := range []struct {
		name   string
		others int
		same   bool // whether the dataset is known to be the same
	}{
		{"recorded", 10, true},
		{"dropped", 5000, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20)})
			mustServe(t, c, mustOpen(t, c, anyImage("l", "l@1", "x")))
			first := mustPicture(t, c, previewOf(50)).Key
			others := make([]*layer.Layer, test.others)
			for i := range others {
				others[i] = mustOpen(t, c, anyImage(fmt.Sprint("other", i), fmt.Sprint("other@", i), "x"))
			}
			mustServe(t, c, others...)
			mustServe(t, c)
			for _, back := range []struct {
				key, identity string
				same          bool
			}{{"l@1", "x", test.same}, {"l@1", "y", false}} {
				l := mustOpen(t, c, anyImage("l", back.key, back.identity))
				mustServe(t, c, l)
				if same := mustPicture(t, c, previewOf(50)).Key == first; same != back.same {
					t.Errorf("with the identity %q it has the same key: %v", back.identity, same)
				}
			}
			checkNewVersionsKeepTheirKeys(t, c)
		})
	}
}

// checkNewVersionsKeepTheirKeys checks that new versions of a layer have the same keys as in
// another process. The filter may rekey a few of them: 1 of 512 of its bits is set, with a random
// seed per process.
func checkNewVersionsKeepTheirKeys(t *testing.T, c *layer.Catalog) {
	t.Helper()
	const versions, most = 8, 4
	fresh := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20)})
	others := 0
	for i := range versions {
		var tags []string
		for _, catalog := range []*layer.Catalog{c, fresh} {
			mustServe(t, catalog, mustOpen(t, catalog, anyImage("l", fmt.Sprint("l@", 2+i), "x")))
			tags = append(tags, mustPicture(t, catalog, previewOf(50)).Key)
		}
		if tags[0] != tags[1] {
			others++
		}
	}
	if others > most {
		t.Errorf("%d of %d new versions have other keys than in another process", others, versions)
	}
}

// If two datasets had one id in turn, either may return.
func TestReturningLayerThatReplacesAnother(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{Cache: cache.New(64 << 20)})
	mustServe(t, c, mustOpen(t, c, anyImage("l", "l@1", "x")))
	first := mustPicture(t, c, previewOf(50)).Key
	mustServe(t, c)
	mustServe(t, c, mustOpen(t, c, anyImage("l", "l@2", "x")))
	for _, identity := range []string{"x", "y"} {
		mustServe(t, c, mustOpen(t, c, anyImage("l", "l@1", identity)))
		if same := mustPicture(t, c, previewOf(50)).Key == first; same != (identity == "x") {
			t.Errorf("with the identity %q it has the same key: %v", identity, same)
		}
		mustServe(t, c, mustOpen(t, c, anyImage("l", "l@2", "x")))
	}
}
