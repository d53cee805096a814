package nitf

import (
	"context"
	"maps"
	"slices"
	"strings"

	"tileserver/decode/georeference"
	"tileserver/decode/nitf/sicd"
	"tileserver/source"
)

const (
	maxXMLSegments = 8 // of which the root element is told
	xmlHeadBytes   = 2 << 10
	maxXMLBytes    = 8 << 20
)

// isXML reports whether a data extension is a document.
func isXML(id string) bool { return strings.Contains(strings.ToUpper(id), "XML") }

// readRoots reads the root elements of the documents in the file.
func (f *File) readRoots(ctx context.Context) error {
	var ranges []source.Range
	var numbers []int
	for i, s := range f.structure.Data {
		if isXML(s.ID) && len(numbers) < maxXMLSegments {
			ranges = append(ranges, source.Range{Offset: s.Content.Offset, Length: min(s.Content.Length, xmlHeadBytes)})
			numbers = append(numbers, i)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	heads, err := f.src.ReadRanges(ctx, ranges)
	if err != nil {
		return err
	}
	f.roots = make(map[int]string, len(numbers))
	for i, n := range numbers {
		f.roots[n] = sicd.Root(heads[i])
	}
	return nil
}

// readAmplitudes reads the table of amplitudes that the samples of a radar image stand for, or nil if
// there is none.
func (f *File) readAmplitudes(ctx context.Context) ([]float64, error) {
	for _, i := range slices.Sorted(maps.Keys(f.roots)) {
		where := f.structure.Data[i].Content
		if !strings.HasPrefix(f.roots[i], "SICD") || where.Length > maxXMLBytes {
			continue
		}
		parts, err := f.src.ReadRanges(ctx, []source.Range{where})
		if err != nil {
			return nil, err
		}
		table, err := sicd.Amplitudes(parts[0])
		note, fatal := georeference.Note(ctx, err)
		if note != "" {
			f.notes = append(f.notes, note)
		}
		return table, fatal
	}
	return nil, nil
}
