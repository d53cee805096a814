package versions

import (
	"fmt"

	"tileserver/raster"
)

// A rekeyed provider has a distinct key. A changed dataset may have the key of the one before it,
// for example if its file has the same size and time. It must not find the cached pixels of that
// one.
type rekeyed struct {
	raster.Wrapper
	number int64
}

// Key returns the provider's key with the number appended.
func (r rekeyed) Key() string { return fmt.Sprintf("%s:again:%d", r.Provider.Key(), r.number) }
