// Command generate writes the tables of the named colour maps that package colormap embeds.
// It asks an installed matplotlib for its maps and reads the maps of cmocean in the form in
// which GMT has them, as Debian's python3-matplotlib and gmt-common do. It is run by hand;
// neither is needed to build or to test. With -keep it takes those maps from the package as it
// is, and writes only the project's own maps anew.
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
	ask := func() ([]table, error) { return published(*python, *cmocean) }
	if *keep {
		ask = keptTables
	}
	others, err := ask()
	if err == nil {
		err = write(*out, merge(ownTables(), others))
	}
	if err != nil {
		log.Fatal(err)
	}
}

// published are the maps of matplotlib and cmocean.
func published(python, cmocean string) ([]table, error) {
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

// colors are red, green and blue.
type colors [256][3]uint8

// table is a map and its reverse.
type table struct {
	name              string
	forward, reversed colors
}

// merge puts both in the order of names. Where they share one, that of tables stays: "gray"
// is matplotlib's.
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

// bytes are the differences of t from what is expected, which are small: of a colour from the
// one before, and of a colour of the reversed map from the one that it should be.
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
