package http

import (
	"fmt"
	"net/http"
	"strings"

	"tileserver/display/colormap"
)

// colorMapSwatches is how many colours of a map are told of: enough for a swatch.
const colorMapSwatches = 16

// colorMapDocument is a map of colours that requests may name.
type colorMapDocument struct {
	Name   string   `json:"name"`
	Colors []string `json:"colors"` // evenly spread, from the first to the last
}

// colorMaps lists the colour maps. Each can be had reversed as well.
func (s *server) colorMaps(e *exchange, r *http.Request) error {
	documents := []colorMapDocument{}
	for _, name := range colormap.Names() {
		if colors, ok := colormap.Named(name); ok && !strings.HasSuffix(name, colormap.ReversedSuffix) {
			documents = append(documents, colorMapDocument{name, swatchOf(colors)})
		}
	}
	e.sendJSON(r, map[string]any{"colormaps": documents})
	return nil
}

func swatchOf(colors *[256]colormap.Color) []string {
	swatch := make([]string, colorMapSwatches)
	for i := range swatch {
		c := colors[i*(len(colors)-1)/(colorMapSwatches-1)]
		swatch[i] = fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	}
	return swatch
}
