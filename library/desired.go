package library

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"tileserver/access"
	"tileserver/dataset"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/style"
)

// Desired is what a library is asked to serve.
type Desired struct {
	Layers []Layer // in this order, before those of Paths
	Paths  []Path
	Rescan time.Duration // how often folders are scanned; 0 means never
	Open   OpenLimits
	Shared Shared
}

// Layer asks for a layer with settings of its own.
type Layer struct {
	ID   string // or empty, to make one from the path
	Path string // of a file or an image in it; an empty one is passed over

	// Options say how to open the file. The ID is that of the layer, and the terrain that of Terrain.
	Options dataset.Options

	// Terrain is the id of a layer with heights, for a file with a camera model; empty for none.
	Terrain string

	// Settings are those of the layer, without its ID and Open.
	Settings layer.Config

	// Written is what Settings were made from. The layer is rebuilt only if it differs from before.
	Written any

	Place Place // where it is written
}

// Path asks for the layers of a file or of all files in a folder and below.
type Path struct {
	Text   string
	Access access.Policy // what requests may ask of the layers, unless they have settings of their own
	Place  Place         // where it is written; nil for an argument of the command line
}

// Shared is what applies to every layer.
type Shared struct {
	Styles   []style.Named // for every layer that can be shown in them
	TileSets []*geo.TileMatrixSet

	// Written is what the other fields were made from. The layers are rebuilt only if it differs
	// from before.
	Written any
}

// Place is where an entry of a configuration is written.
type Place interface {
	// Mistake returns an error in a key of the entry, or in the entry if the key is empty.
	Mistake(key string, err error) error

	// Of returns the start of a message about a key of the entry.
	Of(key string) string
}

// Mistakes lists the errors in what is desired.
type Mistakes []error

// Error joins the errors, a line for each.
func (m Mistakes) Error() string { return errors.Join(m...).Error() }

// Unwrap returns the errors.
func (m Mistakes) Unwrap() []error { return m }

// add adds an error, or each error of a list.
func (m *Mistakes) add(err error) {
	if several := (Mistakes)(nil); errors.As(err, &several) {
		*m = append(*m, several...)
	} else if err != nil {
		*m = append(*m, err)
	}
}

// err returns the mistakes, or nil if there are none.
func (m Mistakes) err() error {
	if len(m) == 0 {
		return nil
	}
	return m
}

// placedError is an error that names where the configuration is wrong.
type placedError struct{ error }

func (e placedError) Unwrap() error { return e.error }

// mistakeAt returns an error in a key of an entry.
func mistakeAt(p Place, key string, err error) error { return placedError{p.Mistake(key, err)} }

// Check returns every mistake in what is desired that shows without opening a file. Nothing changes.
func (l *Library) Check(ctx context.Context, d Desired) error {
	_, err := l.desired.successor(ctx, l.Files, d)
	return err
}

// isSame reports whether both were written alike.
func (s *Shared) isSame(other *Shared) bool { return reflect.DeepEqual(s.Written, other.Written) }

// configuredLayers returns the layers with settings, each with a unique id. Configured ids take
// precedence over ids derived from file names, whatever their order in the list.
func (s *state) configuredLayers(ctx context.Context, entries []Layer) (layers []desiredLayer, err error) {
	var found Mistakes
	layers = make([]desiredLayer, len(entries))
	for i := range entries {
		if entries[i].Path == "" {
			continue // the configuration has reported this
		}
		layers[i], err = s.configuredLayer(ctx, &entries[i])
		found.add(err)
	}
	var unnamed []origin
	for _, w := range layers {
		if w.config != nil && w.id == "" {
			unnamed = append(unnamed, originOf(w.image))
		}
	}
	s.ids.assign(unnamed)
	taken := make(map[string]bool)
	for i := range layers {
		w := &layers[i]
		if w.config == nil {
			continue // its path is invalid
		}
		if w.id == "" {
			w.setName(s.ids.assigned[w.image])
		}
		if taken[w.id] {
			found.add(mistakeAt(w.config.Place, "", fmt.Errorf("another layer has the id %q", w.id)))
		}
		taken[w.id] = true
	}
	return layers, found.err()
}

// configuredLayer returns a layer with settings, whose id may have yet to be made.
func (s *state) configuredLayer(ctx context.Context, entry *Layer) (desiredLayer, error) {
	image, err := dataset.ParseAddress(ctx, s.files, entry.Path)
	if err != nil {
		return desiredLayer{}, mistakeAt(entry.Place, "path", err)
	}
	w := desiredLayer{id: entry.ID, image: image.Canonical(s.files), isNamed: true, config: entry}
	if w.id == "" {
		return w, nil
	}
	if err := s.ids.checkClaim(w.id, w.image); err != nil {
		return w, mistakeAt(entry.Place, "id", err)
	}
	s.ids.claim(w.id, w.image)
	return w, nil
}
