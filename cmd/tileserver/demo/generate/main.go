// Command generate writes the files of the demo: an archipelago that does not exist, as a picture,
// as elevation and as a paper map. Everything follows from the plan in geography.go and from seeded
// noise. The command reads no input and must never need any.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// pictureWidth is the width in pixels of the committed picture, for square pixels of 21 1/3 meters.
const pictureWidth = 2592

func main() {
	out := flag.String("o", ".", "the `folder` to write to")
	width := flag.Int("width", pictureWidth, "width of the picture in `pixels`, a multiple of 108")
	flag.Parse()
	if err := generate(*out, *width); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// generate writes all files of the demo.
func generate(folder string, width int) error {
	s := newScene(width)
	for _, file := range s.files() {
		data, err := file.encode()
		if err != nil {
			return fmt.Errorf("%s: %w", file.name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, file.name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// file is an output file.
type file struct {
	name   string
	encode func() ([]byte, error)
}

func (s *scene) files() []file {
	return []file{
		{"demo.tif", func() ([]byte, error) { return s.picture().file() }},
		{"elevation.tif", func() ([]byte, error) { return s.elevation(s.width / 2).file() }},
		{"sheet.tif", func() ([]byte, error) { return newSheet(s).file() }},
	}
}
