package display

import (
	"encoding/hex"
	"hash/fnv"
	"strconv"
	"strings"

	"tileserver/raster"
)

// renderingVersion is in every key. It is counted up when the same spec and statistics
// begin to make other pixels.
const renderingVersion = 1

// Key names what is asked for: it differs wherever pictures of the same samples would, but
// for the statistics, which are not known yet. Specs that ask for the same in other words
// have the same key.
func (r *Resolved) Key() string {
	return r.keyWith(r.ranges)
}

// keyWith is the key of r with the samples that are black and white, if they are known.
func (r *Resolved) keyWith(ranges []Range) string {
	var b strings.Builder
	b.WriteString("display" + strconv.Itoa(renderingVersion) + ":" + r.dataType.String() + ":bands=")
	for i, band := range r.bands {
		b.WriteString(strconv.Itoa(band + 1))
		if r.isInverted(i) {
			b.WriteString("inverted")
		}
		b.WriteString(",")
	}
	b.WriteString("alpha=" + strconv.Itoa(r.alpha+1))
	switch {
	case r.palette != nil:
		b.WriteString(":palette=" + paletteDigest(r.palette))
	case ranges != nil:
		b.WriteString(":rescale=")
		for _, given := range ranges {
			b.WriteString(number(given.Low) + "," + number(given.High) + ";")
		}
	default:
		b.WriteString(":stretch=" + r.stretch.String())
	}
	if r.colorMap != nil {
		b.WriteString(":colors=" + r.colorMap.name)
	}
	return b.String()
}

func paletteDigest(palette []raster.RGBA) string {
	digest := fnv.New128a()
	for _, c := range palette {
		digest.Write([]byte{c.R, c.G, c.B, c.A})
	}
	return hex.EncodeToString(digest.Sum(nil))
}
