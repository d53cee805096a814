//go:build unix

package local

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"
)

// tagOf returns the device and the inode of a file, which tell it from a file that replaced it.
func tagOf(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%x-%x", stat.Dev, stat.Ino)
}

// deviceOf returns the device that a file lies on, or nothing if it is unknown.
func deviceOf(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%x", stat.Dev)
}

// isStalled reports whether an error means that a file system has lost its server.
func isStalled(err error) bool {
	number := syscall.Errno(0)
	return errors.As(err, &number) && slices.Contains([]syscall.Errno{
		syscall.ETIMEDOUT, syscall.EHOSTDOWN, syscall.EHOSTUNREACH, syscall.ENETDOWN, syscall.ENETUNREACH,
		syscall.ENOTCONN, syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.ECONNABORTED,
	}, number)
}
