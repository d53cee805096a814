// Package demo holds the map that is shown where no file is named: an archipelago that does not exist, as a Cloud
// Optimized GeoTIFF. It must never know who reads it.
package demo

import _ "embed"

//go:generate go run ./generate -o demo.tif

//go:embed demo.tif
var file []byte

// Title names the map.
const Title = "Nemo Archipelago"

// Abstract says that it is none of a real place.
const Abstract = "Islands that are not there, in the South Pacific, in UTM zone 10S."

// File is the name of the file and what is in it, which is shared: it must not be changed.
func File() (name string, data []byte) { return "demo.tif", file }
