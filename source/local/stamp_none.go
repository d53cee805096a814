//go:build !unix

package local

import "io/fs"

// tagOf returns nothing: this platform has no inodes.
func tagOf(fs.FileInfo) string { return "" }
