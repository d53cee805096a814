package tiff

import (
	"cmp"
	"encoding/binary"
	"fmt"

	"tileserver/decode"
	"tileserver/raster"
)

// layOut says how the samples of a page lie in its blocks.
func (p *page) layOut(r reading, s *structure) {
	const lowBitFirst = 2
	p.jpegTables = jpegTables(r)
	p.layout = decode.Layout{
		Width:           p.blockWidth,
		Samples:         p.samplesPerBlock(),
		Type:            p.dataType,
		Bits:            p.bits,
		Fields:          p.fields,
		BigEndian:       s.order == binary.BigEndian,
		Predictor:       decode.Predictor(min(p.usedPredictor(), 255)),
		LowBitFirst:     r.uint(tagFillOrder, 1) == lowBitFirst && !p.compression.ofPictures(),
		T4Options:       uint32(r.uint(tagT4Options, 0)),
		LERCCompression: p.aroundLERC(r),
		JPEG: decode.JPEGLayout{
			Tables: decode.NewJPEGTables(p.jpegTables),
			YCbCr:  p.photometric == yCbCr && p.compression == compressionJPEG && !p.planar,
		},
	}
	if r.oldJPEG != nil {
		p.unsupported = cmp.Or(p.unsupported, p.layOutOldJPEG(r))
	}
	if !p.subsampled() {
		return
	}
	subsampling := decode.Subsampling{Horizontal: int(min(p.subsampling[0], 255)), Vertical: int(min(p.subsampling[1], 255))}
	if p.planar {
		chroma := p.layout
		chroma.Subsampling = subsampling
		p.chromaLayout = &chroma
		return
	}
	p.layout.Subsampling = subsampling
}

// layoutOf is how the samples of a plane lie in its blocks.
func (p *page) layoutOf(plane int) *decode.Layout {
	if plane > 0 && p.chromaLayout != nil {
		return p.chromaLayout
	}
	return &p.layout
}

// usedPredictor is the predictor, if the compression is one that heeds it.
func (p *page) usedPredictor() uint64 {
	if p.compression.heedsPredictor() {
		return p.predictor
	}
	return 1
}

// aroundLERC is how LERC streams were compressed once more, or empty.
func (p *page) aroundLERC(r reading) decode.Compression {
	const deflate, zstd = 1, 2
	parameters := r.entries[tagLERCParameters].uints() // the version, and what is around
	if p.compression != compressionLERC || len(parameters) < 2 {
		return ""
	}
	switch parameters[1] {
	case 0:
		return ""
	case deflate:
		return decode.Deflate
	case zstd:
		return decode.ZSTD
	}
	return decode.Compression(fmt.Sprintf("LERC parameter %d", parameters[1]))
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
	case p.subsampled() && p.samples != 3:
		return fmt.Errorf("YCbCr of %d samples, subsampled: %w", p.samples, decode.ErrUnsupported)
	case p.layout.JPEG.YCbCr && p.samples != 3:
		return fmt.Errorf("YCbCr JPEG of %d samples: %w", p.samples, decode.ErrUnsupported)
	case p.compression == compressionJPEG && (p.bits > 16 || p.dataType.IsFloat()):
		return fmt.Errorf("JPEG of %d-bit %v: %w", p.bits, p.dataType, decode.ErrUnsupported)
	case p.compression == compressionSGILog && p.planar:
		return fmt.Errorf("SGILog of %d bands apart: %w", p.samples, decode.ErrUnsupported)
	case p.compression == compressionJPEG && p.layout.Samples > 4:
		return fmt.Errorf("JPEG of %d samples: %w", p.layout.Samples, decode.ErrUnsupported)
	}
	if p.chromaLayout != nil {
		if err := p.chromaLayout.Check(); err != nil {
			return err
		}
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
	case formatComplexInteger:
		return "complex integer"
	case formatComplexFloat:
		return "complex float"
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
