//go:build !linux

package folder

import "os"

// syncFile writes a file to the disk.
func syncFile(file *os.File) error { return file.Sync() }

// syncAll does nothing: each file is on the disk.
func syncAll(*os.File) error { return nil }

// closeBeforeRenaming closes a folder, since not all systems rename folders that are open.
func closeBeforeRenaming(folder *os.File) error { return folder.Close() }
