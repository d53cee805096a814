package encoder

import (
	"fmt"

	"tileserver/codec/jpeg"
)

// appendHeader appends everything before the entropy-coded data.
func (e *Encoder) appendHeader(out []byte, img *Image, options *Options) []byte {
	out = append(out, 0xff, byte(jpeg.MarkerStart))
	if !options.Abbreviated {
		// Square pixels.
		out = append(out, 0xff, byte(jpeg.MarkerJFIF), 0, 16, 'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0)
		out = e.appendQuantizers(out, img.Format.kinds())
	}
	out = appendFrame(out, img, options.Subsampling)
	if !options.Abbreviated {
		out = appendHuffman(out, img.Format.kinds())
	}
	if img.Format == Gray {
		return append(out, 0xff, byte(jpeg.MarkerScan), 0, 8, 1, 1, 0x00, 0, 63, 0)
	}
	return append(out, 0xff, byte(jpeg.MarkerScan), 0, 12, 3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0)
}

// AppendTables appends a stream of the tables that abbreviated pictures of a format and quality lack.
func (e *Encoder) AppendTables(dst []byte, format Format, quality int) ([]byte, error) {
	options := Options{Quality: quality}
	if err := options.validate(); err != nil {
		return dst, err
	}
	if format > Gray {
		return dst, fmt.Errorf("%w: format %d does not exist", ErrImage, format)
	}
	e.setQuality(quality)
	out := append(dst, 0xff, byte(jpeg.MarkerStart))
	out = e.appendQuantizers(out, format.kinds())
	out = appendHuffman(out, format.kinds())
	return append(out, 0xff, byte(jpeg.MarkerEnd)), nil
}

// appendQuantizers appends the quantizers of so many kinds of components in one segment.
func (e *Encoder) appendQuantizers(out []byte, kinds int) []byte {
	out = append(out, 0xff, byte(jpeg.MarkerQuantizer), 0, byte(2+65*kinds))
	for i := range kinds {
		out = append(out, byte(i))
		out = append(out, e.quantizers[i].steps[:]...)
	}
	return out
}

func appendFrame(out []byte, img *Image, subsampling Subsampling) []byte {
	components := byte(3)
	lumaSampling := byte(0x22)
	if subsampling == Chroma444 {
		lumaSampling = 0x11
	}
	if img.Format == Gray {
		components, lumaSampling = 1, 0x11
	}
	out = append(out, 0xff, byte(jpeg.MarkerFrame), 0, 8+3*components, 8)
	out = append(out, byte(img.Height>>8), byte(img.Height), byte(img.Width>>8), byte(img.Width))
	out = append(out, components, 1, lumaSampling, 0)
	if img.Format == Gray {
		return out
	}
	return append(out, 2, 0x11, 1, 3, 0x11, 1)
}

// appendHuffman appends the codes of so many kinds of components in one segment.
func appendHuffman(out []byte, kinds int) []byte {
	tables, length := jpeg.TypicalHuffman[:2*kinds], 2
	for _, t := range tables {
		length += 1 + len(t.Counts) + len(t.Symbols)
	}
	out = append(out, 0xff, byte(jpeg.MarkerHuffman), byte(length>>8), byte(length))
	for _, t := range tables {
		out = append(out, t.Class)
		out = append(out, t.Counts[:]...)
		out = append(out, t.Symbols...)
	}
	return out
}
