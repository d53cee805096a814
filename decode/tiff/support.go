package tiff

import (
	"encoding/binary"
	"fmt"

	"tileserver/decode"
	"tileserver/raster"
)

// newLayout is how the samples of a page lie in its blocks.
func (p *page) newLayout(r reading, s *structure) decode.Layout {
	const lowBitFirst = 2
	return decode.Layout{
		Width:       p.blockWidth,
		Samples:     p.samplesPerBlock(),
		Type:        p.dataType,
		Bits:        p.bits,
		BigEndian:   s.order == binary.BigEndian,
		Predictor:   decode.Predictor(min(p.usedPredictor(), 255)),
		LowBitFirst: r.uint(tagFillOrder, 1) == lowBitFirst && p.compression != compressionJPEG,
		JPEG: decode.JPEGLayout{
			Tables: jpegTables(r),
			YCbCr:  p.photometric == yCbCr && p.compression == compressionJPEG,
		},
	}
}

// usedPredictor is the predictor, if the compression is one that heeds it.
func (p *page) usedPredictor() uint64 {
	switch p.compression {
	case compressionLZW, compressionDeflate, compressionOldDeflate, compressionZSTD:
		return p.predictor
	}
	return 1
}

func jpegTables(r reading) []byte {
	if e := r.entries[tagJPEGTables]; e != nil {
		return e.value
	}
	return nil
}

// checkSupport says what of a page no decoder can do.
func (p *page) checkSupport() error {
	codec, ok := p.compression.codec()
	p.codec = codec
	switch {
	case p.unsupported != nil:
		return p.unsupported
	case !ok:
		return fmt.Errorf("compression %d (%v): %w", uint16(p.compression), p.compression, decode.ErrUnsupported)
	case p.dataType == raster.Unknown:
		return fmt.Errorf("sample format %d (%s) of %d bits: %w", p.format, formatName(p.format), p.bits, decode.ErrUnsupported)
	case p.usedPredictor() < 1 || p.usedPredictor() > 3:
		return fmt.Errorf("predictor %d: %w", p.usedPredictor(), decode.ErrUnsupported)
	case p.photometric == yCbCr && !p.layout.JPEG.YCbCr && p.subsampling != [2]uint64{1, 1}:
		return fmt.Errorf("YCbCr subsampled %dx%d without JPEG: %w", p.subsampling[0], p.subsampling[1], decode.ErrUnsupported)
	case p.layout.JPEG.YCbCr && (p.planar || p.samples != 3):
		return fmt.Errorf("YCbCr JPEG of %d samples, planar configuration %d: %w", p.samples, 1+p.planes()/p.samples, decode.ErrUnsupported)
	case p.compression == compressionJPEG && p.bits != 8:
		return fmt.Errorf("JPEG of %d bits: %w", p.bits, decode.ErrUnsupported)
	case p.compression == compressionJPEG && p.layout.Samples != 1 && p.layout.Samples != 3 && p.layout.Samples != 4:
		return fmt.Errorf("JPEG of %d samples: %w", p.layout.Samples, decode.ErrUnsupported)
	}
	return p.layout.Check()
}

func formatName(format uint64) string {
	switch format {
	case formatUnsigned, formatUndefined:
		return "unsigned"
	case formatSigned:
		return "signed"
	case formatFloat:
		return "float"
	case 5, 6:
		return "complex"
	}
	return "unknown"
}

// planes is how many times the grid of blocks is stored: once a band, or once.
func (p *page) planes() int {
	if p.planar {
		return p.samples
	}
	return 1
}
