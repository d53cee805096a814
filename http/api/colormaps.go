package api

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"tileserver/display/colormap"
	"tileserver/http/answer"
	"tileserver/http/request"
)

// colorMapSwatches is the number of colors listed for a color map, enough for a swatch.
const colorMapSwatches = 16

// colorMapDocument describes a color map that requests may name.
type colorMapDocument struct {
	Name   string         `json:"name"`
	Group  colormap.Group `json:"group"`
	Colors []string       `json:"colors"` // evenly spread, from the first to the last
}

// colorMaps lists the color maps. The document is computed once, on the first request.
func colorMaps() answer.Handler {
	document := sync.OnceValue(func() []byte { return answer.Marshal(map[string]any{"colormaps": colorMapDocuments()}) })
	return func(e *answer.Exchange, r *http.Request) error {
		if err := request.ParametersOf(r).Allow().Err; err != nil {
			return err
		}
		e.SendDocument(r, answer.MIMEJSON, document())
		return nil
	}
}

// colorMapDocuments describes every color map in one direction. All exist reversed as well.
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
