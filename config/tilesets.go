package config

import (
	"encoding/json"
	"errors"
	"fmt"

	"tileserver/config/strictyaml"
	"tileserver/geo"
	"tileserver/source"
)

// A TileMatrixSet is a tile matrix set: a document of OGC Two Dimensional Tile Matrix Set 2.0, in
// JSON or as the same structure in YAML. It is inline or in a file.
type TileMatrixSet struct {
	path string // of the file; "" for an inline document
	text []byte // of the document, in JSON
}

// UnmarshalValue accepts the path of a document, or a document.
func (t *TileMatrixSet) UnmarshalValue(value any) (err error) {
	if path, ok := value.(string); ok {
		t.path = path
		return nil
	}
	t.text, err = tileSetJSON(value)
	return err
}

// tileSetJSON converts a document that was read from YAML to JSON.
func tileSetJSON(value any) ([]byte, error) {
	document, ok := withTextKeys(value).(map[string]any)
	if !ok {
		return nil, errors.New("must be the path of a file, or the keys and values of a tile matrix set")
	}
	text, err := json.Marshal(document)
	if err != nil {
		return nil, errNoJSON
	}
	return text, nil
}

// errNoJSON reports a YAML value that JSON cannot represent.
var errNoJSON = errors.New("has a value that JSON cannot have, such as .nan or .inf")

// Read returns the document in JSON, and the tile matrix set that it defines.
func (t *TileMatrixSet) Read() (string, *geo.TileMatrixSet, error) {
	if t.path == "" {
		set, err := geo.ParseTileMatrixSet(t.text)
		return string(t.text), set, err
	}
	if err := source.CheckLocal(t.path); err != nil {
		return "", nil, err
	}
	text, err := readBounded(t.path)
	if err != nil {
		return "", nil, err
	}
	value, err := strictyaml.Value(text)
	if found := (strictyaml.Mistakes)(nil); errors.As(err, &found) {
		return "", nil, errors.New(found.In(t.path + ":"))
	}
	if text, err = tileSetJSON(value); err != nil {
		return "", nil, fmt.Errorf("%s: %w", t.path, err)
	}
	set, err := geo.ParseTileMatrixSet(text)
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", t.path, err)
	}
	return string(text), set, nil
}
