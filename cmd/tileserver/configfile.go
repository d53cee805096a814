package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"
)

// load reads a configuration file over c. A key that is not known is an error.
// Relative paths are relative to the file.
func (c *config) load(path string) error {
	text, err := readBounded(path)
	if err != nil {
		return err
	}
	if err := c.decode(text); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	c.startFrom(filepath.Dir(path))
	return nil
}

// maxConfigBytes is more than anybody writes, and less than what would take the memory of
// maps.
const maxConfigBytes = 16 << 20

// readBounded reads a file that is part of the configuration.
func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfigBytes+1))
	if err == nil && len(text) > maxConfigBytes {
		err = fmt.Errorf("%s: a configuration has %d bytes at most", path, maxConfigBytes)
	}
	return text, err
}

// decode reads a configuration over c.
func (c *config) decode(text []byte) error {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(c); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return errors.New("there is more than one document in it")
	}
	return nil
}

// startFrom makes paths start from a folder that do not say where they start.
func (c *config) startFrom(folder string) {
	for i := range c.Paths {
		c.Paths[i] = relativeTo(folder, c.Paths[i])
	}
	for i := range c.Layers {
		c.Layers[i].Path = relativeTo(folder, c.Layers[i].Path)
	}
	for i := range c.TileMatrixSets {
		c.TileMatrixSets[i].path = relativeTo(folder, c.TileMatrixSets[i].path)
	}
	c.State = relativeTo(folder, c.State)
}

func relativeTo(folder, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}
