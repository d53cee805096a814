package disk

import (
	"context"
	"path/filepath"
)

// The files of units are removed one after the other, outside the time that a call may take: a group may
// have thousands. Units that are forgotten while the storage is away stay doomed until it answers.

// discard forgets units and removes their files. If they are groups, it waits for that as for a write. With
// needsDoomed it also waits if it forgets none, and others are doomed already.
func (s *shelf) discard(ctx context.Context, names []string, needsDoomed bool) {
	if removed := s.doom(names); removed != nil && (needsDoomed || len(names) > 0) {
		_ = s.await(ctx, writeTimeout, removed)
	}
}

// doom forgets units, and begins to remove their files and those of units that are doomed already. It
// returns a channel that is closed when the removal ends, or nil if the storage is away.
func (s *shelf) doom(names []string) <-chan error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		s.known.drop(name)
		s.doomed[name] = false
	}
	if s.removing == nil && len(s.doomed) > 0 && s.storage.isAsked() {
		s.removing = make(chan error)
		go s.removeDoomed()
	}
	return s.removing
}

// isDoomed reports whether files of a unit are still to be removed. The caller holds the lock.
func (s *shelf) isDoomed(name string) bool {
	_, ok := s.doomed[name]
	return ok
}

// removeDoomed removes files until no unit is doomed, or the storage is away.
func (s *shelf) removeDoomed() {
	for name, ok := s.nextDoomed(); ok; name, ok = s.nextDoomed() {
		s.remove(name)
		s.endRemoval(name)
	}
}

// endRemoval ends the doom of a unit, unless it was doomed again: a file may have come that remove did not
// see.
func (s *shelf) endRemoval(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if isBeingRemoved := s.doomed[name]; isBeingRemoved {
		delete(s.doomed, name)
	}
}

// nextDoomed returns a unit that is doomed, and records that it is being removed. If there is none to
// remove now, it ends the removal.
func (s *shelf) nextDoomed() (name string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.storage.isAsked() {
		for name := range s.doomed {
			s.doomed[name] = true
			return name, true
		}
	}
	close(s.removing)
	s.removing = nil
	return "", false
}

// remove removes the files of a unit, but no foreign ones. Those that remain are found by a later scan.
func (s *shelf) remove(name string) {
	path := filepath.Join(s.folder, name)
	if s.hasGroups {
		entries, _ := s.system.ReadDir(path)
		for _, entry := range entries {
			if isValue(entry.Name()) || isUnfinished(entry.Name()) {
				_ = s.system.Remove(filepath.Join(path, entry.Name()))
			}
		}
	}
	_ = s.system.Remove(path)
}
