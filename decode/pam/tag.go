package pam

import "strconv"

// ParseTag parses the value of the TIFF tag GDAL_METADATA.
func ParseTag(text []byte, limits Limits) (*Document, error) {
	r, err := newReader(text, limits)
	if err != nil {
		return nil, err
	}
	if err := r.root("GDALMetadata"); err != nil {
		return nil, err
	}
	d := &Document{Bands: make(map[int]*Band)}
	err = r.children(func(e element) error {
		value, err := r.text()
		if err == nil && e.name == "Item" {
			d.addItem(e, unescapeItem(value), limits)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// addItem stores a value according to its role. An item of a band has the index of the band, from
// 0.
func (d *Document) addItem(e element, value string, limits Limits) {
	name, domain := e.attribute("name"), e.attribute("domain")
	sample, err := strconv.Atoi(e.attribute("sample"))
	if err != nil {
		if e.attribute("sample") == "" && name != "" {
			d.Metadata.set(domain, name, value)
		}
		return
	}
	band := d.band(sample, limits)
	switch e.attribute("role") {
	case "scale":
		band.Scale = number(value)
	case "offset":
		band.Offset = number(value)
	case "unittype":
		band.Unit = value
	case "description":
		band.Description = value
	case "colorinterp":
		band.Color = value
	default:
		if name != "" {
			band.Metadata.set(domain, name, value)
		}
	}
}
