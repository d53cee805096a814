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

// File is a file of the demo. Data is shared: it must not be changed.
type File struct {
	ID       string // of its layer; the name of the file is ID.tif
	Title    string
	Abstract string
	Data     []byte
}

// Name is the name of the file.
func (f *File) Name() string { return f.ID + ".tif" }

// Files are all files of the demo; the first is the one to look at first.
func Files() []File {
	return []File{
		{
			ID: "demo", Title: "Nemo Archipelago", Data: picture,
			Abstract: "Islands that do not exist, in the South Pacific: red, green, blue and near infrared.",
		},
		{
			ID: "elevation", Title: "Nemo Archipelago: elevation", Data: elevation,
			Abstract: "Heights of the islands and of the sea floor around them, in meters.",
		},
		{
			ID: "sheet", Title: "Nemo Archipelago: map sheet", Data: sheet,
			Abstract: "A scanned map of the islands. The legend is the second page of the file.",
		},
	}
}
