package disk

import (
	"context"
	"io/fs"
	"maps"
	"path/filepath"
	"time"
)

// scanInterval is how often a shelf looks for files of other processes, while it writes its own.
const scanInterval = time.Minute

// isScanDue reports whether there may be files that are not known. The caller holds the lock.
func (s *shelf) isScanDue() bool {
	return (s.lock == nil || !s.isListed) && time.Since(s.known.scanned) > scanInterval
}

// scan finds out which files there are, unless another scan does.
func (s *shelf) scan() error {
	s.mu.Lock()
	begins := s.known.beginScan()
	s.mu.Unlock()
	if !begins {
		return nil
	}
	return s.finishScan()
}

func (s *shelf) finishScan() error {
	s.mu.Lock()
	before := maps.Clone(s.doomed)
	s.mu.Unlock()
	found, err := s.list()
	s.mu.Lock()
	if err != nil {
		s.known.changed = nil
	} else {
		without(found, before)
		without(found, s.doomed)
		s.known.endScan(found)
		s.isListed = true
	}
	names := s.superfluous(0, "")
	s.mu.Unlock()
	s.discard(context.Background(), names, false)
	return err
}

// without removes units that a scan found before their files were removed.
func without(found map[string]*unit, doomed map[string]bool) {
	maps.DeleteFunc(found, func(name string, _ *unit) bool { _, ok := doomed[name]; return ok })
}

// list returns what is in the folder: files with values, and folders of groups. It removes files that
// were not finished.
func (s *shelf) list() (map[string]*unit, error) {
	entries, err := s.system.ReadDir(s.folder)
	if err != nil {
		return nil, err
	}
	found := make(map[string]*unit)
	for _, entry := range entries {
		info, err := entry.Info()
		switch {
		case err != nil || info.IsDir() != s.hasGroups: // removed meanwhile, or foreign
		case !info.IsDir():
			s.listFile(found, place{entry.Name(), entry.Name()}, info)
		case isGroup(entry.Name()):
			found[entry.Name()] = s.listGroup(entry.Name(), timeOf(info, time.Now()))
		}
	}
	return found, nil
}

// listGroup returns what is in the folder of a group.
func (s *shelf) listGroup(name string, used time.Time) *unit {
	found := map[string]*unit{name: newUnit(place{unit: name}, used)}
	entries, _ := s.system.ReadDir(filepath.Join(s.folder, name)) // a folder that cannot be read has nothing to offer
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil {
			s.listFile(found, place{name, entry.Name()}, info)
		}
	}
	return found[name]
}

// listFile adds a file to what is found if it is a value, and removes it if it was not finished.
func (s *shelf) listFile(found map[string]*unit, at place, info fs.FileInfo) {
	written := timeOf(info, time.Now())
	switch {
	case !info.Mode().IsRegular(): // foreign
	case isValue(at.file):
		if found[at.unit] == nil {
			found[at.unit] = newUnit(at, written)
		}
		found[at.unit].set(at.file, info.Size())
	case isUnfinished(at.file) && s.isAbandoned(info):
		_ = s.system.Remove(s.path(at)) // the next scan tries again
	}
}

// isAbandoned reports whether the process that wrote a file must have died.
func (s *shelf) isAbandoned(file fs.FileInfo) bool {
	if s.lock != nil {
		return file.ModTime().Before(s.lock.since)
	}
	now := time.Now()
	return now.Sub(timeOf(file, now)) > abandonedAfter
}
