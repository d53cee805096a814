//go:build !linux

package threadtime

import "time"

// ofThread says that the time of threads is not known here.
func ofThread() (thread int, used time.Duration) { return 0, 0 }
