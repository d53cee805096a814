package display

import (
	"encoding/hex"
	"hash/fnv"
	"strconv"
	"strings"

	"tileserver/display/statistics"
	"tileserver/raster"
)

// renderingVersion is part of every key. Increase it when the same spec and statistics render
// other pixels than before.
const renderingVersion = 2

// Key identifies the style: it differs wherever pictures of the same samples would differ.
// Statistics are not part of it, since they are not known yet. Specs that ask for the same thing
// in different ways have the same key.
func (r *Resolved) Key() string {
	return r.keyWith(r.ranges)
}

// keyWith returns the key of r with given ranges, or without ranges if they are nil.
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
	case r.sampleColors != nil:
		b.WriteString(":samples=" + r.sampleColors.Key())
	case ranges != nil:
		b.WriteString(":rescale=")
		for _, limits := range ranges {
			b.WriteString(number(limits.Low) + "," + number(limits.High) + ";")
		}
	case r.data:
		b.WriteString(":data")
	case !r.encodesHeights():
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

// writeComputing writes everything that is computed from samples before the stretch.
func (r *Resolved) writeComputing(b *strings.Builder) {
	if r.computation != nil {
		b.WriteString(":values=" + r.computation.key())
	}
	if r.relief != nil {
		b.WriteString(":relief=" + r.relief.String())
	}
	if r.isLines() {
		b.WriteString(":cased")
	}
	if r.shading != nil {
		b.WriteString(":shade=" + r.shading.key())
	}
}

func paletteDigest(palette []raster.RGBA) string {
	digest := fnv.New128a()
	for _, c := range palette {
		digest.Write([]byte{c.R, c.G, c.B, c.A})
	}
	return hex.EncodeToString(digest.Sum(nil))
}
