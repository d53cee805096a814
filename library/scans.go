package library

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tileserver/source"
)

// scans list the files of served paths, each path in a goroutine of its own: a folder whose storage
// hangs delays no other. What takes long goes on, and its result is taken when it is there.
type scans struct {
	config  *Config
	running map[location]*scan
	fresh   []*scan                  // started since the last call of await
	again   []servedPath             // to scan once more, since their scans began too early
	free    map[string]chan struct{} // has room for the scans of a storage at a time
	ended   chan struct{}            // has an element after a scan has ended
}

// scan is a scan of a path. Once done is closed, found and took are fixed.
type scan struct {
	done  chan struct{}
	found folderScan
	took  time.Duration
}

const (
	// scanPatience is how long the start of a server, and a scan of other folders, wait for a folder.
	scanPatience = 5 * time.Second

	// maxParallelScans is how many folders of a storage are scanned at a time.
	maxParallelScans = 4

	// stalledRetry is the pause before a storage that did not answer is asked again, if folders are
	// not scanned more often.
	stalledRetry = 10 * time.Second
)

// unlistedError is why a folder counts as unreadable while its first scan lasts.
type unlistedError struct{}

func (unlistedError) Error() string {
	return fmt.Sprintf("it is not listed after %v; its files are served once it is", scanPatience)
}

// Unwrap returns source.ErrStalled, since a reason to wait is no mistake.
func (unlistedError) Unwrap() error { return source.ErrStalled }

func newScans(c *Config) scans {
	return scans{config: c, running: make(map[location]*scan), free: make(map[string]chan struct{}), ended: make(chan struct{}, 1)}
}

// start scans the folders among paths, unless their last scans still run.
func (s *scans) start(ctx context.Context, paths []servedPath) {
	for _, p := range paths {
		if !p.isFolder || s.running[p.location] != nil {
			continue
		}
		next, free := &scan{done: make(chan struct{})}, s.freeOf(p)
		s.running[p.location] = next
		s.fresh = append(s.fresh, next)
		go func() {
			defer s.note(next)
			free <- struct{}{}
			defer func() { <-free }()
			began := time.Now()
			next.found = p.scanSafely(ctx, s.config)
			next.took = time.Since(began)
		}()
	}
}

// startAnew scans the folders among paths from now on. Scans that run have listed a part before, so theirs are
// scanned again.
func (s *scans) startAnew(ctx context.Context, paths []servedPath) {
	for _, p := range paths {
		if s.running[p.location] != nil {
			s.again = append(s.again, p)
		}
	}
	s.start(ctx, paths)
}

// startAgain scans folders once more whose scans have ended meanwhile.
func (s *scans) startAgain(ctx context.Context) {
	left := s.again
	s.again = nil
	for _, p := range left {
		if s.running[p.location] != nil {
			s.again = append(s.again, p)
		}
	}
	s.start(ctx, left)
}

func (s *scans) freeOf(p servedPath) chan struct{} {
	storage := s.config.Files.Storage(p.Path)
	if s.free[storage] == nil {
		s.free[storage] = make(chan struct{}, maxParallelScans)
	}
	return s.free[storage]
}

// note tells that a scan has ended.
func (s *scans) note(ended *scan) {
	close(ended.done)
	select {
	case s.ended <- struct{}{}:
	default:
	}
}

// await waits for the scans that were started last, but not long. It returns what those found that
// have ended, and how long the longest of them took that did not wait for a storage in vain.
func (s *scans) await(ctx context.Context) (found map[location]folderScan, took time.Duration) {
	patience := time.NewTimer(scanPatience)
	defer patience.Stop()
	for _, next := range s.fresh {
		select {
		case <-next.done:
			continue
		case <-patience.C:
		case <-ctx.Done():
		}
		break
	}
	s.fresh = nil
	found = make(map[location]folderScan)
	for p, each := range s.running {
		select {
		case <-each.done:
			delete(s.running, p)
			found[p] = each.found
			if !each.found.isStalled() {
				took = max(took, each.took)
			}
		default:
		}
	}
	s.startAgain(ctx)
	return found, took
}

// isStalled reports whether a part was not listed because its storage did not answer.
func (s *folderScan) isStalled() bool {
	for _, u := range s.unreadable {
		if errors.Is(u.err, source.ErrStalled) {
			return true
		}
	}
	return false
}
