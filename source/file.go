package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrNotRegular says that a path is a directory, a device, a pipe or a socket.
var ErrNotRegular = errors.New("source: not a regular file")

// File is a file on disk, as it was when it was opened. A file that is put in its place by renaming does not disturb it;
// a file that is written to does, and then reads fail with ErrChanged. What neither size nor modification time tell apart
// (a write after which somebody sets the time back) goes unnoticed.
type File struct {
	path     string
	file     *os.File
	opened   fs.FileInfo
	version  string
	gatherer *gatherer
}

var _ Source = (*File)(nil)

// OpenFile opens the regular file, or the link to one, at path.
func OpenFile(path string, options Options) (*File, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	// Asked before opening, since opening a pipe waits for a writer, and again after, since that may be another file.
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
	info, err := statOnceTimeTells(file)
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	if err := checkRegular(path, info); err != nil {
		return nil, err
	}
	f := &File{path: path, file: file, opened: info, version: fileVersion(info, options)}
	f.gatherer = newGatherer(info.Size(), options, f.readAt)
	return f, nil
}

func checkRegular(path string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s (%v)", ErrNotRegular, path, info.Mode().Type())
	}
	return nil
}

// fileVersion returns the size, the modification time and, where there is one, the inode.
func fileVersion(info fs.FileInfo, options Options) string {
	modified := info.ModTime()
	version := fmt.Sprintf("%x-%x.%x", info.Size(), modified.Unix(), modified.Nanosecond())
	if inode, ok := inodeOf(info); ok && !options.WithoutInode {
		version += fmt.Sprintf("-%x", inode)
	}
	return version
}

// Name returns the path that the file was opened by.
func (f *File) Name() string { return f.path }

// Version changes with the size, the modification time and, where the platform has one, the inode of the file.
func (f *File) Version() string { return f.version }

// IsCurrent reports whether the path still leads to what was opened. It does not if another file was put in its place, which
// reading goes on undisturbed by, nor if it was written to or is gone.
func (f *File) IsCurrent() bool {
	now, err := os.Stat(f.path)
	return err == nil && isSame(now, f.opened)
}

// Size returns the length of the file when it was opened.
func (f *File) Size() int64 { return f.opened.Size() }

// ReadRanges reads by the Options that the file was opened with. A read of the disk that is under way cannot be
// interrupted: a call that is one read returns only after it.
func (f *File) ReadRanges(ctx context.Context, ranges []Range) ([][]byte, error) {
	parts, err := f.gatherer.readRanges(ctx, ranges)
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

// checkUnchanged is asked after reading: what is the same then was the same while the bytes were read.
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
