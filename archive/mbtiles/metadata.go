package mbtiles

import (
	"fmt"
	"strconv"
	"strings"

	"tileserver/archive"
)

// row is a row of the table metadata.
type row struct{ name, value string }

const (
	typeOverlay   = "overlay"
	typeBaseLayer = "baselayer"
	formatMixed   = "mixed"
)

// metadataOf returns the rows of a description. The specification wants name and format.
func metadataOf(d archive.Description) []row {
	kind, format := typeBaseLayer, d.Format.Extension()
	if d.IsOverlay {
		kind = typeOverlay
	}
	if d.Format == archive.Mixed {
		format = formatMixed
	}
	rows := []row{
		{"name", d.Name},
		{"format", format},
		{"bounds", list(d.Bounds.West, d.Bounds.South, d.Bounds.East, d.Bounds.North)},
		{"center", list(d.Center.Longitude, d.Center.Latitude, float64(d.Center.Zoom))},
		{"minzoom", fmt.Sprint(d.MinZoom)},
		{"maxzoom", fmt.Sprint(d.MaxZoom)},
		{"type", kind},
	}
	for _, optional := range []row{{"attribution", d.Attribution}, {"description", d.Summary}, {"version", d.Version}} {
		if optional.value != "" {
			rows = append(rows, optional)
		}
	}
	return rows
}

func list(numbers ...float64) string {
	var texts []string
	for _, number := range numbers {
		texts = append(texts, strconv.FormatFloat(number, 'f', -1, 64))
	}
	return strings.Join(texts, ",")
}

// descriptionOf returns what metadata says. Values that make no sense are unknown.
func descriptionOf(metadata map[string]string) archive.Description {
	d := archive.Description{
		Name: metadata["name"], Summary: metadata["description"], Attribution: metadata["attribution"], Version: metadata["version"],
		IsOverlay: metadata["type"] == typeOverlay, Format: archive.FormatNamed(metadata["format"]),
	}
	if bounds := numbers(metadata["bounds"], 4); bounds != nil {
		d.Bounds = archive.Bounds{West: bounds[0], South: bounds[1], East: bounds[2], North: bounds[3]}
	}
	if d.Bounds.Check() != nil {
		d.Bounds = archive.Bounds{}
	}
	if center := numbers(metadata["center"], 3); center != nil {
		d.Center = archive.Center{Longitude: center[0], Latitude: center[1], Zoom: zoomOf(center[2])}
	}
	if d.Check() != nil {
		d.Center = archive.Center{}
	}
	return d
}

// numbers parses a list of so many numbers. It returns nil if the text is none.
func numbers(text string, count int) []float64 {
	parts := strings.Split(text, ",")
	if len(parts) != count {
		return nil
	}
	parsed := make([]float64, count)
	for i, part := range parts {
		var err error
		if parsed[i], err = strconv.ParseFloat(strings.TrimSpace(part), 64); err != nil {
			return nil
		}
	}
	return parsed
}

// zoomOf returns the next zoom that there is.
func zoomOf(number float64) uint8 {
	if !(number > 0) { // also if it is not a number
		return 0
	}
	return uint8(min(number, archive.MaxZoom))
}
