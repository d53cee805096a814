package cog

import (
	"fmt"
	"strconv"
	"strings"

	"tileserver/raster"
)

// metadata returns GDAL's document of metadata: the items of the image, then what it says of bands. It
// returns nothing if there are none.
func (img *Image) metadata(photometric uint16) string {
	var out strings.Builder
	for _, item := range append(img.Metadata[:len(img.Metadata):len(img.Metadata)], img.bandItems(photometric)...) {
		item.write(&out)
	}
	if out.Len() == 0 {
		return ""
	}
	return "<GDALMetadata>\n" + out.String() + "</GDALMetadata>\n"
}

// bandItems returns what TIFF's own tags do not say of bands.
func (img *Image) bandItems(photometric uint16) []Item {
	var items []Item
	for i, b := range img.Info.Bands {
		add := func(name, value string) {
			items = append(items, Item{Band: i + 1, Name: name, Value: value, role: strings.ToLower(name)})
		}
		if b.Color != img.colorOf(i, photometric) {
			add("COLORINTERP", colorName(b.Color))
		}
		if b.Scale != 0 {
			add("OFFSET", formatFloat(b.Offset))
			add("SCALE", formatFloat(b.Scale))
		}
		if b.Unit != "" {
			add("UNITTYPE", b.Unit)
		}
		if b.Name != "" && b.Name != b.Color.String() && b.Name != fmt.Sprintf("band %d", i+1) {
			add("DESCRIPTION", b.Name)
		}
	}
	return items
}

// colorName returns GDAL's name of a color.
func colorName(c raster.Color) string {
	if c == raster.PaletteIndex {
		return "Palette"
	}
	name := c.String()
	return strings.ToUpper(name[:1]) + name[1:]
}

func formatFloat(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func (item *Item) write(out *strings.Builder) {
	out.WriteString("  <Item name=\"")
	out.WriteString(escape(item.Name))
	if item.Domain != "" {
		out.WriteString("\" domain=\"")
		out.WriteString(escape(item.Domain))
	}
	if item.Band > 0 {
		fmt.Fprintf(out, "\" sample=\"%d", item.Band-1)
	}
	if item.role != "" {
		out.WriteString("\" role=\"")
		out.WriteString(escape(item.role))
	}
	out.WriteString("\">")
	out.WriteString(escape(escape(item.Value))) // GDAL unescapes values twice
	out.WriteString("</Item>\n")
}

// escape returns text as XML has it, without the characters that XML cannot have. GDAL reads the names
// of entities only, not their numbers.
func escape(text string) string {
	text = strings.Map(func(r rune) rune {
		isAllowed := r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r != '\uFFFE' && r != '\uFFFF'
		if !isAllowed {
			return -1
		}
		return r
	}, text)
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(text)
}
