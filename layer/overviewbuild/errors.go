package overviewbuild

import (
	"fmt"
	"time"
)

// A BusyError says to clients that overviews are not there yet, or are not built any more.
type BusyError struct {
	Message    string
	RetryAfter time.Duration // 0 means soon
}

func (e *BusyError) Error() string { return e.Message }

// quotaError returns the error for overviews beyond the quota of a layer.
func quotaError(layer string, wait time.Duration) *BusyError {
	return &BusyError{
		RetryAfter: max(wait, minRetryAfter),
		Message:    fmt.Sprintf("the overviews of layer %q are being built for %d other nodata values", layer, maxRequested),
	}
}

var (
	errStopping     = &BusyError{Message: "the server is stopping"}
	errLayerRemoved = &BusyError{Message: "the layer is being replaced or removed"}
)
