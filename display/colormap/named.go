package colormap

import (
	"archive/zip"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// packed holds a file for each map, so that one is unpacked without the others.
//
//go:embed tables.zip
var packed string

// Hypsometric is the name of the project's own map for heights; all others are matplotlib's and
// cmocean's.
const Hypsometric = "hypsometric"

// ReversedSuffix behind the name of a map turns it around.
const ReversedSuffix = "_r"

const (
	channels = 3 // red, green, blue

	// tableBytes is the size of a file in tables.zip: 256 colours, a channel after the other,
	// each as its difference from the colour before; then what has to be added to the same
	// colours in reverse to make the reversed map. That is mostly 0, but for steps and for
	// what is rounded down, which fall on other sides of a turned map.
	tableBytes = 2 * channels * 256
)

// Names are the names that Named knows, in the order of the alphabet, each of them also with
// ReversedSuffix behind it.
func Names() []string {
	all := tables()
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = t.name
	}
	return names
}

// Named is the map of that name, which is in lower case, if there is one. It belongs to the
// caller.
func Named(name string) (*[256]Color, bool) {
	plain, reversed := strings.CutSuffix(name, ReversedSuffix)
	all := tables()
	at, found := slices.BinarySearchFunc(all, plain, func(t table, name string) int { return strings.Compare(t.name, name) })
	if !found {
		return nil, false
	}
	bytes := all[at].bytes()
	colors := forward(bytes[:tableBytes/2])
	if reversed {
		slices.Reverse(colors[:])
		correct(colors, bytes[tableBytes/2:])
	}
	return colors, true
}

// table is a file in tables.zip.
type table struct {
	name  string
	bytes func() *[tableBytes]uint8 // unpacks them once: every tile with a color map asks for them
}

// tables reads the directory of tables.zip, once. The file is part of the program: there is
// nobody to tell that it is broken.
var tables = sync.OnceValue(func() []table {
	directory, err := zip.NewReader(strings.NewReader(packed), int64(len(packed)))
	if err != nil {
		panic(fmt.Sprintf("colormap: tables.zip: %v", err))
	}
	all := make([]table, len(directory.File))
	for i, file := range directory.File {
		all[i] = table{file.Name, sync.OnceValue(func() *[tableBytes]uint8 { return unpack(file) })}
	}
	return all
})

func unpack(file *zip.File) *[tableBytes]uint8 {
	bytes := new([tableBytes]uint8)
	content, err := file.Open()
	if err == nil {
		_, err = io.ReadFull(content, bytes[:])
	}
	if err != nil {
		panic(fmt.Sprintf("colormap: tables.zip: %s: %v", file.Name, err))
	}
	return bytes
}

// forward adds up the differences between neighbours.
func forward(differences []uint8) *[256]Color {
	colors, last := new([256]Color), Color{A: 255}
	for i := range colors {
		last.R += differences[i]
		last.G += differences[256+i]
		last.B += differences[512+i]
		colors[i] = last
	}
	return colors
}

func correct(colors *[256]Color, corrections []uint8) {
	for i := range colors {
		colors[i].R += corrections[i]
		colors[i].G += corrections[256+i]
		colors[i].B += corrections[512+i]
	}
}
