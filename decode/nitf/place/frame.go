package place

import (
	"fmt"

	"tileserver/geo"
)

// FromCoverage returns the corners of a frame of a map: latitude and longitude of its outer
// corners. The frames of the poles have rows and columns in an azimuthal equidistant projection of
// a sphere, in which they are squares.
func FromCoverage(latLon [4][2]float64, isPolar, isNorth bool) (*Corners, error) {
	var points [4]geo.Point
	for i, p := range latLon {
		points[i] = geo.Point{X: p[1], Y: p[0]}
	}
	if !isPolar {
		c, err := geographic(points)
		if c != nil {
			c.AreCenters = false
		}
		return c, err
	}
	crs, err := geo.FromWKT(polarZone(isNorth))
	if err != nil {
		return nil, err
	}
	for i, p := range points {
		points[i] = crs.FromLonLat(p)
		if points[i].X != points[i].X {
			return nil, fmt.Errorf("corner %d at longitude %v and latitude %v: %w", i+1, p.X, p.Y, ErrCorrupt)
		}
	}
	return &Corners{CRS: crs, Points: points}, nil
}

// polarZone returns the reference system of a polar zone of ARC, the equal arc-second raster chart.
func polarZone(isNorth bool) string {
	name, latitude := "ARC_System_Zone_18", -90
	if isNorth {
		name, latitude = "ARC_System_Zone_09", 90
	}
	return fmt.Sprintf(`PROJCS["%s",GEOGCS["GCS_Sphere",DATUM["D_Sphere",SPHEROID["Sphere",6378137.0,0.0]],PRIMEM["Greenwich",0.0],`+
		`UNIT["Degree",0.0174532925199433]],PROJECTION["Azimuthal_Equidistant"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],`+
		`PARAMETER["Central_Meridian",0.0],PARAMETER["Latitude_Of_Origin",%d.0],UNIT["Meter",1.0]]`, name, latitude)
}
