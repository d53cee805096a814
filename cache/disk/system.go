package disk

import (
	"io"
	"io/fs"
	"os"
	"time"
)

// system is what a Store asks of the operating system. Tests let its calls fail.
type system interface {
	MkdirAll(folder string) error
	Mkdir(folder string) error
	Create(folder, pattern string) (writable, error)
	Open(path string) (fs.File, error)
	Rename(from, to string) error
	Remove(path string) error
	ReadDir(folder string) ([]fs.DirEntry, error)
	Touch(path string, now time.Time) error // sets the time of a change
}

// writable is a new file.
type writable interface {
	io.WriteCloser
	Name() string
	Sync() error
}

// operatingSystem is the file system of the machine.
type operatingSystem struct{}

func (operatingSystem) MkdirAll(folder string) error { return os.MkdirAll(folder, 0o755) }

func (operatingSystem) Mkdir(folder string) error { return os.Mkdir(folder, 0o755) }

func (operatingSystem) Create(folder, pattern string) (writable, error) {
	return os.CreateTemp(folder, pattern)
}

func (operatingSystem) Open(path string) (fs.File, error) { return os.Open(path) }

func (operatingSystem) Rename(from, to string) error { return os.Rename(from, to) }

func (operatingSystem) Remove(path string) error { return os.Remove(path) }

func (operatingSystem) Touch(path string, now time.Time) error { return os.Chtimes(path, now, now) }

func (operatingSystem) ReadDir(folder string) ([]fs.DirEntry, error) { return os.ReadDir(folder) }
