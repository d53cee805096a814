package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"tileserver/source"
	"tileserver/source/ranges"
)

// File is a file on disk, in the state in which it was opened. A file that replaces it by renaming
// does not affect it. Writing to the file makes reads fail with source.ErrChanged. A change that
// keeps size and modification time goes unnoticed.
type File struct {
	path     string
	file     *os.File
	opened   fs.FileInfo
	version  string
	reader   *ranges.Reader
	siblings *siblings
}

var _ source.Object = (*File)(nil)

// Open opens the regular file at path, or the one that a link at path leads to.
func Open(path string, options ranges.Options) (*File, error) {
	filled, err := options.WithDefaults()
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
	f, err := newFile(path, file, filled)
	if err != nil {
		file.Close()
		return nil, err
	}
	f.siblings = newSiblings(path, options)
	return f, nil
}

func newFile(path string, file *os.File, options ranges.Options) (*File, error) {
	info, err := statAfterClockTick(file)
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	if err := checkRegular(path, info); err != nil {
		return nil, err
	}
	f := &File{path: path, file: file, opened: info, version: versionOf(info)}
	f.reader = ranges.NewReader(info.Size(), options, f.readAt)
	return f, nil
}

func checkRegular(path string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return source.NotObjectError{Path: path, Mode: info.Mode()}
	}
	return nil
}

// versionOf combines the size and the modification time. Replicas that each hold a copy of a file,
// with its modification time, then serve the same ETags. But a file that replaces another one of
// the same size and time has the old version.
func versionOf(info fs.FileInfo) string {
	modified := info.ModTime()
	return fmt.Sprintf("%x-%x.%x", info.Size(), modified.Unix(), modified.Nanosecond())
}

// Name returns the path given to Open.
func (f *File) Name() string { return f.path }

// Version changes with the size and the modification time of the file.
func (f *File) Version() string { return f.version }

// Sibling opens a file in the same folder by its name.
func (f *File) Sibling(ctx context.Context, name string) (source.Source, error) {
	return f.siblings.open(ctx, name)
}

// IsCurrent reports whether the path still leads to the opened file, unchanged, and whether every
// name that was asked of Sibling still leads to the same file, or still to none. A file that another
// one replaced is not current, although it can still be read.
func (f *File) IsCurrent() bool {
	now, err := os.Stat(f.path)
	return err == nil && isSame(now, f.opened) && f.siblings.isCurrent()
}

// Size returns the length of the file at opening.
func (f *File) Size() int64 { return f.opened.Size() }

// ReadRanges reads ranges as the options say. A running disk read cannot be interrupted, so a call
// that needs a single read returns only after it.
func (f *File) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	parts, err := f.reader.ReadRanges(ctx, ranges)
	if err == nil || errors.Is(err, source.ErrShortRead) {
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
		return source.ErrChanged
	}
	return nil
}

func (f *File) readAt(_ context.Context, dst []byte, offset int64) error {
	n, err := f.file.ReadAt(dst, offset)
	if n == len(dst) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: %d of %d bytes at offset %d", source.ErrShortRead, n, len(dst), offset)
	}
	return err
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
