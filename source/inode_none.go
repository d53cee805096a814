//go:build !unix

package source

import "io/fs"

// inodeOf has nothing to tell: this platform keeps no number in what it says of a file.
func inodeOf(fs.FileInfo) (inode uint64, ok bool) { return 0, false }
