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

// packed is a ZIP archive with one file per map, so that maps are unpacked one by one.
//
//go:embed tables.zip
var packed string

// Hypsometric is the name of the project's own map for heights. All other maps are those of
// matplotlib and cmocean.
const Hypsometric = "hypsometric"

// ReversedSuffix after the name of a map reverses the map.
const ReversedSuffix = "_r"

const (
	channels = 3 // red, green, blue

	// tableBytes is the size of a file in tables.zip. It holds 256 colors, channel after channel,
	// each as the difference from the previous color. Corrections follow: they are added to the
	// reversed colors to get the reversed map. Most are 0. Maps with steps and rounded colors need
	// others, since rounding is not symmetric.
	tableBytes = 2 * channels * 256
)

// Names returns the names that Named accepts, sorted. Each name is also valid with ReversedSuffix.
func Names() []string {
	all := tables()
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = t.name
	}
	return names
}

// Named returns the map with a name in lower case, and whether it exists. The caller may modify the
// colors.
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
		applyCorrections(colors, bytes[tableBytes/2:])
	}
	return colors, true
}

// A table is a file in tables.zip.
type table struct {
	name  string
	bytes func() *[tableBytes]uint8 // unpacks the file once, since every tile with a color map needs it
}

// tables reads the directory of tables.zip once. The file is part of the program, so a broken one
// causes a panic.
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

// forward decodes the differences between adjacent colors.
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

func applyCorrections(colors *[256]Color, corrections []uint8) {
	for i := range colors {
		colors[i].R += corrections[i]
		colors[i].G += corrections[256+i]
		colors[i].B += corrections[512+i]
	}
}
