package serve

import "time"

// lastChange returns a time after which no picture at any address has changed: since then no layer
// was added, removed or reconfigured, and no file was replaced. The modification time of a file is
// not enough: the program, a style or an older copy of the file change pictures, too. HTTP dates
// have whole seconds, so it is rounded up.
func (s *Server) lastChange() time.Time {
	return s.Catalog.ChangedAt().Add(time.Second - 1).Truncate(time.Second)
}

// LastModified returns the date of the last change for the header Last-Modified. It is zero while
// that second lasts, because a second change within it would have the same date. Call it before
// finding the layers of a picture.
func (s *Server) LastModified() time.Time {
	changed := s.lastChange()
	if changed.After(time.Now()) {
		return time.Time{}
	}
	return changed
}

// ifUnchangedSince returns modified, a result of LastModified, or zero if something has changed
// since: a picture that was prepared meanwhile may be of either version.
func (s *Server) ifUnchangedSince(modified time.Time) time.Time {
	if !s.lastChange().Equal(modified) {
		return time.Time{}
	}
	return modified
}
