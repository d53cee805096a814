// Command generate writes the tables of the named color maps that package colormap embeds. It gets
// the maps of matplotlib from an installed matplotlib, and the maps of cmocean from the CPT files
// of GMT. Debian has them in python3-matplotlib and gmt-common. The command is run by hand; builds
// and tests need neither of them. With -keep it takes those maps from the package as it is, and
// only regenerates the project's own maps.
package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
)

func main() {
	python := flag.String("python", "/usr/bin/python3", "a Python that has matplotlib")
	cmocean := flag.String("cmocean", "/usr/share/gmt/cpt/cmocean", "the folder of cmocean's CPT files")
	keep := flag.Bool("keep", false, "keep the maps of others as they are")
	out := flag.String("out", "tables.zip", "the file to write")
	flag.Parse()
	load := func() ([]table, error) { return publishedTables(*python, *cmocean) }
	if *keep {
		load = existingTables
	}
	others, err := load()
	if err == nil {
		err = write(*out, merge(ownTables(), others))
	}
	if err != nil {
		log.Fatal(err)
	}
}

// publishedTables returns the maps of matplotlib and cmocean.
func publishedTables(python, cmocean string) ([]table, error) {
	tables, err := askMatplotlib(python)
	if err != nil {
		return nil, err
	}
	others, err := readFolder(cmocean)
	return merge(tables, others), err
}

func write(out string, tables []table) error {
	packed, err := pack(tables)
	if err != nil {
		return err
	}
	fmt.Printf("%d maps, %d bytes packed\n", len(tables), len(packed))
	return os.WriteFile(out, packed, 0o644)
}

// colors holds red, green and blue.
type colors [256][3]uint8

// A table is a map and its reverse.
type table struct {
	name              string
	forward, reversed colors
}

// merge returns the tables of both lists, sorted by name. If both have a name, such as "gray", the
// table of the first list wins.
func merge(tables, others []table) []table {
	for _, other := range others {
		if !slices.ContainsFunc(tables, func(t table) bool { return t.name == other.name }) {
			tables = append(tables, other)
		}
	}
	slices.SortFunc(tables, func(a, b table) int { return cmp.Compare(a.name, b.name) })
	return tables
}

func pack(tables []table) ([]byte, error) {
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, t := range tables {
		file, err := archive.CreateHeader(&zip.FileHeader{Name: t.name, Method: zip.Deflate})
		if err != nil {
			return nil, err
		}
		if _, err := file.Write(t.bytes()); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// bytes encodes t as differences from predictions, which are mostly small: of a color from the
// previous one, and of a color of the reversed map from the same color of the forward map.
func (t *table) bytes() []byte {
	var differences, corrections []byte
	for channel := range 3 {
		last := uint8(0)
		for i := range t.forward {
			differences = append(differences, t.forward[i][channel]-last)
			corrections = append(corrections, t.reversed[i][channel]-t.forward[255-i][channel])
			last = t.forward[i][channel]
		}
	}
	return append(differences, corrections...)
}
