package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"tileserver/source"
	"tileserver/source/ranges"
)

// File is a file on disk, in the state in which it was opened. A file that replaces it by renaming
// does not affect it. Writing to the file makes reads fail with source.ErrChanged. A change that
// keeps size and modification time goes unnoticed.
type File struct {
	path     string
	file     *os.File
	raw      syscall.RawConn
	opened   fs.FileInfo
	version  string
	calls    *Calls
	storage  string
	mayWait  atomic.Bool // the file system may wait for a server at any call, even for what is in memory
	reader   *ranges.Reader
	siblings *siblings

	currentAt atomic.Int64 // when it was last seen to be current, in Unix nanoseconds
}

var _ source.Object = (*File)(nil)

// Open opens the regular file at path, or the one that a link at path leads to.
func Open(path string, options ranges.Options) (*File, error) {
	return Store{Options: options}.open(path)
}

func (s Store) open(path string) (*File, error) {
	filled, err := s.Options.WithDefaults()
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
	file, err := s.Links.open(path)
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	f, err := s.newFile(path, file, filled)
	if err != nil {
		file.Close()
		return nil, err
	}
	return f, nil
}

func (s Store) newFile(path string, file *os.File, options ranges.Options) (*File, error) {
	asked := time.Now()
	info, err := statAfterClockTick(file)
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	if err := checkRegular(path, info); err != nil {
		return nil, err
	}
	raw, err := file.SyscallConn()
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	s.Calls.learn(path, info)
	f := &File{
		path: path, file: file, raw: raw, opened: info, version: versionOf(info),
		calls: s.Calls, storage: s.Calls.storageOf(path), siblings: newSiblings(path, s),
	}
	f.currentAt.Store(asked.UnixNano())
	f.mayWait.Store(!readsMemory)
	f.reader = ranges.NewReader(info.Size(), options, f.readAt, f.readCached)
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
	return run(ctx, f.calls, f.storage, func() (source.Source, error) { return f.siblings.open(name) })
}

// IsCurrent reports whether the path still leads to the opened file, unchanged, and whether every
// name that was asked of Sibling still leads to the same file, or still to none. A file that another
// one replaced is not current, although it can still be read.
func (f *File) IsCurrent(ctx context.Context) (bool, error) {
	asked := time.Now()
	is, err := run(ctx, f.calls, f.storage, func() (bool, error) {
		now, err := os.Stat(f.path)
		if isStalled(err) {
			return false, err
		}
		return err == nil && isSame(now, f.opened) && f.siblings.isCurrent(), nil
	})
	if is {
		f.currentAt.Store(asked.UnixNano())
	}
	return is, err
}

// ChangedAt returns the latest modification time at opening of the file and of the siblings that were
// asked for. Overviews are written beside files that have not changed for years.
func (f *File) ChangedAt() time.Time {
	latest := f.opened.ModTime()
	for _, info := range f.siblings.known() {
		if modified := info.ModTime(); modified.After(latest) {
			latest = modified
		}
	}
	return latest
}

// Size returns the length of the file at opening.
func (f *File) Size() int64 { return f.opened.Size() }

// ReadRanges reads ranges as the options say.
func (f *File) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	parts, err := f.reader.ReadRanges(ctx, ranges)
	if err == nil || errors.Is(err, source.ErrShortRead) {
		if changed := f.checkUnchanged(ctx); changed != nil {
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
func (f *File) checkUnchanged(ctx context.Context) error {
	now, err := f.stat(ctx)
	if err != nil {
		return err
	}
	if now.Size() != f.opened.Size() || !now.ModTime().Equal(f.opened.ModTime()) {
		return source.ErrChanged
	}
	return nil
}

func (f *File) stat(ctx context.Context) (fs.FileInfo, error) {
	if f.calls == nil || !f.mayWait.Load() {
		return f.file.Stat()
	}
	return run(ctx, f.calls, f.storage, f.file.Stat)
}

const (
	// closePatience is how long Close waits. Some file systems ask their server when a file is closed.
	closePatience = 100 * time.Millisecond

	// hangingPatience is how long it waits while other calls of the storage hang.
	hangingPatience = time.Millisecond
)

// Close closes the file. If the storage hangs, Close fails soon, and the file is closed when the
// storage answers again, or with the process.
func (f *File) Close() error {
	if f.calls == nil {
		return f.file.Close()
	}
	patience := closePatience
	if f.calls.Hanging(f.storage) > 0 {
		patience = hangingPatience
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err := run(ctx, f.calls, f.storage, func() (struct{}, error) { return struct{}{}, f.file.Close() })
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: closing %s", source.ErrStalled, f.path)
	}
	return err
}
