package main

import (
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"

	"tileserver/geo"
)

// tileSetConfig is a tile matrix set: a document of the OGC's Two Dimensional Tile Matrix Set
// 2.0, as a file or where it stands, in JSON or the same in YAML.
type tileSetConfig struct {
	path string // of the file; "" if the document stands here
	text []byte // of the document, in JSON
}

// UnmarshalYAML reads the path of a document, or a document.
func (t *tileSetConfig) UnmarshalYAML(node *yaml.Node) (err error) {
	if node.Kind == yaml.ScalarNode {
		return node.Decode(&t.path)
	}
	t.text, err = jsonOf(node)
	return err
}

func jsonOf(node *yaml.Node) ([]byte, error) {
	var document map[string]any
	if err := node.Decode(&document); err != nil {
		return nil, err
	}
	return json.Marshal(withTextKeys(document))
}

// read is the document in JSON, and the tile matrix set that it defines.
func (t *tileSetConfig) read() (string, *geo.TileMatrixSet, error) {
	if t.path == "" {
		set, err := geo.ParseTileMatrixSet(t.text)
		return string(t.text), set, err
	}
	text, err := readBounded(t.path)
	if err != nil {
		return "", nil, err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return "", nil, fmt.Errorf("%s: %w", t.path, err)
	}
	if text, err = jsonOf(&document); err != nil {
		return "", nil, fmt.Errorf("%s: %w", t.path, err)
	}
	set, err := geo.ParseTileMatrixSet(text)
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", t.path, err)
	}
	return string(text), set, nil
}
