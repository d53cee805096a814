package info

import (
	"fmt"
	"strings"

	"tileserver/decode/container"
	"tileserver/display"
	"tileserver/layer/providers"
)

// addDrawn adds what pictures show without style parameters. It adds nothing for an image that
// cannot be rendered.
func (i *Description) addDrawn(m container.Image) {
	if i.Unsupported != "" || i.Undisplayable != "" {
		return
	}
	shown, err := providers.ConvertSamples(m)
	if err != nil {
		return
	}
	resolved, err := display.Spec{}.Resolve(shown.Info())
	if err != nil {
		return
	}
	summary := resolved.Summary(nil)
	i.Default = &summary
	for n, band := range shown.Info().Bands {
		name := band.Name
		if name == band.Color.String() || name == fmt.Sprintf("band %d", n+1) {
			name = "" // the color or the number says the same
		}
		i.drawnNames = append(i.drawnNames, name)
	}
}

// drawn describes which bands pictures show, and how.
func (i *Description) drawn() string {
	if i.Default == nil {
		return ""
	}
	var bands []string
	for _, band := range i.Default.Bands {
		bands = append(bands, i.bandText(band))
	}
	text := fmt.Sprintf("band %s %s", bands[0], drawnAs[i.Default.Mode])
	if len(bands) > 1 {
		text = fmt.Sprintf("bands %s as red, green and blue", strings.Join(bands, ", "))
	}
	if i.Default.Stretch != "none" {
		text += ", stretched by its statistics (" + i.Default.Stretch + ")"
	}
	if i.Default.Opacity > 0 {
		text += ", opacity from band " + i.bandText(i.Default.Opacity)
	}
	return text
}

var drawnAs = map[display.Mode]string{
	display.ModeGray:    "in gray",
	display.ModePalette: "in the colors of its palette",
}

// bandText returns the number of a band, and its name if that adds something.
func (i *Description) bandText(band int) string {
	if name := i.drawnNames[band-1]; name != "" {
		return fmt.Sprintf("%d (%s)", band, name)
	}
	return fmt.Sprint(band)
}
