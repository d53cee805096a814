package geo

import (
	"strings"
	"sync"
)

// axes are those that the definition of a system has. Points here are x and y whatever they say; documents that write
// coordinates must follow them.
type axes struct {
	abbreviations [2]string // in the order of the definition
	northingFirst bool
	crs84         bool
}

// CRS84 is WGS 84 with the longitude first, as the OGC has it. Its coordinates here are those of EPSG:4326, which has the
// latitude first, and so are its code and key: the two differ in what documents call them, and in which order these write.
func CRS84() *CRS { return crs84() }

var crs84 = sync.OnceValue(func() *CRS {
	c := *wgs84()
	c.axes = axes{abbreviations: [2]string{"Lon", "Lat"}, crs84: true}
	return &c
})

// NorthingFirst is true where documents write y before x: where the first axis of the definition is the latitude or the
// northing.
func (c *CRS) NorthingFirst() bool { return c.axes.northingFirst }

// AxisAbbreviations returns those of the two axes in the order of the definition, like "Lat" and "Lon".
func (c *CRS) AxisAbbreviations() (first, second string) {
	switch a := c.axes.abbreviations; {
	case a != [2]string{}:
		return a[0], a[1]
	case c.IsGeographic():
		return "Lon", "Lat"
	}
	return "E", "N"
}

// URN names the system like "urn:ogc:def:crs:EPSG::3857"; it is empty for one without a code.
func (c *CRS) URN() string {
	return c.nameBehind("urn:ogc:def:crs:EPSG::", "urn:ogc:def:crs:OGC:1.3:CRS84")
}

// URI names the system like "http://www.opengis.net/def/crs/EPSG/0/3857"; it is empty for one without a code.
func (c *CRS) URI() string {
	return c.nameBehind("http://www.opengis.net/def/crs/EPSG/0/", "http://www.opengis.net/def/crs/OGC/1.3/CRS84")
}

// nameBehind returns the code behind a prefix, or the name of CRS84.
func (c *CRS) nameBehind(prefix, crs84 string) string {
	if c.axes.crs84 {
		return crs84
	}
	code, ok := strings.CutPrefix(c.code, "EPSG:")
	if !ok {
		return ""
	}
	return prefix + code
}

// Ordered returns the coordinates of a point in the order in which documents write them.
func (c *CRS) Ordered(p Point) (first, second float64) {
	if c.NorthingFirst() {
		return p.Y, p.X
	}
	return p.X, p.Y
}

// FromOrdered returns the point whose coordinates a document writes.
func (c *CRS) FromOrdered(first, second float64) Point {
	if c.NorthingFirst() {
		return Point{second, first}
	}
	return Point{first, second}
}
