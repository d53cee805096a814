package overviewbuild

import "time"

// A BusyError says to clients that overviews are not there yet, or are not built any more.
type BusyError struct {
	Message    string
	RetryAfter time.Duration // 0 means soon
}

func (e *BusyError) Error() string { return e.Message }

var (
	errStopping     = &BusyError{Message: "the server is stopping"}
	errLayerRemoved = &BusyError{Message: "the layer is being replaced or removed"}
)
