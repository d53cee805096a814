// Package filelock locks files against other processes. The lock of a file ends when the file is closed,
// also by the death of the process, so nobody has to clean up after it. It owns no file, and must never
// know what a file is for.
package filelock

import "errors"

// ErrLocked means that another process, or another part of this one, has locked the file.
var ErrLocked = errors.New("the file is locked")
