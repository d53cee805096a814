package source

import (
	"context"
	"errors"
	"io/fs"
	"time"
)

// Store is where objects lie: the file system of a machine, a bucket, a web server. An object has a
// path, in the notation of the store. Its methods are safe for concurrent use. A call ends soon after
// its context, even if what it asks does not answer. Errors have addresses as Redacted tells them.
type Store interface {
	// Canonical returns a path that is equal for all spellings of a path.
	Canonical(path string) string

	// Storage names what a path lies on, such as a disk or a host: what fails and stalls as one. It
	// asks nobody. As long as the store does not know, each folder is a storage of its own.
	Storage(path string) string

	// Stat returns the state of what lies at a path, or fails with fs.ErrNotExist.
	Stat(ctx context.Context, path string) (State, error)

	// List returns what lies in a folder, in any order, without what lies in its folders. If it
	// fails, it may return a part. A folder that does not exist is fs.ErrNotExist.
	List(ctx context.Context, folder string) ([]Entry, error)

	// Open opens the current version of an object. It fails with fs.ErrNotExist if nothing lies
	// there, and with a NotObjectError if something else does.
	Open(ctx context.Context, path string) (Object, error)
}

// Entry is an object or a folder in a folder.
type Entry struct {
	Name     string
	Path     string
	IsFolder bool // false for a link, and for all that is neither a folder nor an object
}

// Object is an open version of an object in a store, with the siblings that were asked for. Its
// methods are safe for concurrent use.
type Object interface {
	Source

	// Sibling opens an object in the same folder by its name, or fails with fs.ErrNotExist.
	Sibling(ctx context.Context, name string) (Source, error)

	// IsCurrent reports whether opening the object again would give the same version, with the same
	// siblings. It must be cheap. The error says why that cannot be told; an object that is gone or
	// cannot be opened is not current.
	IsCurrent(ctx context.Context) (bool, error)

	// ChangedAt returns when the object, or a sibling that was asked for, was last changed, as far as the
	// store can tell. A younger one may still be written to.
	ChangedAt() time.Time

	// Settle waits until the next version of the object, with its siblings, is complete. It fails with
	// fs.ErrNotExist if nothing lies at the path, and with ErrChanged if the writing does not end.
	Settle(ctx context.Context) error

	// Identity identifies the content of the object among all that the machine has seen. It is
	// stricter than Version, which is equal for copies of a file: what is stored on disk for later
	// belongs to an Identity. It is empty if the store cannot tell contents apart for sure, as with a
	// weak ETag: then nothing of the object is stored.
	Identity(ctx context.Context) (string, error)
}

// State is what a store knows of an object without reading it. The zero State stands for an object
// that does not exist.
type State struct {
	Stamp
	Mode fs.FileMode // what lies there, and who may read it
}

// Stamp tells versions of an object apart: equal Stamps mean the same version.
type Stamp struct {
	Size     int64
	Modified int64  // in Unix nanoseconds
	Tag      string // what else the store knows, such as an ETag or the number of a file
}

// IsComplete reports whether the writing of an object has ended, as far as can be told: its state
// is as it was earlier, or, if it was not looked at earlier, its last change was quiet before asked.
// The caller takes the time before it asks for the state, since it may be delayed in between, and
// looks again after quiet. A change in the future counts as recent: the clock of the machine that
// writes may be wrong.
func (s State) IsComplete(earlier *State, quiet time.Duration, asked time.Time) bool {
	if earlier != nil {
		return s == *earlier
	}
	return s != State{} && asked.Sub(time.Unix(0, s.Modified)) >= quiet
}

// NotObjectError reports that something other than an object lies at a path: a folder, a device, a
// pipe or a socket.
type NotObjectError struct {
	Path string
	Mode fs.FileMode
}

func (e NotObjectError) Error() string {
	return "source: not a regular file: " + e.Path + " (" + e.Mode.Type().String() + ")"
}

// Kind names what lies at the path, with its article.
func (e NotObjectError) Kind() string {
	switch {
	case e.Mode.IsDir():
		return "a folder"
	case e.Mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case e.Mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// IsNotObject reports whether an error is a NotObjectError.
func IsNotObject(err error) bool { return errors.As(err, new(NotObjectError)) }
