// Package demo embeds the files of the demo map: an archipelago that does not exist, as a picture,
// as elevation and as a scanned map. The command serves them if no file is named. The package must
// never know who reads them.
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
// The file is named ConfigurationName.
//
//go:embed tileserver.yaml
var Configuration []byte

// ConfigurationName is the name of the file that Save writes the configuration to.
const ConfigurationName = "tileserver.yaml"

// File is a demo file. Data is shared and must not be changed.
type File struct {
	ID   string // of its layer; the file is named ID.tif
	Data []byte
}

// Name returns the name of the file.
func (f *File) Name() string { return f.ID + ".tif" }

// Files returns all demo files; the first is the default layer to show.
func Files() []File {
	return []File{{"demo", picture}, {"elevation", elevation}, {"sheet", sheet}}
}
