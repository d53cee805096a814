package cog

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"tileserver/encode/blocks"
	"tileserver/raster"
)

// describe returns the directory of the image of a level. Tags are added in ascending order.
func (img *Image) describe(level int, jpegTables []byte, coding blocks.Coding) *directory {
	d := img.begin(level, 0)
	info := &img.Info
	photometric := img.photometric(coding.Compression)
	d.shorts(tagBitsPerSample, slices.Repeat([]uint16{uint16(8 * info.Type.Size())}, len(info.Bands))...)
	d.shorts(tagCompression, compressionNumber(coding.Compression))
	d.shorts(tagPhotometric, photometric)
	d.shorts(tagSamplesPerPixel, uint16(len(info.Bands)))
	d.shorts(tagPlanarConfig, planarChunky)
	if coding.Predictor > blocks.NoPredictor {
		d.shorts(tagPredictor, uint16(coding.Predictor))
	}
	if photometric == photometricPalette {
		d.shorts(tagColorMap, colorMap(info)...)
	}
	img.blocks(d, level)
	if photometric == photometricCMYK {
		d.shorts(tagInkSet, inkSetCMYK)
	}
	if extra := img.extraSamples(photometric); len(extra) > 0 {
		d.shorts(tagExtraSamples, extra...)
	}
	d.shorts(tagSampleFormat, slices.Repeat([]uint16{sampleFormat(info.Type)}, len(info.Bands))...)
	d.jpeg(jpegTables, photometric)
	if level == 0 {
		img.place(d)
	}
	img.describeForGDAL(d, level, photometric, coding)
	return d
}

// jpeg adds what streams of JPEG lack. Chroma has a sample for four pixels, and the full range.
func (d *directory) jpeg(tables []byte, photometric uint16) {
	if tables != nil {
		d.add(tagJPEGTables, typeUndefined, len(tables), tables)
	}
	if photometric == photometricYCbCr {
		d.shorts(tagYCbCrSubsampling, 2, 2)
		d.rationals(tagReferenceBlackWhite, 0, 255, 128, 255, 128, 255)
	}
}

// describeForGDAL adds tags of GDAL. Overviews have what changes how their samples are read.
func (img *Image) describeForGDAL(d *directory, level int, photometric uint16, coding blocks.Coding) {
	if text := img.metadata(photometric); level == 0 && text != "" {
		d.text(tagGDALMetadata, text)
	}
	if value, ok := img.noData(); ok {
		d.text(tagGDALNoData, formatNumber(img.Info.Type, value))
	}
	if coding.Compression == blocks.LERC {
		d.longs(tagLERCParameters, lercVersion, lercWithin(coding.Around))
	}
	if level == 0 && img.RPC != nil {
		d.doubles(tagRPCCoefficients, img.RPC...)
	}
}

// describeMask returns the directory of the mask of a level.
func (img *Image) describeMask(level int) *directory {
	d := img.begin(level, subfileMask)
	d.shorts(tagBitsPerSample, 1)
	d.shorts(tagCompression, compressionDeflate)
	d.shorts(tagPhotometric, photometricMask)
	d.shorts(tagSamplesPerPixel, 1)
	d.shorts(tagPlanarConfig, planarChunky)
	img.blocks(d, level)
	d.shorts(tagSampleFormat, sampleUnsigned)
	return d
}

// begin returns a directory with the kind and the size of a level.
func (img *Image) begin(level, subfile int) *directory {
	l := &img.Info.Levels[level]
	d := &directory{blocks: l.Columns() * l.Rows()}
	if level > 0 {
		subfile |= subfileReduced
	}
	if subfile != 0 {
		d.longs(tagNewSubfileType, subfile)
	}
	d.number(tagImageWidth, l.Width)
	d.number(tagImageLength, l.Height)
	return d
}

func (img *Image) blocks(d *directory, level int) {
	l := &img.Info.Levels[level]
	d.number(tagTileWidth, l.BlockWidth)
	d.number(tagTileLength, l.BlockHeight)
	d.blockArrays()
}

func compressionNumber(c blocks.Compression) uint16 {
	switch c {
	case blocks.LZW:
		return compressionLZW
	case blocks.Deflate:
		return compressionDeflate
	case blocks.ZSTD:
		return compressionZSTD
	case blocks.LERC:
		return compressionLERC
	case blocks.JPEG:
		return compressionJPEG
	case blocks.WebP:
		return compressionWebP
	}
	return compressionNone
}

// lercWithin returns the number of the second compression of LERC.
func lercWithin(c blocks.Compression) int {
	switch c {
	case blocks.Deflate:
		return lercWithinDeflate
	case blocks.ZSTD:
		return lercWithinZSTD
	}
	return lercAlone
}

func sampleFormat(t raster.DataType) uint16 {
	switch t {
	case raster.Int8, raster.Int16, raster.Int32, raster.Int64:
		return sampleSigned
	case raster.Float32, raster.Float64:
		return sampleFloat
	case raster.ComplexInt16, raster.ComplexInt32:
		return sampleComplexInteger
	case raster.Complex64, raster.Complex128:
		return sampleComplexFloat
	}
	return sampleUnsigned
}

// formatNumber returns a nodata value as text that is read as the same sample.
func formatNumber(t raster.DataType, value float64) string {
	switch {
	case math.IsNaN(value):
		return "nan"
	case math.IsInf(value, 0):
		return fmt.Sprint(value)[:1] + "inf"
	case t == raster.Float32:
		return strconv.FormatFloat(float64(float32(value)), 'g', -1, 64)
	case value == math.Trunc(value) && math.Abs(value) < 1e19:
		return strconv.FormatFloat(value, 'f', 0, 64)
	}
	return strconv.FormatFloat(value, 'g', -1, 64)
}
