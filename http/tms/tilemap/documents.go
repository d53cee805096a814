package tilemap

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"tileserver/geo"
	"tileserver/http/plain"
)

// Version is the version of the service.
const Version = "1.0.0"

// MIME is the media type of the documents.
const MIME = "text/xml; charset=utf-8"

// The bounds of texts that come from operators and files.
const (
	maxTitleRunes    = 200
	maxAbstractRunes = 2000
)

func title(text string) string    { return plain.Text(text, maxTitleRunes) }
func abstract(text string) string { return plain.Text(text, maxAbstractRunes) }

// Root returns the document that lists the services at an address.
func Root(name, service string) []byte {
	type reference struct {
		Version string `xml:"version,attr"`
		Title   string `xml:"title,attr"`
		Address string `xml:"href,attr"`
	}
	return write(struct {
		XMLName xml.Name  `xml:"Services"`
		Service reference `xml:"TileMapService"`
	}{Service: reference{Version, title(name), service}})
}

// Service describes the service for its document. Root and the address of the service end with a
// slash.
type Service struct {
	Root                       string
	Title, Abstract            string
	Keywords                   []string
	Person, Organization, Mail string
	Maps                       []Reference

	Remark string // on what the document omits, or ""
}

// Reference is the entry of a map in the document of the service.
type Reference struct {
	Title   string `xml:"title,attr"`
	SRS     string `xml:"srs,attr"`
	Profile string `xml:"profile,attr"`
	Address string `xml:"href,attr"`
}

// Bytes returns the size of the elements of maps in the document of the service.
func Bytes(maps []Reference) int {
	bytes := 0
	for _, of := range maps {
		of.Title = title(of.Title)
		bytes += len(write(of)) - len(xml.Header) + len("    ")
	}
	return bytes
}

// Document returns the document of the service.
func (s Service) Document() []byte {
	type person struct {
		Name         string `xml:"ContactPerson"`
		Organization string `xml:"ContactOrganization"`
	}
	type contact struct {
		Person person `xml:"ContactPersonPrimary"`
		Mail   string `xml:"ContactElectronicMailAddress,omitempty"`
	}
	d := struct {
		XMLName  xml.Name    `xml:"TileMapService"`
		Version  string      `xml:"version,attr"`
		Services string      `xml:"services,attr"`
		Title    string      `xml:"Title"`
		Abstract string      `xml:"Abstract"`
		Keywords string      `xml:"KeywordList,omitempty"`
		Contact  *contact    `xml:"ContactInformation"`
		Maps     []Reference `xml:"TileMaps>TileMap"`
	}{Version: Version, Services: s.Root, Title: title(s.Title), Abstract: strings.TrimSpace(abstract(s.Abstract) + " " + abstract(s.Remark)), Keywords: abstract(strings.Join(s.Keywords, " "))}
	if s.Person+s.Organization+s.Mail != "" {
		d.Contact = &contact{person{title(s.Person), title(s.Organization)}, title(s.Mail)}
	}
	for _, of := range s.Maps {
		of.Title = title(of.Title)
		d.Maps = append(d.Maps, of)
	}
	return write(d)
}

// TileMap describes a map for its document. Address is the map's own, without a slash at the end.
type TileMap struct {
	Service, Address             string
	Title, Abstract, Attribution string
	MIME, Extension              string // of tiles
	Grid                         Grid
	MaxLevel                     int // the finest useful level
}

// coordinate is a number that is written without an exponent, which some clients cannot parse.
type coordinate float64

// MarshalText writes the shortest exact digits.
func (c coordinate) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(c), 'f', -1, 64), nil
}

type box struct {
	MinX coordinate `xml:"minx,attr"`
	MinY coordinate `xml:"miny,attr"`
	MaxX coordinate `xml:"maxx,attr"`
	MaxY coordinate `xml:"maxy,attr"`
}

func boxOf(b geo.Bounds) box {
	return box{coordinate(b.MinX), coordinate(b.MinY), coordinate(b.MaxX), coordinate(b.MaxY)}
}

type point struct {
	X coordinate `xml:"x,attr"`
	Y coordinate `xml:"y,attr"`
}

type tileFormat struct {
	Width     int    `xml:"width,attr"`
	Height    int    `xml:"height,attr"`
	MIME      string `xml:"mime-type,attr"`
	Extension string `xml:"extension,attr"`
}

type tileSets struct {
	Profile string    `xml:"profile,attr"`
	Sets    []tileSet `xml:"TileSet"`
}

type tileSet struct {
	Address       string     `xml:"href,attr"`
	UnitsPerPixel coordinate `xml:"units-per-pixel,attr"`
	Order         int        `xml:"order,attr"`
}

// Document returns the document of the map. Its bounding box is that of all tiles, because clients
// count tiles from its corner.
func (m TileMap) Document() []byte {
	type attribution struct {
		Title string `xml:"Title"`
	}
	srs, _ := m.Grid.SRS()
	bounds, side := m.Grid.Bounds(), m.Grid.TileSide()
	d := struct {
		XMLName     xml.Name     `xml:"TileMap"`
		Version     string       `xml:"version,attr"`
		Service     string       `xml:"tilemapservice,attr"`
		Title       string       `xml:"Title"`
		Abstract    string       `xml:"Abstract"`
		Attribution *attribution `xml:"Attribution"`
		SRS         string       `xml:"SRS"`
		Box         box          `xml:"BoundingBox"`
		Origin      point        `xml:"Origin"`
		Format      tileFormat   `xml:"TileFormat"`
		Sets        tileSets     `xml:"TileSets"`
	}{
		Version: Version, Service: m.Service, Title: title(m.Title), Abstract: abstract(m.Abstract), SRS: srs,
		Box: boxOf(bounds), Origin: point{coordinate(bounds.MinX), coordinate(bounds.MinY)},
		Format: tileFormat{side, side, m.MIME, m.Extension}, Sets: tileSets{Profile: m.Grid.Profile()},
	}
	if m.Attribution != "" {
		d.Attribution = &attribution{title(m.Attribution)}
	}
	for z, units := range m.Grid.UnitsPerPixel(m.MaxLevel) {
		d.Sets.Sets = append(d.Sets.Sets, tileSet{fmt.Sprintf("%s/%d", m.Address, z), coordinate(units), z})
	}
	return write(d)
}

func write(document any) []byte {
	body, err := xml.MarshalIndent(document, "", "  ")
	if err != nil {
		panic(err) // numbers and texts can always be encoded
	}
	return append([]byte(xml.Header), append(body, '\n')...)
}

// MapName returns the name of a map in addresses.
func MapName(layerID, tileSetID string) string { return layerID + "@" + tileSetID }

// ParseMapName splits the name of a map. No part may be empty or contain a further separator.
func ParseMapName(name string) (layerID, tileSetID string, ok bool) {
	layerID, tileSetID, ok = strings.Cut(name, "@")
	return layerID, tileSetID, ok && layerID != "" && tileSetID != "" && !strings.Contains(tileSetID, "@")
}
