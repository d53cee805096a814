package request

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"tileserver/geo"
	"tileserver/layer/tilesets"
)

// boxCRS returns the CRS of the bbox and that of the view, as one pointer if they are equal. crs
// sets both. TiTiler calls them coord_crs and dst_crs: coord_crs alone sets both, dst_crs alone
// sets that of the view.
func (p *Parameters) boxCRS() (bboxCRS, viewCRS *geo.CRS) {
	box, view := p.Either("bbox-crs", "coord_crs"), p.Either("crs", "dst_crs")
	switch {
	case view == "":
		view = box
	case box == "" && p.Text("dst_crs") == "":
		box = view
	}
	viewCRS = p.CRS(view)
	if view == box {
		return viewCRS, viewCRS
	}
	bboxCRS = p.CRS(box)
	switch {
	case p.Err != nil:
	case bboxCRS == nil || viewCRS == nil:
		p.Reject("a bbox in image pixels cannot be shown in another crs: %s and %s must be equal", box, view)
	case bboxCRS.Key() == viewCRS.Key():
		bboxCRS = viewCRS
	}
	return bboxCRS, viewCRS
}

// Either returns the value of a parameter that has two names. If both are given they must agree.
func (p *Parameters) Either(name, other string) string {
	first, second := p.Text(name), p.Text(other)
	if first != "" && second != "" && first != second {
		p.Reject("%s and %s are synonyms but differ: %q and %q", name, other, first, second)
	}
	return cmp.Or(first, second)
}

// DefaultCRS is the reference system of coordinates for which a request names none.
const DefaultCRS = "EPSG:4326"

// CRS returns the reference system of a name, or nil for "image". Coordinates are always x
// before y, so longitude before latitude, which makes EPSG:4326 and CRS84 the same.
func (p *Parameters) CRS(name string) *geo.CRS {
	switch strings.ToUpper(name) {
	case "":
		name = DefaultCRS
	case strings.ToUpper(tilesets.ImageID):
		return nil
	case "CRS84", "OGC:CRS84":
		name = DefaultCRS
	}
	code, err := strconv.Atoi(strings.TrimPrefix(strings.ToUpper(name), "EPSG:"))
	if err != nil {
		p.Reject("crs must be like EPSG:3857, or CRS84, or image, not %q", name)
		return nil
	}
	crs, err := geo.ByCode(code)
	if errors.Is(err, geo.ErrUnknownCRS) {
		p.Reject("crs: %v", err)
	} else if err != nil && p.Err == nil {
		p.Err = err
	}
	return crs
}
