package mbtiles

import (
	"fmt"
	"strconv"
	"strings"

	"tileserver/archive"
)

// row is a row of the table metadata.
type row struct{ name, value string }

const formatMixed = "mixed"

// metadataOf returns the rows of a description. The specification wants name and format.
func metadataOf(d archive.Description) []row {
	format := d.Format.Extension()
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
		{"type", d.Kind()},
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
		Format: archive.FormatNamed(metadata["format"]),
	}
	d.SetKind(metadata["type"])
	if bounds := numbers(metadata["bounds"], 4); bounds != nil {
		d.Bounds = archive.Bounds{West: bounds[0], South: bounds[1], East: bounds[2], North: bounds[3]}
	}
	if center := numbers(metadata["center"], 3); center != nil {
		d.Center = archive.Center{Longitude: center[0], Latitude: center[1], Zoom: archive.NearestZoom(center[2])}
	}
	return d.WithoutNonsense()
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
