package nitf

import (
	"fmt"
	"slices"
	"strings"

	jpeg "tileserver/codec/jpeg/decoder"
	"tileserver/decode"
	"tileserver/decode/blocks"
	"tileserver/decode/nitf/segments"
	"tileserver/raster"
)

// coding says how stored blocks are encoded.
type coding struct {
	codecs      blocks.Registry
	compression blocks.Compression
	layout      blocks.Layout
	mode        string // IMODE
	bands       int
	isMasked    bool

	// isPlanar says that each band of a block is decoded on its own.
	isPlanar bool
}

// isRaw reports whether blocks are not compressed.
func (c *coding) isRaw() bool { return c.compression == blocks.None }

// isSequential reports whether all blocks of a band come before those of the next one.
func (c *coding) isSequential() bool { return c.mode == "S" && c.bands > 1 }

// planes returns how many entries a table of blocks has for each block.
func (c *coding) planes() int {
	if c.isSequential() {
		return c.bands
	}
	return 1
}

// entry returns the number of the entry in the index that holds a band of a stored block. count is
// the number of stored blocks.
func (c *coding) entry(block, count int64, band int) int64 {
	if c.isSequential() {
		return int64(band)*count + block
	}
	return block
}

// compressionNames maps the values of IC, without the letter that says whether there is a mask, to
// what people call them.
var compressionNames = map[string]string{
	"C": "uncompressed", "0": "compression C0", "1": "CCITT fax", "2": "ARIDPCM", "3": "JPEG", "4": "vector quantization",
	"5": "lossless JPEG", "6": "SAR compression", "7": "complex SAR compression", "8": "JPEG 2000", "D": "HTJ2K", "I1": "downsampled JPEG",
}

// compressionOf returns the key of compressionNames for an image, and whether it has a mask.
func compressionOf(h *segments.Image) (key string, isMasked bool) {
	if h.Compression == "I1" {
		return "I1", false
	}
	if len(h.Compression) != 2 {
		return "", false
	}
	switch h.Compression[0] {
	case 'N':
		// The second letter says it: NC has no mask, NM has one.
		if h.Compression == "NM" {
			return "C", true
		}
		return "C", false
	case 'C':
		return h.Compression[1:], false
	case 'M':
		return h.Compression[1:], true
	}
	return "", false
}

// newCoding returns how the blocks of an image are encoded.
func newCoding(h *segments.Image, g *grid, s samples, bands int, codecs blocks.Registry) (c coding, err error) {
	key, isMasked := compressionOf(h)
	c = coding{codecs: codecs, mode: h.Mode, bands: bands, isMasked: isMasked, isPlanar: true}
	c.layout = blocks.Layout{Width: g.storedWidth, Samples: 1, Type: s.dataType, Bits: s.bits, BigEndian: true}
	if c.mode == "" && bands == 1 {
		c.mode = "B" // all modes are one
	}
	if !slices.Contains([]string{"B", "P", "R", "S"}, c.mode) {
		return c, fmt.Errorf("IMODE %q: %w", c.mode, decode.ErrUnsupported)
	}
	switch key {
	case "C":
		c.setRaw()
	case "0":
		err = c.setUnnamed(h, g)
	case "1":
		err = c.setFax(h)
	case "4":
		err = c.setQuantization()
	case "I1":
		err = c.setReduced(g)
	case "3", "5":
		err = c.setJPEG(h)
	default:
		err = fmt.Errorf("%s: %w", describeCompression(h), decode.ErrUnsupported)
	}
	return c, err
}

// describeCompression returns the compression of an image for people.
func describeCompression(h *segments.Image) string {
	key, isMasked := compressionOf(h)
	name, known := compressionNames[key]
	switch {
	case !known:
		return fmt.Sprintf("compression %q", h.Compression)
	case isMasked:
		return fmt.Sprintf("%s with a mask (IC %s)", name, h.Compression)
	}
	return fmt.Sprintf("%s (IC %s)", name, h.Compression)
}

func (c *coding) setRaw() {
	c.compression = blocks.None
	if c.bands == 1 {
		c.mode = "B" // all modes are one
	}
	c.isPlanar = c.mode != "P"
	if c.mode == "P" {
		c.layout.Samples = c.bands
	}
}

// setUnnamed reads a compression that the writer does not name as none, if the image is as long as it
// is without one.
func (c *coding) setUnnamed(h *segments.Image, g *grid) error {
	c.setRaw()
	raw := newRaw(g, c)
	whole := float64(raw.entryBytes(c)) * float64(g.count()) * float64(c.planes())
	if float64(h.Content.Length) != whole {
		return fmt.Errorf("%s, which is the writer's own: %w", describeCompression(h), decode.ErrUnsupported)
	}
	return nil
}

// setFax reads the options of CCITT fax. All of its schemes are Group 3.
func (c *coding) setFax(h *segments.Image) error {
	c.compression = blocks.CCITTFax3
	c.layout.FaxTwoDimensional = h.Rate != "1D"
	if c.bands != 1 {
		return fmt.Errorf("CCITT fax of %d bands: %w", c.bands, decode.ErrUnsupported)
	}
	c.layout.Bits = 1
	return nil
}

func (c *coding) setQuantization() error {
	c.compression = vectorQuantization
	if c.bands != 1 || c.layout.Bits != 8 || c.layout.Type != raster.Uint8 {
		return fmt.Errorf("vector quantization of %d bands of %d bits: %w", c.bands, c.layout.Bits, decode.ErrUnsupported)
	}
	return nil
}

// setJPEG says whether a stream has one band or all. All are in one in IMODE B too, each in a scan of
// its own. Streams may lack tables that follow from COMRAT.
func (c *coding) setJPEG(h *segments.Image) error {
	c.compression = blocks.JPEG
	if c.isPlanar = c.bands == 1 || c.isSequential(); !c.isPlanar {
		c.layout.Samples = c.bands
		c.layout.JPEG.YCbCr = c.bands == 3 && h.Colors == "YCbCr601"
	}
	if level, isGeneral := strings.CutPrefix(h.Rate, "00."); isGeneral && c.layout.Bits == 8 && len(level) == 1 {
		c.layout.JPEG.Tables = blocks.NewJPEGTables(jpeg.NITFTables(int(level[0] - '0')))
	}
	return nil
}
