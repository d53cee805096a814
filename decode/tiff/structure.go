package tiff

import (
	"context"

	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/tag"
	"tileserver/source"
)

// structure is the directories of a file or side file, as parsed.
type structure struct {
	*ifd.File
	skipped ifd.Skipped
}

// parseStructure parses the directories of src. It keeps masks that can be read only in part: the
// image must not show what they hide.
func parseStructure(ctx context.Context, src source.Source, limits Limits, memory *ifd.Budget) (s *structure, err error) {
	s = new(structure)
	s.File, err = ifd.Parse(ctx, src, ifd.Config{
		Limits: ifd.Limits{
			Directories: limits.Directories, Entries: limits.Entries, ValueBytes: limits.ValueBytes, HeaderBytes: limits.HeaderBytes,
		},
		Memory: memory, Rule: limits.rule, Links: []ifd.Tag{ifd.SubIFDs}, Depth: 1, Keep: isMask, Skip: s.skipped.Add,
	})
	return s, err
}

// isMask reports whether a directory is known to be a mask.
func isMask(raw *ifd.Directory) bool { return tag.SubfileOf(raw)&tag.Mask != 0 }
