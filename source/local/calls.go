package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

	"tileserver/internal/oscall"
	"tileserver/source"
)

// Calls makes calls of the operating system for callers that do not wait for a file system that
// hangs. A nil Calls makes them in the caller's goroutine.
//
// It also knows where devices are mounted, and learns which folders lie on the same one.
type Calls struct {
	mu      sync.Mutex // guards the fields below
	threads map[string]*oscall.Threads
	folders map[string]string // the device of each folder that is known
	devices map[string]string // the name of each device: where it is mounted, or the first folder seen on it

	mounts *mounts
}

// NewCalls returns Calls that know no device.
func NewCalls() *Calls {
	return &Calls{threads: make(map[string]*oscall.Threads), folders: make(map[string]string), devices: make(map[string]string), mounts: newMounts()}
}

const (
	// maxCalls is how many calls of one device run at a time, each in a thread of the system. A
	// hanging device holds as many.
	maxCalls = 64

	// maxFolders bounds the folders whose device is remembered.
	maxFolders = 1 << 14
)

// of returns the threads of a storage.
func (c *Calls) of(storage string) *oscall.Threads {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.threads[storage]
	if !ok {
		if len(c.threads) >= maxFolders {
			clear(c.threads) // running calls keep theirs
		}
		t = oscall.NewThreads(maxCalls)
		c.threads[storage] = t
	}
	return t
}

// Hanging returns how many calls of a storage go on although their callers have left.
func (c *Calls) Hanging(storage string) int { return c.of(storage).Hanging() }

// run makes a call of the system for a path of a storage. It returns with the error of ctx when that
// ends; then nobody gets what the call returns.
func run[T any](ctx context.Context, c *Calls, storage string, call func() (T, error)) (T, error) {
	if c == nil {
		return oscall.Make(ctx, nil, call)
	}
	value, err := oscall.Make(ctx, c.of(storage), call)
	return value, named(err)
}

// named adds source.ErrStalled to the errors of a file system that hangs, or has lost its server.
func named(err error) error {
	if err == nil {
		return nil
	}
	if hanging := new(oscall.HangingError); !errors.As(err, &hanging) && !isStalled(err) {
		return err
	}
	return fmt.Errorf("%w: %w", source.ErrStalled, err)
}

// learn remembers which device a folder lies on, from the state of the folder or of a file in it.
func (c *Calls) learn(path string, info fs.FileInfo) {
	if c == nil {
		return
	}
	device := deviceOf(info)
	if device == "" {
		return
	}
	folder := path
	if !info.IsDir() {
		folder = filepath.Dir(path)
	}
	name, isMounted := c.mounts.above(folder)
	if !isMounted {
		name = folder
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.folders) >= maxFolders {
		clear(c.folders)
	}
	c.folders[folder] = device
	if _, ok := c.devices[device]; !ok {
		c.devices[device] = name
	}
}

// storageOf returns the name of the device of a path: that of the nearest known folder above it on
// the same mount. If none is known, it is where the path is mounted, or else the folder of the path.
func (c *Calls) storageOf(path string) string {
	if c == nil {
		return filepath.Dir(path)
	}
	mounted, isMounted := c.mounts.above(path)
	c.mu.Lock()
	defer c.mu.Unlock()
	for folder := path; ; folder = filepath.Dir(folder) {
		if device, ok := c.folders[folder]; ok {
			return c.devices[device]
		}
		switch {
		case isMounted && folder == mounted:
			return mounted
		case folder == filepath.Dir(folder):
			return filepath.Dir(path)
		}
	}
}
