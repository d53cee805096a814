// Package empty parses the answer to requests for empty tiles. Package http/request calls it for a
// parameter, and the configuration for a key, which so needs no handlers. It must never know a
// request.
package empty

import (
	"fmt"

	"tileserver/layer"
)

// Parse parses blank, or the status 204 or 404. An empty text gives layer.EmptyUnset.
func Parse(text string) (layer.EmptyAnswer, error) {
	switch text {
	case "":
		return layer.EmptyUnset, nil
	case "blank":
		return layer.EmptyBlank, nil
	case "204":
		return layer.EmptyNothing, nil
	case "404":
		return layer.EmptyNotFound, nil
	}
	return layer.EmptyUnset, fmt.Errorf("unknown answer %q for empty tiles; use blank, 204 or 404", text)
}
