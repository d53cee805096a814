package geotiff

import "strconv"

// appendMetadata appends the XML of the tag GDAL_METADATA, or nothing if the bands have no
// description.
func appendMetadata(text []byte, bands []Band) []byte {
	start := len(text)
	text = append(text, "<GDALMetadata>\n"...)
	empty := len(text)
	for i := range bands {
		band := &bands[i]
		if band.Name != "" {
			text = appendItem(text, i, "DESCRIPTION", "description", band.Name)
		}
		if band.Scale != 0 && (band.Scale != 1 || band.Offset != 0) {
			text = appendItem(text, i, "OFFSET", "offset", strconv.FormatFloat(band.Offset, 'g', -1, 64))
			text = appendItem(text, i, "SCALE", "scale", strconv.FormatFloat(band.Scale, 'g', -1, 64))
		}
		if band.Unit != "" {
			text = appendItem(text, i, "UNITTYPE", "unittype", band.Unit)
		}
	}
	if len(text) == empty {
		return text[:start]
	}
	return append(text, "</GDALMetadata>\n"...)
}

func appendItem(text []byte, band int, name, role, value string) []byte {
	text = append(text, `  <Item name="`...)
	text = append(text, name...)
	text = append(text, `" sample="`...)
	text = strconv.AppendInt(text, int64(band), 10)
	text = append(text, `" role="`...)
	text = append(text, role...)
	text = append(text, `">`...)
	text = appendEscaped(text, value)
	return append(text, "</Item>\n"...)
}

// appendEscaped appends value escaped for XML twice. GDAL's own writer escapes twice, and its
// reader undoes both.
func appendEscaped(text []byte, value string) []byte {
	for i := range len(value) {
		switch value[i] {
		case '&':
			text = append(text, "&amp;amp;"...)
		case '<':
			text = append(text, "&amp;lt;"...)
		case '>':
			text = append(text, "&amp;gt;"...)
		case '"':
			text = append(text, "&amp;quot;"...)
		default:
			text = append(text, value[i])
		}
	}
	return text
}
