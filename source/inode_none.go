//go:build !unix

package source

import "io/fs"

// inodeOf returns false: this platform has no inodes.
func inodeOf(fs.FileInfo) (inode uint64, ok bool) { return 0, false }
