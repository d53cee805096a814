package wmts

import (
	"slices"

	"tileserver/http/serve"
	"tileserver/http/wmts/wmts100"
	"tileserver/layer"
)

// The formats that the capabilities may list, first PNG, which is lossless and can be transparent.
var formats = [...]layer.Format{layer.PNG, layer.JPEG, layer.WebP}

func isListed(format layer.Format) bool { return slices.Contains(formats[:], format) }

// formatNamed returns the format of a media type.
func formatNamed(mime string) (layer.Format, error) {
	for _, f := range formats {
		if f.MIME() == mime {
			return f, nil
		}
	}
	return 0, wmts100.Invalid("format", "no tiles in the format %q", mime)
}

// formatsOf returns the formats that every style of a layer supports, and that strangers may ask for.
// Colors that encode numbers rule out JPEG but may be lossless WebP. WebP supports all that JPEG does.
func formatsOf(l *layer.Layer) []wmts100.Format {
	supported := []layer.Format{layer.PNG}
	switch {
	case canShowAllStyles(l, layer.JPEG):
		supported = formats[:]
	case canShowAllStyles(l, layer.WebP):
		supported = append(supported, layer.WebP)
	}
	var named []wmts100.Format
	for _, f := range serve.Allowed(l, supported...) {
		named = append(named, wmts100.Format{MIME: f.MIME(), Extension: f.Extension()})
	}
	return named
}

// canShowAllStyles reports whether a format supports every style of a layer.
func canShowAllStyles(l *layer.Layer, format layer.Format) bool {
	for _, style := range l.Styles() {
		if !l.CanShow(style.Style, format) {
			return false
		}
	}
	return true
}
