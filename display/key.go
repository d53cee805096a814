package display

import (
	"encoding/hex"
	"hash/fnv"
	"strconv"
	"strings"

	"tileserver/display/statistics"
	"tileserver/raster"
)

// renderingVersion is in every key. It is counted up when the same spec and statistics
// begin to make other pixels.
const renderingVersion = 2

// Key names what is asked for: it differs wherever pictures of the same samples would, but
// for the statistics, which are not known yet. Specs that ask for the same in other words
// have the same key.
func (r *Resolved) Key() string {
	return r.keyWith(r.ranges)
}

// keyWith is the key of r with the samples that are black and white, if they are known.
func (r *Resolved) keyWith(ranges []Range) string {
	var b strings.Builder
	b.WriteString("display" + strconv.Itoa(renderingVersion) + ":" + r.source.String() + ":bands=")
	for i, band := range r.bands {
		b.WriteString(strconv.Itoa(band + 1))
		if r.isInverted(i) {
			b.WriteString("inverted")
		}
		b.WriteString(",")
	}
	b.WriteString("alpha=" + strconv.Itoa(r.alpha+1))
	r.writeComputing(&b)
	switch {
	case r.palette != nil:
		b.WriteString(":palette=" + paletteDigest(r.palette))
	case r.samples != nil:
		b.WriteString(":samples=" + r.samples.Key())
	case ranges != nil:
		b.WriteString(":rescale=")
		for _, given := range ranges {
			b.WriteString(number(given.Low) + "," + number(given.High) + ";")
		}
	case r.data:
		b.WriteString(":data")
	case !r.isCode():
		b.WriteString(":stretch=" + r.stretch.String())
	}
	if r.formula != nil {
		b.WriteString(":formula=" + r.formula.String())
	}
	if r.colors != nil {
		b.WriteString(":colors=" + r.colors.name)
	}
	if r.deep {
		b.WriteString(":deep")
	}
	if r.NeedsStatistics() && ranges == nil {
		b.WriteString(":statistics" + strconv.Itoa(statistics.Version))
	}
	return b.String()
}

// writeComputing writes what is done to samples before anything is stretched.
func (r *Resolved) writeComputing(b *strings.Builder) {
	if r.values != nil {
		b.WriteString(":values=" + r.values.key())
	}
	if r.relief != nil {
		b.WriteString(":relief=" + r.relief.String())
	}
	if r.isLines() {
		b.WriteString(":cased")
	}
	if r.shade != nil {
		b.WriteString(":shade=" + r.shade.key())
	}
}

func paletteDigest(palette []raster.RGBA) string {
	digest := fnv.New128a()
	for _, c := range palette {
		digest.Write([]byte{c.R, c.G, c.B, c.A})
	}
	return hex.EncodeToString(digest.Sum(nil))
}
