package disk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"
)

// shelf is a folder of values within a bound of bytes, and what is known of it. Values are read and
// written in calls of the storage. Each call ends its own records, since its caller may have left.
type shelf struct {
	system    system
	storage   *Storage
	folder    string
	maxBytes  int64
	hasGroups bool  // whether values lie in folders of groups; otherwise each is alone
	lock      *Lock // keeps other processes away; nil if they may use the folder, too
	mayLose   bool  // values may be lost with the power

	mu       sync.Mutex // guards the fields below, but no file
	known    inventory
	isListed bool            // whether a scan has ended
	doomed   map[string]bool // units that are forgotten; whether their files are being removed now
	removing chan error      // is closed when the running removal ends; nil if none runs

	evicted, damaged int64 // units that had to make room, and files
}

// scanTimeout is how long a server that starts waits until it knows which groups are in a folder. What it
// does not know of them counts as not stored.
const scanTimeout = 30 * time.Second

// open makes the folder, checks that it is writable, so that a mistake shows at the start, and finds
// out what is in it. If the storage does not answer, that is no error; all this happens once it does.
func (s *shelf) open() error {
	s.known.units, s.doomed = make(map[string]*unit), make(map[string]bool)
	scanned := make(chan error, 1)
	err := beginning(s.storage, func() error {
		if err := s.make(); err != nil {
			return fmt.Errorf("cache folder: %w", err)
		}
		go func() { scanned <- s.scan() }() // a large folder takes longer than one call may
		return nil
	})
	switch {
	case isUnanswered(err):
		return nil
	case err != nil:
		return err
	}
	return s.await(context.Background(), scanTimeout, scanned)
}

// await waits as the function does, if there are groups. Values that are alone are found before they are
// listed, and many are removed at a time, while a request may wait to store another. So nobody waits for
// that on a storage that may be given up.
func (s *shelf) await(ctx context.Context, limit time.Duration, ended <-chan error) error {
	if !s.hasGroups && s.storage != nil {
		return nil
	}
	return await(ctx, s.storage, limit, ended)
}

func (s *shelf) make() error {
	if err := s.system.MkdirAll(s.folder); err != nil {
		return err
	}
	f, err := s.system.Create(s.folder, unfinished)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), s.system.Remove(f.Name()))
}

func (s *shelf) path(at place) string {
	if s.hasGroups {
		return filepath.Join(s.folder, at.unit, at.file)
	}
	return filepath.Join(s.folder, at.file)
}

// read returns the value of a key. One that is gone or damaged is forgotten, and its file removed. Any
// other error may pass.
func (s *shelf) read(at place, key string, content *bytes.Buffer) ([]byte, error) {
	path := s.path(at)
	value, err := read(s.system, path, key, content)
	switch {
	case err == nil:
		s.use(at, int64(overheadBytes+len(key)+len(value)))
	case isGone(err):
		s.forget(at)
	case errors.Is(err, errDamaged):
		s.forgetDamaged(at)
		err = errors.Join(err, ignoreGone(s.system.Remove(path)))
	}
	return value, err
}

// touchInterval is how often the time of a file or a folder is set while it is used. Other processes
// see it.
const touchInterval = time.Hour

// use records that a value was read, which another process may have written.
func (s *shelf) use(at place, bytes int64) {
	if s.isTouchDue(at, bytes) {
		now := time.Now()
		_ = s.system.Touch(filepath.Join(s.folder, at.unit), now) // the order of removal is only a guess then
	}
}

func (s *shelf) isTouchDue(at place, bytes int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.known.contains(at) {
		if s.hasGroups {
			return false // the group was removed meanwhile
		}
		s.known.set(at, bytes)
	}
	own, now := s.known.at(at), time.Now()
	own.used = now
	isDue := now.Sub(own.touched) > touchInterval
	if isDue {
		own.touched = now
	}
	return isDue
}

// contains reports whether there is a value at a place, as far as is known.
func (s *shelf) contains(at place) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known.contains(at)
}

// mayHave reports whether there may be a value at a place that can be read now. If no other process uses the
// folder, that is known as soon as it was listed.
func (s *shelf) mayHave(at place) bool {
	if s.lock == nil {
		return s.storage.isAsked()
	}
	s.mu.Lock()
	mayHave := !s.isListed || s.known.contains(at)
	s.mu.Unlock()
	return mayHave && s.storage.isAsked()
}

func (s *shelf) forgetDamaged(at place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known.forget(at)
	s.damaged++
}

func (s *shelf) forget(at place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known.forget(at)
}

// errNoSpace is the error for a value that would take more than its unit may have.
var errNoSpace = errors.New("there is no space for the value")

// errBeingRemoved is the error for a value of a unit whose files are still being removed.
var errBeingRemoved = errors.New("the files before the value are being removed")

// IsFailure reports whether an error of Put means that the folder can store no values. Otherwise there is no
// space for this value now, or the storage does not answer, which it tells itself.
func IsFailure(err error) bool {
	return err != nil && !isUnanswered(err) && !errors.Is(err, errNoSpace) && !errors.Is(err, errBeingRemoved)
}

// makeRoom removes other units, if a value does not fit in beside them, and what its own unit had before.
// A unit may have unitBytes. A whole group may take longer to remove than a call may; then the caller goes
// on meanwhile, as it does at once where values are alone.
func (s *shelf) makeRoom(ctx context.Context, at place, bytes, unitBytes int64) {
	if s.storage.isAsked() {
		names, isDoomed := s.inTheWay(at, bytes, unitBytes)
		s.discard(ctx, names, isDoomed)
	}
}

// inTheWay forgets the units that a value needs the room of, and returns them, and whether its own unit is
// doomed.
func (s *shelf) inTheWay(at place, bytes, unitBytes int64) (names []string, isDoomed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known.unitWith(at, bytes) > unitBytes {
		return nil, false // it is not written
	}
	names = s.superfluous(bytes-s.known.bytesAt(at), at.unit)
	return names, s.isDoomed(at.unit)
}

// superfluous forgets the units that some more bytes of another unit need the room of. The caller holds the lock.
func (s *shelf) superfluous(more int64, unit string) (names []string) {
	names = s.known.superfluous(s.maxBytes, s.spareBytes(), more, unit)
	s.evicted += int64(len(names))
	return names
}

// spareBytes returns how much room is made beyond what a value needs. There may be hundreds of thousands of
// values that are alone. Of groups there are few, and each is large.
func (s *shelf) spareBytes() int64 {
	if s.hasGroups {
		return 0
	}
	return s.maxBytes / 20
}

// write writes the content of a file. A unit may have unitBytes.
func (s *shelf) write(at place, content []byte, unitBytes int64) error {
	bytes := int64(len(content))
	err := s.begin(at, bytes, unitBytes)
	if err != nil {
		return err
	}
	path := s.path(at)
	if s.hasGroups {
		err = s.makeGroup(filepath.Dir(path))
	}
	if err == nil {
		err = write(s.system, path, content, s.mayLose)
	}
	s.end(at, bytes, err)
	return err
}

// makeGroup makes the folder of a group. It makes no folder above it: if those are gone, something else may
// be in their place, such as the empty folder that a disk was mounted on.
func (s *shelf) makeGroup(folder string) error {
	err := s.system.Mkdir(folder)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case isGone(err):
		return fmt.Errorf("the folder %s is gone", s.folder) // no group that another process removed
	}
	return err
}

// begin records that a value is being written.
func (s *shelf) begin(at place, bytes, unitBytes int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isScanDue() && s.known.beginScan() {
		go func() { _ = s.finishScan() }() // the next one is due soon
	}
	switch {
	case s.known.unitWith(at, bytes) > unitBytes:
		return errNoSpace
	case s.isDoomed(at.unit):
		return errBeingRemoved
	}
	own := s.known.at(at)
	own.used = time.Now()
	own.writing++
	return nil
}

// end records that a value was written, or could not be.
func (s *shelf) end(at place, bytes int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.known.units[at.unit]
	if own == nil {
		return // removed meanwhile
	}
	own.writing = max(own.writing-1, 0) // another unit of the name may have begun
	if err == nil {
		s.known.set(at, bytes)
		own.touched = time.Now()
	}
	s.known.dropEmpty(at.unit)
}
