// Package demo holds the files that are served where none is named: an archipelago that does not exist, as a picture, as
// heights and as a scanned map. It must never know who reads it.
package demo

import _ "embed"

//go:generate go run ./generate -o .

//go:embed demo.tif
var picture []byte

//go:embed elevation.tif
var elevation []byte

//go:embed sheet.tif
var sheet []byte

// Configuration describes the layers of the files, for a server that is started in their folder.
//
//go:embed tileserver.yaml
var Configuration []byte

// File is a file of the demo. Data is shared: it must not be changed.
type File struct {
	ID   string // of its layer; the name of the file is ID.tif
	Data []byte
}

// Name is the name of the file.
func (f *File) Name() string { return f.ID + ".tif" }

// Files are all files of the demo; the first is the one to look at first.
func Files() []File {
	return []File{{"demo", picture}, {"elevation", elevation}, {"sheet", sheet}}
}
