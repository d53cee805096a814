package disk

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// abandonedAfter is the age at which an unfinished file must belong to a process that died.
const abandonedAfter = time.Hour

// sweep removes the oldest files until the store is within maxBytes, and abandoned unfinished
// files.
func (s *Store) sweep() error {
	entries, err := os.ReadDir(s.folder)
	if err != nil {
		return err
	}
	var files []file
	total := int64(0)
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue // removed meanwhile, or not a value
		}
		f := file{filepath.Join(s.folder, entry.Name()), info.Size(), info.ModTime()}
		switch {
		case strings.HasSuffix(f.path, extension):
			files, total = append(files, f), total+f.bytes
		case strings.HasPrefix(entry.Name(), strings.TrimSuffix(unfinished, "*")) && time.Since(f.written) > abandonedAfter:
			if err := f.remove(); err != nil {
				return err
			}
		}
	}
	slices.SortFunc(files, func(a, b file) int { return a.written.Compare(b.written) })
	for _, f := range files {
		if total <= s.maxBytes {
			return nil
		}
		if err := f.remove(); err != nil {
			return err
		}
		total -= f.bytes
	}
	return nil
}

// file describes one file of the folder.
type file struct {
	path    string
	bytes   int64
	written time.Time
}

func (f file) remove() error {
	if err := os.Remove(f.path); err != nil && !isGone(err) {
		return err
	}
	return nil
}
