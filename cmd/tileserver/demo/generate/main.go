// Command generate makes the demo layer: the map of an archipelago that does not exist. Everything in it follows from
// the plan in geography.go and from seeded noise; it reads no input and must never need any.
package main

import (
	"flag"
	"fmt"
	"os"
)

// pictureWidth is the width of the committed picture in pixels, for a ground pixel of 12 metres.
const pictureWidth = 4608

func main() {
	out := flag.String("o", "demo.tif", "the `file` to write")
	width := flag.Int("width", pictureWidth, "width of the picture in `pixels`, a multiple of 32")
	flag.Parse()
	if err := generate(*out, *width); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func generate(file string, width int) error {
	data, err := newScene(width).picture().cog()
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}
