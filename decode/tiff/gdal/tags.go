package gdal

import (
	"strconv"
	"strings"

	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/tag"
)

// Tags holds what GDAL's tags say.
type Tags struct {
	NoData    float64
	HasNoData bool
	Metadata  string // an XML document
}

// NewTags reads the tags of a directory.
func NewTags(d *ifd.Directory) Tags {
	t := Tags{Metadata: d.Entry(tag.GDALMetadata).Text()}
	t.NoData, t.HasNoData = parseNoData(d.Entry(tag.GDALNoData).Text())
	return t
}

// parseNoData parses the decimal number, or nan, that GDAL writes.
func parseNoData(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	switch strings.TrimLeft(text, "+-") { // how Microsoft's C library prints inf and nan
	case "1.#INF":
		text = strings.Replace(text, "1.#INF", "inf", 1)
	case "1.#QNAN", "1.#IND", "1.#SNAN":
		text = "nan"
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}
