package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrNotRegular means that a path is a directory, a device, a pipe or a socket.
var ErrNotRegular = errors.New("source: not a regular file")

// File is a file on disk, in the state in which it was opened. A file that replaces it by renaming
// does not affect it. Writing to the file makes reads fail with ErrChanged. A change that keeps
// size and modification time goes unnoticed.
type File struct {
	path        string
	file        *os.File
	opened      fs.FileInfo
	version     string
	rangeReader *rangeReader
}

var _ Source = (*File)(nil)

// OpenFile opens the regular file at path, or the one that a link at path leads to.
func OpenFile(path string, options Options) (*File, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	// Check before opening, since opening a pipe waits for a writer. Check again afterwards, since
	// the path may lead to another file by then.
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	if err := checkRegular(path, info); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	f, err := newFile(path, file, options)
	if err != nil {
		file.Close()
		return nil, err
	}
	return f, nil
}

func newFile(path string, file *os.File, options Options) (*File, error) {
	info, err := statAfterClockTick(file)
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	if err := checkRegular(path, info); err != nil {
		return nil, err
	}
	f := &File{path: path, file: file, opened: info, version: fileVersion(info, options)}
	f.rangeReader = newRangeReader(info.Size(), options, f.readAt)
	return f, nil
}

func checkRegular(path string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s (%v)", ErrNotRegular, path, info.Mode().Type())
	}
	return nil
}

// fileVersion combines the size, the modification time and, if the platform has one, the inode.
func fileVersion(info fs.FileInfo, options Options) string {
	modified := info.ModTime()
	version := fmt.Sprintf("%x-%x.%x", info.Size(), modified.Unix(), modified.Nanosecond())
	if inode, ok := inodeOf(info); ok && !options.WithoutInode {
		version += fmt.Sprintf("-%x", inode)
	}
	return version
}

// Name returns the path given to OpenFile.
func (f *File) Name() string { return f.path }

// Version changes with the size, the modification time and, if the platform has one, the inode of
// the file.
func (f *File) Version() string { return f.version }

// IsCurrent reports whether the path still leads to the opened file, unchanged. It is false if
// another file replaced it, although reads continue undisturbed, and if the file was written to or
// removed.
func (f *File) IsCurrent() bool {
	now, err := os.Stat(f.path)
	return err == nil && isSame(now, f.opened)
}

// Size returns the length of the file at opening.
func (f *File) Size() int64 { return f.opened.Size() }

// ReadRanges reads ranges as the Options say. A running disk read cannot be interrupted, so a call
// that needs a single read returns only after it.
func (f *File) ReadRanges(ctx context.Context, ranges []Range) ([][]byte, error) {
	parts, err := f.rangeReader.readRanges(ctx, ranges)
	if err == nil || errors.Is(err, ErrShortRead) {
		if changed := f.checkUnchanged(); changed != nil {
			err = changed
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.path, err)
	}
	return parts, nil
}

// checkUnchanged is called after reading: if the file is unchanged now, it was unchanged during the
// read.
func (f *File) checkUnchanged() error {
	now, err := f.file.Stat()
	if err != nil {
		return err
	}
	if now.Size() != f.opened.Size() || !now.ModTime().Equal(f.opened.ModTime()) {
		return ErrChanged
	}
	return nil
}

func (f *File) readAt(_ context.Context, dst []byte, offset int64) error {
	n, err := f.file.ReadAt(dst, offset)
	if n == len(dst) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: %d of %d bytes at offset %d", ErrShortRead, n, len(dst), offset)
	}
	return err
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
