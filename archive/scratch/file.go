// Package scratch keeps bytes for a while: in memory up to a bound, and in a temporary file beyond it.
//
// It must never know what the bytes mean.
package scratch

import (
	"errors"
	"io"
	"os"
	"slices"
)

// File is a file without a name, whose bytes lie in memory as long as they are few. It is not safe for
// concurrent use.
type File struct {
	folder      string
	memoryBytes int64
	memory      []byte
	size        int64
	file        *os.File // nil while all bytes are in memory
	isNamed     bool     // the system keeps the name of an open file
}

var _ interface {
	io.ReaderAt
	io.WriterAt
} = (*File)(nil)

// New returns an empty File with at most memoryBytes in memory. Beyond that it lies in a folder.
func New(folder string, memoryBytes int64) *File {
	return &File{folder: folder, memoryBytes: memoryBytes}
}

// ReadAt reads bytes, as io.ReaderAt.
func (f *File) ReadAt(p []byte, offset int64) (int, error) {
	if f.file != nil {
		return f.file.ReadAt(p, offset)
	}
	n := 0
	if offset < int64(len(f.memory)) {
		n = copy(p, f.memory[offset:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt writes bytes, as io.WriterAt. Bytes before them that were never written are zero.
func (f *File) WriteAt(p []byte, offset int64) (int, error) {
	if f.file != nil {
		f.size = max(f.size, offset+int64(len(p)))
		return f.file.WriteAt(p, offset)
	}
	if err := f.Grow(offset + int64(len(p))); err != nil {
		return 0, err
	}
	if f.file != nil { // it was too large for the memory
		return f.file.WriteAt(p, offset)
	}
	return copy(f.memory[offset:], p), nil
}

// Grow appends zeros, up to a size. It does nothing if the file is as large.
func (f *File) Grow(size int64) error {
	if f.file == nil && size > f.memoryBytes {
		if err := f.spill(); err != nil {
			return err
		}
	}
	if size <= f.size {
		return nil
	}
	if f.file != nil {
		if err := f.file.Truncate(size); err != nil {
			return err
		}
	} else {
		f.memory = slices.Grow(f.memory, int(size-f.size))[:size] // what lies behind the length is zero
	}
	f.size = size
	return nil
}

// spill moves the bytes to a temporary file. The system removes it when the process ends, if it removes the
// names of open files; otherwise Close does.
func (f *File) spill() error {
	file, err := os.CreateTemp(f.folder, ".scratch-*")
	if err != nil {
		return err
	}
	f.file, f.isNamed = file, os.Remove(file.Name()) != nil
	_, err = file.WriteAt(f.memory, 0)
	f.memory = nil
	return err
}

// Close gives up the bytes.
func (f *File) Close() error {
	f.memory, f.size = nil, 0
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	if f.isNamed {
		err = errors.Join(err, os.Remove(f.file.Name()))
	}
	f.file = nil
	return err
}

// Empty returns an empty File with the same folder and bound.
func (f *File) Empty() *File { return New(f.folder, f.memoryBytes) }
