//go:build unix

package source

import (
	"io/fs"
	"syscall"
)

// inodeOf returns the inode of a file.
func inodeOf(info fs.FileInfo) (inode uint64, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return uint64(stat.Ino), true
}
