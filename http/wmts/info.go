package wmts

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

// Info is what lies at a pixel of a tile.
type Info struct {
	Layer, Title string
	CRS          string    // the name of the CRS of the tile
	Place        geo.Point // in it, x before y
	Degrees      geo.Point // longitude and latitude; NaN where they are not known
	Found        bool      // whether the layer reaches there; what follows is empty if not
	Column, Row  int       // of the layer's own pixels
	Values       []Value
}

// Value is that of a band; a band without data there has none.
type Value struct {
	Name, Unit string
	Number     float64
	Valid      bool
}

// The types in which an Info can be had.
const (
	MIMEText = "text/plain"
	MIMEJSON = "application/json"
	MIMEHTML = "text/html"
)

// InfoFormats are those types.
func InfoFormats() []Format {
	return []Format{{MIMEJSON, "json"}, {MIMEText, "txt"}, {MIMEHTML, "html"}}
}

// As is the document of one of those types.
func (i *Info) As(mime string) []byte {
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
	fmt.Fprintf(&b, "layer: %s\nposition: %s (%s)\n", i.Layer, pair(i.Place.X, i.Place.Y), i.CRS)
	if !i.Found {
		b.WriteString("the layer has nothing there\n")
		return b.Bytes()
	}
	fmt.Fprintf(&b, "pixel: %d %d\n", i.Column, i.Row)
	for n, name := range i.names() {
		fmt.Fprintf(&b, "%s: %s\n", name, i.Values[n].words())
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
	row("position", pair(i.Place.X, i.Place.Y)+" ("+i.CRS+")")
	if i.Found {
		row("pixel", fmt.Sprintf("%d %d", i.Column, i.Row))
	} else {
		row("value", "the layer has nothing there")
	}
	for n, name := range i.names() {
		row(name, i.Values[n].words())
	}
	b.WriteString("</table>\n</body>\n</html>\n")
	return b.Bytes()
}

// words are a value for people.
func (v *Value) words() string {
	switch {
	case !v.Valid:
		return "no data"
	case v.Unit != "":
		return strconv.FormatFloat(v.Number, 'g', -1, 64) + " " + plain.Text(v.Unit, maxTitleRunes)
	}
	return strconv.FormatFloat(v.Number, 'g', -1, 64)
}

// names are those of the bands, all different: b1, b2 and so on where the layer has no others.
func (i *Info) names() []string {
	names := make([]string, len(i.Values))
	taken := make(map[string]bool)
	for n := range i.Values {
		names[n] = plain.Text(i.Values[n].Name, maxTitleRunes)
		if names[n] == "" {
			names[n] = "b" + strconv.Itoa(n+1)
		}
		for taken[names[n]] {
			names[n] += "_"
		}
		taken[names[n]] = true
	}
	return names
}

// featureCollection is GeoJSON, which QGIS shows as it shows vectors.
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

// json is a collection of one feature, the values being its properties, or of none.
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

// properties are the values in the order of the bands.
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

// json has words for what is no number.
func (v *Value) json() []byte {
	switch {
	case !v.Valid:
		return []byte("null")
	case math.IsNaN(v.Number) || math.IsInf(v.Number, 0):
		return marshal(strconv.FormatFloat(v.Number, 'g', -1, 64))
	}
	return marshal(v.Number)
}

// marshal writes values that can all be written.
func marshal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}
