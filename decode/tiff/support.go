package tiff

import (
	"cmp"
	"encoding/binary"
	"fmt"

	"tileserver/decode"
	"tileserver/raster"
)

// setLayout sets how samples lie in the blocks.
func (d *directory) setLayout(r tagReader, s *structure) {
	const lowBitFirst = 2
	d.jpegTables = jpegTables(r)
	d.layout = decode.Layout{
		Width:           d.blockWidth,
		Samples:         d.samplesPerBlock(),
		Type:            d.dataType,
		Bits:            d.bits,
		Fields:          d.fields,
		BigEndian:       s.Order == binary.BigEndian,
		Predictor:       decode.Predictor(min(d.effectivePredictor(), 255)),
		LowBitFirst:     r.Uint(tagFillOrder, 1) == lowBitFirst && !d.compression.hasPictures(),
		T4Options:       uint32(r.Uint(tagT4Options, 0)),
		LERCCompression: d.lercCompression(r),
		JPEG: decode.JPEGLayout{
			Tables: decode.NewJPEGTables(d.jpegTables),
			YCbCr:  d.photometric == yCbCr && d.compression == compressionJPEG && !d.planar,
		},
	}
	if d.compression == compressionOldJPEG {
		d.unsupported = cmp.Or(d.unsupported, d.setOldJPEGLayout(s.File, r))
	}
	if !d.isSubsampled() {
		return
	}
	subsampling := decode.Subsampling{Horizontal: int(min(d.subsampling[0], 255)), Vertical: int(min(d.subsampling[1], 255))}
	if d.planar {
		chroma := d.layout
		chroma.Subsampling = subsampling
		d.chromaLayout = &chroma
		return
	}
	d.layout.Subsampling = subsampling
}

// layoutOf returns how the samples of a plane lie in its blocks.
func (d *directory) layoutOf(plane int) *decode.Layout {
	if plane > 0 && d.chromaLayout != nil {
		return d.chromaLayout
	}
	return &d.layout
}

// effectivePredictor returns the predictor, or 1 (none) if the compression ignores it.
func (d *directory) effectivePredictor() uint64 {
	if d.compression.usesPredictor() {
		return d.predictor
	}
	return 1
}

// lercCompression returns the second compression applied to LERC streams, or "" if there is none.
func (d *directory) lercCompression(r tagReader) decode.Compression {
	const deflate, zstd = 1, 2
	parameters := r.Entry(tagLERCParameters).Uints() // the version and the second compression
	if d.compression != compressionLERC || len(parameters) < 2 {
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

func jpegTables(r tagReader) []byte {
	if e := r.Entry(tagJPEGTables); e != nil {
		return e.Value
	}
	return nil
}

// checkSupport says why no codec can decode the directory, or returns nil.
func (d *directory) checkSupport() error {
	codec, ok := d.compression.codec()
	d.codec = codec
	switch {
	case d.unsupported != nil:
		return d.unsupported
	case !ok:
		return fmt.Errorf("compression %d (%v): %w", uint16(d.compression), d.compression, decode.ErrUnsupported)
	case d.dataType == raster.Unknown:
		return fmt.Errorf("sample format %d (%s) of %d bits: %w", d.format, formatName(d.format), d.bits, decode.ErrUnsupported)
	case d.effectivePredictor() < 1 || d.effectivePredictor() > 3:
		return fmt.Errorf("predictor %d: %w", d.effectivePredictor(), decode.ErrUnsupported)
	case d.isSubsampled() && d.samples != 3:
		return fmt.Errorf("YCbCr of %d samples, subsampled: %w", d.samples, decode.ErrUnsupported)
	case d.layout.JPEG.YCbCr && d.samples != 3:
		return fmt.Errorf("YCbCr JPEG of %d samples: %w", d.samples, decode.ErrUnsupported)
	case d.compression == compressionJPEG && (d.bits > 16 || d.dataType.IsFloat()):
		return fmt.Errorf("JPEG of %d-bit %v: %w", d.bits, d.dataType, decode.ErrUnsupported)
	case d.compression == compressionSGILog && d.planar:
		return fmt.Errorf("SGILog of %d bands in planes: %w", d.samples, decode.ErrUnsupported)
	case d.compression == compressionJPEG && d.layout.Samples > 4:
		return fmt.Errorf("JPEG of %d samples: %w", d.layout.Samples, decode.ErrUnsupported)
	}
	if d.chromaLayout != nil {
		if err := d.chromaLayout.Check(); err != nil {
			return err
		}
	}
	return d.layout.Check()
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

// planes returns how many times the grid of units is stored: once per band, or once.
func (d *directory) planes() int {
	if d.planar {
		return d.samples
	}
	return 1
}
