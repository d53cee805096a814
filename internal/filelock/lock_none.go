//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd && !windows

package filelock

import (
	"errors"
	"os"
)

// Lock fails: this platform has no locks that end with the process.
func Lock(*os.File) error { return errors.ErrUnsupported }
