package pyramid

import (
	"maps"
	"slices"
	"strings"

	"tileserver/decode/container"
	"tileserver/encode/cog"
)

// itemsOf returns the metadata of an image and its bands, sorted, without what the file says elsewhere.
func itemsOf(facts *container.Facts) (items []cog.Item) {
	add := func(band int, of container.Metadata) {
		for _, domain := range slices.Sorted(maps.Keys(of)) {
			for _, name := range slices.Sorted(maps.Keys(of[domain])) {
				if isKept(domain, name) {
					items = append(items, cog.Item{Band: band, Domain: domain, Name: name, Value: of[domain][name]})
				}
			}
		}
	}
	add(0, facts.Metadata)
	for i, band := range facts.BandInfo {
		add(i+1, band.Metadata)
	}
	return items
}

// isKept reports whether an item is not about how the input is stored, nor what GeoTIFF has tags for.
func isKept(domain, name string) bool {
	switch domain {
	case "IMAGE_STRUCTURE", "RPC", "DERIVED_SUBDATASETS", "SUBDATASETS", "TIFF":
		return false
	case "":
		return name != "AREA_OR_POINT"
	}
	return !strings.HasPrefix(domain, "xml:")
}
