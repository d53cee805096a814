package disk

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// abandonedAfter is the age at which an unfinished file must belong to a process that died.
const abandonedAfter = time.Hour

// sweep removes the oldest files until the store is within maxBytes, and abandoned unfinished
// files. What was just stored is the last to go: clocks of file systems tick slowly, and are set back.
func (s *Store) sweep(stored string) error {
	entries, err := s.system.ReadDir(s.folder)
	if err != nil {
		return err
	}
	now := time.Now()
	var files []file
	total := int64(0)
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue // removed meanwhile, or not a value
		}
		f := file{filepath.Join(s.folder, entry.Name()), info.Size(), timeOf(info, now)}
		if f.path == stored {
			f.written = now.Add(abandonedAfter)
		}
		switch {
		case strings.HasSuffix(f.path, extension):
			files, total = append(files, f), total+f.bytes
		case isAbandoned(entry.Name(), f.written, now):
			if err := s.remove(f); err != nil {
				return err
			}
		}
	}
	slices.SortFunc(files, func(a, b file) int { return a.written.Compare(b.written) })
	for _, f := range files {
		if total <= s.maxBytes {
			return nil
		}
		if err := s.remove(f); err != nil {
			return err
		}
		total -= f.bytes
	}
	return nil
}

// isAbandoned reports whether a file was not finished by a process that died.
func isAbandoned(name string, written, now time.Time) bool {
	return isUnfinished(name) && now.Sub(written) > abandonedAfter
}

// timeOf returns when a file was written. A file from the future was written before the clock was set
// back, long ago.
func timeOf(info fs.FileInfo, now time.Time) time.Time {
	if written := info.ModTime(); written.Before(now.Add(abandonedAfter)) {
		return written
	}
	return time.Time{}
}

// file describes one file of the folder.
type file struct {
	path    string
	bytes   int64
	written time.Time
}

func (s *Store) remove(f file) error {
	if err := s.system.Remove(f.path); err != nil && !isGone(err) {
		return err
	}
	return nil
}

// isUnfinished reports whether a file has the name of one that is being written.
func isUnfinished(name string) bool {
	return strings.HasPrefix(name, strings.TrimSuffix(unfinished, "*"))
}

// isValue reports whether a file has the name of a value.
func isValue(name string) bool { return filepath.Ext(name) == extension }
