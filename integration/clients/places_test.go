package clients

import (
	"image/color"
	"math"
)

// view is a rectangle of pixels of a level of WebMercatorQuad.
type view struct {
	zoom          int
	left, top     int // columns and rows from the corner of the world
	width, height int
}

// mercatorView returns a view whose corner has the offset x, y from the corner of the layer
// "mercator", in pixels.
func mercatorView(x, y, width, height int) view {
	return view{mercatorZoom, mercatorLeft + x, mercatorTop + y, width, height}
}

// overUTM shows the upper left corner of the layer "utm", which is slightly rotated on this map.
var overUTM = view{13, 1135361, 671490, 400, 300}

// insideUTM lies completely inside the layer "utm".
var insideUTM = view{13, 1135461, 671590, 400, 300}

func (v view) resolution() float64 { return worldWidth / float64(int(256)<<v.zoom) }

// meters converts a position in the view to EPSG:3857.
func (v view) meters(x, y float64) [2]float64 {
	return [2]float64{
		(float64(v.left)+x)*v.resolution() - worldWidth/2,
		worldWidth/2 - (float64(v.top)+y)*v.resolution(),
	}
}

// degrees converts a position in the view to longitude and latitude.
func (v view) degrees(x, y float64) [2]float64 {
	place := v.meters(x, y)
	return degreesOf(place[0], place[1])
}

// degreesOf converts a position in EPSG:3857 to longitude and latitude.
func degreesOf(x, y float64) [2]float64 {
	return [2]float64{x / worldWidth * 360, math.Atan(math.Sinh(y/worldWidth*2*math.Pi)) * 180 / math.Pi}
}

// webMercator converts longitude and latitude to EPSG:3857.
func webMercator(longitude, latitude float64) [2]float64 {
	return [2]float64{longitude / 360 * worldWidth, math.Asinh(math.Tan(latitude*math.Pi/180)) / 2 / math.Pi * worldWidth}
}

func (v view) centerMeters() [2]float64 { return v.meters(float64(v.width)/2, float64(v.height)/2) }

func (v view) centerDegrees() [2]float64 { return v.degrees(float64(v.width)/2, float64(v.height)/2) }

// bounds returns the view's upper left and lower right corners in EPSG:3857.
func (v view) bounds() [4]float64 {
	upperLeft, lowerRight := v.meters(0, 0), v.meters(float64(v.width), float64(v.height))
	return [4]float64{upperLeft[0], upperLeft[1], lowerRight[0], lowerRight[1]}
}

// mercator returns the expected pixels of the layer "mercator" at its own level.
func (v view) mercator(x, y int) color.NRGBA {
	return mercator.at(v.left+x-mercatorLeft, v.top+y-mercatorTop)
}

// utm returns the expected pixels of the layer "utm", and whether they are known.
func (v view) utm(x, y int) (c color.NRGBA, known bool) {
	place := v.degrees(float64(x)+0.5, float64(y)+0.5)
	return utmAt(place[0], place[1])
}
