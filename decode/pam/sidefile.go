package pam

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseSideFile parses the content of NAME.aux.xml.
func ParseSideFile(text []byte, limits Limits) (*Document, error) {
	r, err := newReader(text, limits)
	if err != nil {
		return nil, err
	}
	if err := r.root("PAMDataset"); err != nil {
		return nil, err
	}
	d := &Document{Bands: make(map[int]*Band)}
	if err := r.children(func(e element) error { return r.addTo(d, e) }); err != nil {
		return nil, err
	}
	return d, nil
}

func (r *reader) addTo(d *Document, e element) error {
	switch e.name {
	case "GCPList":
		d.ControlPointCRS = strings.TrimSpace(e.attribute("Projection"))
		return r.children(func(e element) error { return r.addControlPoint(d, e) })
	case "Metadata":
		return r.metadata(&d.Metadata, e)
	case "PAMRasterBand":
		band, err := strconv.Atoi(e.attribute("band"))
		if err != nil {
			return r.skip()
		}
		b := d.band(band-1, r.limits)
		return r.children(func(e element) error { return r.addToBand(b, e) })
	}
	text, err := r.text()
	switch e.name {
	case "SRS":
		d.CRS = strings.TrimSpace(text)
	case "GeoTransform":
		d.GeoTransform = geoTransform(text)
	}
	return err
}

// geoTransform parses six numbers. It returns nil for any other text.
func geoTransform(text string) *[6]float64 {
	fields := strings.Split(text, ",")
	var t [6]float64
	if len(fields) != len(t) {
		return nil
	}
	for i, field := range fields {
		v := number(field)
		if v == nil {
			return nil
		}
		t[i] = *v
	}
	return &t
}

func (r *reader) addControlPoint(d *Document, e element) error {
	if e.name != "GCP" {
		return r.skip()
	}
	if len(d.ControlPoints) == r.limits.Points {
		return fmt.Errorf("more than %d control points: %w", r.limits.Points, ErrLimit)
	}
	p := ControlPoint{Name: e.attribute("Id"), Info: e.attribute("Info")}
	for name, target := range map[string]*float64{"Pixel": &p.Column, "Line": &p.Row, "X": &p.X, "Y": &p.Y} {
		v := number(e.attribute(name))
		if v == nil {
			return fmt.Errorf("control point %d: %s is %.40q: %w", len(d.ControlPoints)+1, name, e.attribute(name), ErrCorrupt)
		}
		*target = *v
	}
	if z := number(e.attribute("Z")); z != nil {
		p.Z = *z
	}
	err := r.children(func(e element) error {
		text, err := r.text()
		if e.name == "Info" {
			p.Info = text
		}
		return err
	})
	d.ControlPoints = append(d.ControlPoints, p)
	return err
}

// metadata reads the values of one domain. It skips the content of XML domains, whose values have
// no names.
func (r *reader) metadata(m *Metadata, e element) error {
	domain := e.attribute("domain")
	return r.children(func(e element) error {
		name := e.attribute("key")
		value, err := r.text()
		if err == nil && e.name == "MDI" && name != "" {
			m.set(domain, name, value)
		}
		return err
	})
}

func (r *reader) addToBand(b *Band, e element) error {
	switch e.name {
	case "Metadata":
		return r.metadata(&b.Metadata, e)
	case "ColorTable":
		return r.children(func(e element) error { return r.addColor(b, e) })
	case "CategoryNames":
		return r.children(func(e element) error { return r.addCategory(b, e) })
	}
	text, err := r.text()
	switch e.name {
	case "Description":
		b.Description = text
	case "NoDataValue":
		b.NoData = text
	case "UnitType":
		b.Unit = text
	case "ColorInterp":
		b.Color = text
	case "Scale":
		b.Scale = number(text)
	case "Offset":
		b.Offset = number(text)
	}
	return err
}

// maxEntries is the maximum number of palette entries or category names of a band, which suffices
// for 16-bit samples.
const maxEntries = 1 << 16

// addCategory adds the name of a sample value.
func (r *reader) addCategory(b *Band, e element) error {
	text, err := r.text()
	if e.name == "Category" && len(b.Categories) < maxEntries {
		b.Categories = append(b.Categories, text)
	}
	return err
}

// addColor adds a palette entry.
func (r *reader) addColor(b *Band, e element) error {
	if e.name == "Entry" && len(b.Palette) < maxEntries {
		component := func(name string, fallback uint8) uint8 {
			if v := number(e.attribute(name)); v != nil {
				return uint8(min(max(*v, 0), 255))
			}
			return fallback
		}
		b.Palette = append(b.Palette, Color{component("c1", 0), component("c2", 0), component("c3", 0), component("c4", 255)})
	}
	return r.skip()
}
