package mount

import (
	"slices"
	"strings"

	"tileserver/source"
)

// virtual are the virtual folders of GDAL, with the schemes of the same objects.
var virtual = []struct{ folder, scheme string }{
	{"/vsicurl/", ""}, {"/vsis3/", "s3://"}, {"/vsigs/", "gs://"}, {"/vsiaz/", "az://"},
}

// advice returns how to write an address that no store has.
func (s *Store) advice(address string) string {
	for _, known := range virtual {
		rest, isVirtual := strings.CutPrefix(address, known.folder)
		if !isVirtual {
			continue
		}
		if _, err := s.at(known.scheme + rest); source.IsRemote(known.scheme+rest) && err == nil {
			return "write " + source.Redacted(known.scheme+rest)
		}
	}
	schemes := s.schemes()
	if len(schemes) == 0 {
		return "must be a path on disk"
	}
	return "addresses begin with " + strings.Join(schemes, ", ")
}

// schemes returns the schemes of all mounts, sorted.
func (s *Store) schemes() (schemes []string) {
	for i := range s.mounts {
		scheme, _, _ := strings.Cut(s.mounts[i].Prefix, "://")
		schemes = append(schemes, scheme+"://")
	}
	slices.Sort(schemes)
	return slices.Compact(schemes)
}
