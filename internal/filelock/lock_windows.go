package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// behindContent is where the byte lies that is locked, in units of 4 GiB: a locked byte cannot be read.
const behindContent = 1 << 30

// Lock locks a file, or fails with ErrLocked. The lock ends when the file is closed.
func Lock(file *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: behindContent})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return os.NewSyscallError("LockFileEx", err)
}
