package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// The ways in which files are replaced, which begin the ids of their layers.
const (
	renamed = "renamed" // another file is renamed to it
	written = "written" // in place, with pauses
)

// changing is a file that is replaced again and again.
type changing struct {
	id, way, path string
	versions      [][]byte

	mu      sync.Mutex
	excused []span // in which a writer paused for too long to be recognized
}

// idOf returns the layer of a version on the quiet server.
func (c *changing) idOf(version int) string { return fmt.Sprint(c.id, "-v", version) }

// span is a time.
type span struct{ from, to time.Time }

func (s span) overlaps(o span) bool { return !s.to.Before(o.from) && !o.to.Before(s.from) }

// isExcused reports whether answers of a time may be mixtures.
func (c *changing) isExcused(during span) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.excused {
		if s.overlaps(during) {
			return true
		}
	}
	return false
}

// change changes files until ctx ends, and reloads the configuration each minute.
func (w *world) change(ctx context.Context, server *server, t *traffic) {
	var all sync.WaitGroup
	for _, c := range w.changed {
		all.Go(func() {
			for version := 1; wait(ctx, 5*time.Second+rand.N(20*time.Second)); version++ {
				if err := c.replace(ctx, c.versions[version%len(c.versions)]); err != nil {
					t.complain("%s: %v", c.id, err)
				}
			}
		})
	}
	for i := range w.coming {
		all.Go(func() {
			for wait(ctx, 10*time.Second+rand.N(40*time.Second)) {
				if err := w.comeOrGo(i); err != nil {
					t.complain("%s: %v", comingLayer(i), err)
				}
			}
		})
	}
	all.Go(func() {
		for wait(ctx, time.Minute) {
			server.reload()
		}
	})
	all.Wait()
}

// wait returns false if ctx ends before the time is over.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

func (w *world) comeOrGo(i int) error {
	path := filepath.Join(w.folder, changingFolder, comingLayer(i)+".tif")
	if err := os.Remove(path); err == nil || !os.IsNotExist(err) {
		return err
	}
	return renameTo(path, w.coming[i])
}

// renameTo replaces a file atomically.
func renameTo(path string, data []byte) error {
	next := filepath.Join(filepath.Dir(path), "."+filepath.Base(path))
	if err := os.WriteFile(next, data, 0o644); err != nil {
		return err
	}
	return os.Rename(next, path)
}

func (c *changing) replace(ctx context.Context, data []byte) error {
	if c.way == renamed {
		return renameTo(c.path, data)
	}
	return c.writeOver(ctx, data)
}

const (
	// longestPause is how long a writer may pause without being taken for having ended.
	longestPause = 1500 * time.Millisecond

	// noticing is how long after a change its consequences may be seen.
	noticing = 30 * time.Second
)

// writeOver overwrites the file piece by piece with pauses, also if ctx ends meanwhile.
func (c *changing) writeOver(ctx context.Context, data []byte) error {
	f, err := os.OpenFile(c.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	const pieces = 8
	began, last := time.Now(), time.Now()
	for i := range pieces {
		if longestPause < time.Since(last) {
			defer func() { c.excuse(span{began, time.Now().Add(noticing)}) }()
		}
		last = time.Now()
		from, to := i*len(data)/pieces, (i+1)*len(data)/pieces
		if _, err := f.WriteAt(data[from:to], int64(from)); err != nil {
			return err
		}
		wait(ctx, 50*time.Millisecond+rand.N(800*time.Millisecond))
	}
	return nil
}

func (c *changing) excuse(s span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.excused = append(c.excused, s)
}
