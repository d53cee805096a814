package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"tileserver/config/strictyaml"
	"tileserver/source"
)

// Load reads a configuration file into c. An unknown key is an error. Relative paths are relative
// to the file. If the error is a list of mistakes, c holds the values of all other keys.
func (c *Config) Load(path string) error {
	text, err := readBounded(path)
	if err != nil {
		return Mistake{text: "--config: " + notRead(path, err)}
	}
	err = c.Decode(path, text)
	c.startFrom(filepath.Dir(path))
	return err
}

// notRead explains why a file cannot be read.
func notRead(path string, err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file or folder: " + path
	}
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		err = failed.Err
	}
	return path + ": " + err.Error()
}

// maxConfigBytes bounds the memory for reading a configuration.
const maxConfigBytes = 16 << 20

// readBounded reads a file that is part of the configuration, up to maxConfigBytes.
func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfigBytes+1))
	if err == nil && len(text) > maxConfigBytes {
		err = fmt.Errorf("%s is larger than %v, which is the most that a configuration may have", path, Size(maxConfigBytes))
	}
	return text, err
}

// Decode reads the text of a configuration file into c.
func (c *Config) Decode(file string, text []byte) error {
	lines, err := strictyaml.Unmarshal(text, c)
	c.document = document{file: file, lines: lines}
	found := strictyaml.Mistakes(nil)
	if !errors.As(err, &found) {
		return err
	}
	var list mistakeList
	for _, m := range found {
		list = append(list, Mistake{m.Line, m.Path, fmt.Sprintf("%s:%d: %s", file, m.Line, m.Text)})
	}
	return list
}

// startFrom makes relative paths relative to a folder.
func (c *Config) startFrom(folder string) {
	for i := range c.Paths {
		c.Paths[i].Path = relativeTo(folder, c.Paths[i].Path)
	}
	for i := range c.Layers {
		c.Layers[i].Path = relativeTo(folder, c.Layers[i].Path)
	}
	for i := range c.TileMatrixSets {
		c.TileMatrixSets[i].path = relativeTo(folder, c.TileMatrixSets[i].path)
	}
	for i := range c.Remote {
		for k := range c.Remote[i].Headers {
			c.Remote[i].Headers[k].File = relativeTo(folder, c.Remote[i].Headers[k].File)
		}
	}
	c.State = relativeTo(folder, c.State)
	c.DiskCache.Folder = relativeTo(folder, c.DiskCache.Folder)
	c.Grids = relativeTo(folder, c.Grids)
	c.SigningKeys = relativeTo(folder, c.SigningKeys)
}

func relativeTo(folder, path string) string {
	if path == "" || filepath.IsAbs(path) || source.IsRemote(path) {
		return path
	}
	return filepath.Join(folder, path)
}
