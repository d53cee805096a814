//go:build !unix

package local

import "io/fs"

// tagOf returns nothing: this platform has no inodes.
func tagOf(fs.FileInfo) string { return "" }

// deviceOf returns nothing.
func deviceOf(fs.FileInfo) string { return "" }

// isStalled reports no error: this platform has no numbers for them that are known here.
func isStalled(error) bool { return false }
