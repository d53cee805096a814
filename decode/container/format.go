package container

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"tileserver/source"
)

// Format is a file format.
type Format struct {
	Name       string
	Extensions []string               // of its files in folders, in lower case
	Matches    func(head []byte) bool // recognizes a file by its first bytes

	// Open opens a file that Matches recognized. The file then owns the source. If Open fails, the
	// caller still owns it.
	Open func(ctx context.Context, s source.Source, options Options) (File, error)
}

// Options says how to open one file.
type Options struct {
	// Key identifies the file and its version. The keys of its images begin with it.
	Key string

	// QualityLayers is how many quality layers to decode, if the format has any; 0 means all.
	QualityLayers int

	// Beside opens a file with another name in the same folder, or fails with fs.ErrNotExist. Nil
	// means that there are no side files.
	Beside func(ctx context.Context, name string) (source.Source, error)

	// State stores results that are expensive to compute, across restarts. Nil stores nothing.
	State State

	// Warn is called for damage that is found while reading pixels. It may be nil.
	Warn func(note string)
}

// State stores values of one file across restarts. It may lose any value.
type State interface {
	Get(ctx context.Context, key string) ([]byte, bool)
	Put(ctx context.Context, key string, value []byte) error
}

// Registry lists the supported formats.
type Registry []Format

// headBytes is how many bytes are needed to recognize a format.
const headBytes = 32

// Open opens a file of any of the formats. It goes by the content; the extension may be wrong. The
// file closes the source; on an error Open closes it.
func (r Registry) Open(ctx context.Context, s source.Source, options Options) (File, error) {
	if source.IsFar(s) {
		far := newOpening(s)
		defer far.end()
		s = far
	}
	format, err := r.recognize(ctx, s)
	var f File
	if err == nil {
		f, err = format.Open(ctx, s, options)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", source.Redacted(s.Name()), err), s.Close())
	}
	return f, nil
}

// recognize returns the format of a file.
func (r Registry) recognize(ctx context.Context, s source.Source) (*Format, error) {
	head, err := s.ReadRanges(ctx, []source.Range{{Length: min(headBytes, s.Size())}})
	if err != nil {
		return nil, err
	}
	for i := range r {
		if r[i].Matches(head[0]) {
			return &r[i], nil
		}
	}
	return nil, r.unsupported(head[0])
}

// HasExtension reports whether a file name has the extension of a supported format.
func (r Registry) HasExtension(name string) bool {
	extension := strings.ToLower(path.Ext(name))
	return slices.ContainsFunc(r, func(f Format) bool { return slices.Contains(f.Extensions, extension) })
}

// names lists the supported formats: "TIFF and JPEG 2000".
func (r Registry) names() string {
	names := make([]string, len(r))
	for i, f := range r {
		names[i] = f.Name
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
