package http

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"tileserver/display/colormap"
)

// colorMapSwatches is how many colours of a map are told of: enough for a swatch.
const colorMapSwatches = 16

// colorMapDocument is a map of colours that requests may name.
type colorMapDocument struct {
	Name   string         `json:"name"`
	Group  colormap.Group `json:"group"`
	Colors []string       `json:"colors"` // evenly spread, from the first to the last
}

// colorMaps lists the colour maps. All of them are made for that, which is done once.
func colorMaps() answer {
	document := sync.OnceValue(func() []byte { return marshal(map[string]any{"colormaps": colorMapDocuments()}) })
	return func(e *exchange, r *http.Request) error {
		e.sendDocument(r, mimeJSON, document())
		return nil
	}
}

// colorMapDocuments are all maps in one direction. Each can be had reversed as well.
func colorMapDocuments() []colorMapDocument {
	documents := []colorMapDocument{}
	for _, name := range colormap.Names() {
		if colors, ok := colormap.Named(name); ok && !strings.HasSuffix(name, colormap.ReversedSuffix) {
			documents = append(documents, colorMapDocument{name, colormap.GroupOf(name), swatchOf(colors)})
		}
	}
	return documents
}

func swatchOf(colors *[256]colormap.Color) []string {
	swatch := make([]string, colorMapSwatches)
	for i := range swatch {
		c := colors[i*(len(colors)-1)/(colorMapSwatches-1)]
		swatch[i] = fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	}
	return swatch
}
