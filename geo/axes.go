package geo

import (
	"strings"
	"sync"
)

// axes describes the axes in the definition of a system. Points in this package are x and y
// regardless of them, but documents that contain coordinates must follow them.
type axes struct {
	abbreviations [2]string // in the order of the definition
	northingFirst bool
	crs84         bool
}

// CRS84 returns the OGC's WGS 84 with longitude first. It has the coordinates, code and key of
// EPSG:4326, which has latitude first. The two differ only in their name in documents and in the
// axis order there.
func CRS84() *CRS { return crs84() }

var crs84 = sync.OnceValue(func() *CRS {
	c := *wgs84()
	c.axes = axes{abbreviations: [2]string{"Lon", "Lat"}, crs84: true}
	return &c
})

// NorthingFirst reports whether documents write y before x, because the first axis of the
// definition is latitude or northing.
func (c *CRS) NorthingFirst() bool { return c.axes.northingFirst }

// AxisAbbreviations returns the abbreviations of the two axes in the order of the definition, like
// "Lat" and "Lon".
func (c *CRS) AxisAbbreviations() (first, second string) {
	switch a := c.axes.abbreviations; {
	case a != [2]string{}:
		return a[0], a[1]
	case c.IsGeographic():
		return "Lon", "Lat"
	}
	return "E", "N"
}

// URN returns a name like "urn:ogc:def:crs:EPSG::3857". It is empty for a system without a code.
func (c *CRS) URN() string {
	return c.nameWithPrefix("urn:ogc:def:crs:EPSG::", "urn:ogc:def:crs:OGC:1.3:CRS84")
}

// URI returns a name like "http://www.opengis.net/def/crs/EPSG/0/3857". It is empty for a system
// without a code.
func (c *CRS) URI() string {
	return c.nameWithPrefix("http://www.opengis.net/def/crs/EPSG/0/", "http://www.opengis.net/def/crs/OGC/1.3/CRS84")
}

// nameWithPrefix returns the prefix with the EPSG code, or the given name for CRS84.
func (c *CRS) nameWithPrefix(prefix, crs84 string) string {
	if c.axes.crs84 {
		return crs84
	}
	code, ok := strings.CutPrefix(c.code, "EPSG:")
	if !ok {
		return ""
	}
	return prefix + code
}

// Ordered returns the coordinates of a point in the axis order of documents.
func (c *CRS) Ordered(p Point) (first, second float64) {
	if c.NorthingFirst() {
		return p.Y, p.X
	}
	return p.X, p.Y
}

// FromOrdered returns a point from coordinates in the axis order of documents.
func (c *CRS) FromOrdered(first, second float64) Point {
	if c.NorthingFirst() {
		return Point{second, first}
	}
	return Point{first, second}
}
