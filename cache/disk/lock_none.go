//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd && !windows

package disk

import (
	"errors"
	"os"
)

// lockFile fails: this platform has no locks that end with the process.
func lockFile(*os.File) error { return errors.ErrUnsupported }
