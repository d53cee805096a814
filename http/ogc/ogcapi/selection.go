package ogcapi

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// maxSelected bounds the collections in a request.
const maxSelected = 1000

// ParseSelection parses a comma-separated list of ids or addresses of collections, without repeated
// ones.
func (s Site) ParseSelection(text string) ([]string, error) {
	var ids []string
	for part := range strings.SplitSeq(text, ",") {
		id := strings.TrimSpace(part)
		if rest, ok := strings.CutPrefix(id, s.Root+collectionsPath+"/"); ok {
			rest, _, _ = strings.Cut(rest, "?")
			unescaped, err := url.PathUnescape(rest)
			if err != nil {
				return nil, fmt.Errorf("%w: collections: %q is no address", ErrQuery, id)
			}
			id = unescaped
		}
		switch {
		case id == "":
			return nil, fmt.Errorf("%w: collections must be ids with commas between them", ErrQuery)
		case slices.Contains(ids, id):
			continue
		case len(ids) == maxSelected:
			return nil, fmt.Errorf("%w: collections names more than %d", ErrQuery, maxSelected)
		}
		ids = append(ids, id)
	}
	return ids, nil
}
