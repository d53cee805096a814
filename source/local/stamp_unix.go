//go:build unix

package local

import (
	"fmt"
	"io/fs"
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
