package lossy

// Factors of BT.601 with limited range, in units of 2^-15. The luma factors add up to 219/255, the
// chroma factors to 0.
const (
	fractionBits = 15

	redToLuma, greenToLuma, blueToLuma = 8414, 16520, 3208
	redToU, greenToU, blueToU          = -4857, -9535, 14392
	redToV, greenToV, blueToV          = 14392, -12051, -2341

	blackLuma  = 16<<fractionBits + 1<<(fractionBits-1)
	grayChroma = 128<<(fractionBits+2) + 1<<(fractionBits+1) // for sums of four pixels
)

// convert converts a picture to planes. It repeats the last pixels up to the ends of the last
// macroblocks.
func (e *Encoder) convert(img *Image) {
	planes := &e.source
	e.hidden.reset(img)
	for y := 0; y < img.Height; y += 2 {
		p := rowPair{
			format: img.Format, width: img.Width,
			// Macroblocks have an even number of rows.
			upperLuma: planes.y.row(y), lowerLuma: planes.y.row(y + 1),
			u: planes.u.row(y / 2), v: planes.v.row(y / 2),
		}
		p.upper = e.hidden.row(img, y)
		p.lower = p.upper
		if y+1 < img.Height {
			p.lower = e.hidden.row(img, y+1)
		}
		p.convert()
	}
	planes.y.extendDown((img.Height + 1) &^ 1)
	planes.u.extendDown((img.Height + 1) / 2)
	planes.v.extendDown((img.Height + 1) / 2)
}

// rowPair holds two rows of pixels and the rows of samples to compute from them.
type rowPair struct {
	format               Format
	width                int
	upper, lower         []byte
	upperLuma, lowerLuma []uint8
	u, v                 []uint8
}

func (p *rowPair) convert() {
	if p.format == Gray {
		p.convertGray()
	} else {
		p.convertPairsInGo(p.convertPairs())
	}
	extend(p.upperLuma, p.width)
	extend(p.lowerLuma, p.width)
	extend(p.u, (p.width+1)/2)
	extend(p.v, (p.width+1)/2)
}

// row returns a row of samples, including the padding to whole macroblocks.
func (p *plane) row(y int) []uint8 { return p.samples[p.at(0, y):][:p.stride-leftBorder-rightBorder] }

// extend fills a row by repeating the last of its first n samples.
func extend(row []uint8, n int) { fill(row[n:], row[n-1]) }

// extendDown fills a plane by repeating the last of its first n rows.
func (p *plane) extendDown(n int) {
	for y := n; p.at(0, y) < len(p.samples); y++ {
		copy(p.row(y), p.row(n-1))
	}
}

func fill(row []uint8, v uint8) {
	for i := range row {
		row[i] = v
	}
}

// convertPairsInGo converts the columns from an even index on. If the width is odd, the last column
// counts twice.
func (p *rowPair) convertPairsInGo(from int) {
	samples := p.format.samples()
	for x := from; x < p.width; x += 2 {
		left, right := x*samples, min(x+1, p.width-1)*samples
		a, b := [3]uint8(p.upper[left:]), [3]uint8(p.upper[right:])
		c, d := [3]uint8(p.lower[left:]), [3]uint8(p.lower[right:])
		p.upperLuma[x], p.upperLuma[x+1] = lumaOf(&a), lumaOf(&b)
		p.lowerLuma[x], p.lowerLuma[x+1] = lumaOf(&c), lumaOf(&d)
		red := int32(a[0]) + int32(b[0]) + int32(c[0]) + int32(d[0])
		green := int32(a[1]) + int32(b[1]) + int32(c[1]) + int32(d[1])
		blue := int32(a[2]) + int32(b[2]) + int32(c[2]) + int32(d[2])
		p.u[x/2] = uint8((redToU*red + greenToU*green + blueToU*blue + grayChroma) >> (fractionBits + 2))
		p.v[x/2] = uint8((redToV*red + greenToV*green + blueToV*blue + grayChroma) >> (fractionBits + 2))
	}
}

// convertGray converts gray pixels.
func (p *rowPair) convertGray() {
	grayRow(p.upperLuma, p.upper)
	grayRow(p.lowerLuma, p.lower)
	fill(p.u[:(p.width+1)/2], 128)
	fill(p.v[:(p.width+1)/2], 128)
}

func lumaOf(p *[3]uint8) uint8 {
	return uint8((redToLuma*int32(p[0]) + greenToLuma*int32(p[1]) + blueToLuma*int32(p[2]) + blackLuma) >> fractionBits)
}

func grayRow(luma, gray []uint8) {
	for x, g := range gray {
		luma[x] = uint8(((redToLuma+greenToLuma+blueToLuma)*int32(g) + blackLuma) >> fractionBits)
	}
}
