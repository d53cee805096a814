package wmts100

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"strconv"

	"tileserver/geo"
	"tileserver/http/plain"
)

// Info is the result of GetFeatureInfo: the values at a pixel of a tile.
type Info struct {
	Layer, Title string
	CRS          string    // the URN of the tile's CRS
	Position     geo.Point // in that CRS, x before y
	Degrees      geo.Point // longitude and latitude; NaN if unknown
	Found        bool      // whether the layer covers the point; the fields below are empty otherwise
	Column, Row  int       // of the layer's own pixels
	Values       []Value
}

// Value is the value of a band. Valid is false for nodata.
type Value struct {
	Name, Unit string
	Number     float64
	Valid      bool
}

// The media types of an Info.
const (
	MIMEText = "text/plain"
	MIMEJSON = "application/json"
	MIMEHTML = "text/html"
)

// InfoFormats returns the formats of an Info.
func InfoFormats() []Format {
	return []Format{{MIMEJSON, "json"}, {MIMEText, "txt"}, {MIMEHTML, "html"}}
}

// Encode returns the document in a format.
func (i *Info) Encode(mime string) []byte {
	switch mime {
	case MIMEText:
		return i.text()
	case MIMEHTML:
		return i.html()
	}
	return i.json()
}

func (i *Info) text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "layer: %s\nposition: %s (%s)\n", i.Layer, pair(i.Position.X, i.Position.Y), i.CRS)
	if !i.Found {
		b.WriteString("the layer has nothing there\n")
		return b.Bytes()
	}
	fmt.Fprintf(&b, "pixel: %d %d\n", i.Column, i.Row)
	for n, name := range i.names() {
		fmt.Fprintf(&b, "%s: %s\n", name, i.Values[n].text())
	}
	return b.Bytes()
}

func (i *Info) html() []byte {
	var b bytes.Buffer
	title := html.EscapeString(plain.Text(i.Title, maxTitleRunes))
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>%s</title></head>\n<body>\n<table>\n<caption>%s</caption>\n", title, title)
	row := func(name, value string) {
		fmt.Fprintf(&b, "<tr><th scope=\"row\">%s</th><td>%s</td></tr>\n", html.EscapeString(name), html.EscapeString(value))
	}
	row("position", pair(i.Position.X, i.Position.Y)+" ("+i.CRS+")")
	if i.Found {
		row("pixel", fmt.Sprintf("%d %d", i.Column, i.Row))
	} else {
		row("value", "the layer has nothing there")
	}
	for n, name := range i.names() {
		row(name, i.Values[n].text())
	}
	b.WriteString("</table>\n</body>\n</html>\n")
	return b.Bytes()
}

// text formats a value with its unit.
func (v *Value) text() string {
	switch {
	case !v.Valid:
		return "no data"
	case v.Unit != "":
		return strconv.FormatFloat(v.Number, 'g', -1, 64) + " " + plain.Text(v.Unit, maxTitleRunes)
	}
	return strconv.FormatFloat(v.Number, 'g', -1, 64)
}

// names returns unique names of the bands: b1, b2 and so on if the layer has none.
func (i *Info) names() []string {
	names := make([]string, len(i.Values))
	used := make(map[string]bool)
	for n := range i.Values {
		names[n] = plain.Text(i.Values[n].Name, maxTitleRunes)
		if names[n] == "" {
			names[n] = "b" + strconv.Itoa(n+1)
		}
		for used[names[n]] {
			names[n] += "_"
		}
		used[names[n]] = true
	}
	return names
}

// featureCollection is GeoJSON, which QGIS shows like vector data.
type featureCollection struct {
	Type     string    `json:"type"`
	Features []feature `json:"features"`
}

type feature struct {
	Type       string          `json:"type"`
	ID         string          `json:"id"`
	Geometry   *pointGeometry  `json:"geometry"`
	Properties json.RawMessage `json:"properties"`
}

type pointGeometry struct {
	Type        string     `json:"type"`
	Coordinates [2]float64 `json:"coordinates"`
}

// json returns a collection of one feature with the values as its properties, or of none.
func (i *Info) json() []byte {
	collection := featureCollection{Type: "FeatureCollection", Features: []feature{}}
	if i.Found {
		f := feature{Type: "Feature", ID: fmt.Sprintf("%s.%d.%d", i.Layer, i.Column, i.Row), Properties: i.properties()}
		if !i.Degrees.IsNaN() {
			f.Geometry = &pointGeometry{"Point", [2]float64{i.Degrees.X, i.Degrees.Y}}
		}
		collection.Features = append(collection.Features, f)
	}
	return append(marshal(collection), '\n')
}

// properties returns an object with the values in the order of the bands.
func (i *Info) properties() json.RawMessage {
	object := []byte{'{'}
	for n, name := range i.names() {
		if n > 0 {
			object = append(object, ',')
		}
		object = append(object, marshal(name)...)
		object = append(object, ':')
		object = append(object, i.Values[n].json()...)
	}
	return append(object, '}')
}

// json encodes a non-finite value as a string.
func (v *Value) json() []byte {
	switch {
	case !v.Valid:
		return []byte("null")
	case math.IsNaN(v.Number) || math.IsInf(v.Number, 0):
		return marshal(strconv.FormatFloat(v.Number, 'g', -1, 64))
	}
	return marshal(v.Number)
}

// marshal encodes types that cannot fail.
func marshal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}
