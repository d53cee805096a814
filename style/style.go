// Package style describes how a picture looks, and parses that from parameters. Handlers of http,
// the configuration and the command line call it, and package layer renders a Style. The package
// owns the parameters of styles: their names, their meaning and the messages about them. It must
// never know which handler, file or command gives the parameters, or what a layer is.
//
// Words: a *parameter* is a name with values, such as rescale=0,3000; a *base* is the style that
// parameters change.
package style

import (
	"tileserver/display"
	"tileserver/pyramid/resample"
	"tileserver/raster"
)

// A Style describes how a layer is displayed.
type Style struct {
	display.Spec
	Resampling resample.Method
	NoData     *float64 // an additional nodata sample

	// Background is the color behind transparent pixels, in formats without transparency. The zero
	// RGBA is white.
	Background raster.RGBA
}
