package layer

import (
	"tileserver/layer/areas"
	"tileserver/style"
)

// A Request asks for a picture of a layer.
type Request struct {
	Layer    *Layer // may be removed from the catalog meanwhile
	Area     areas.Area
	Style    style.Style
	Format   Format
	Encoding Encoding
	Finish   Finish
	Unmasked bool // of NPY: without the validity mask
}
