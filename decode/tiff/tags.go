package tiff

import "fmt"

// tag is the number of a tag.
type tag uint16

const (
	tagNewSubfileType              tag = 254
	tagSubfileType                 tag = 255
	tagImageWidth                  tag = 256
	tagImageLength                 tag = 257
	tagBitsPerSample               tag = 258
	tagCompression                 tag = 259
	tagPhotometric                 tag = 262
	tagFillOrder                   tag = 266
	tagStripOffsets                tag = 273
	tagOrientation                 tag = 274
	tagSamplesPerPixel             tag = 277
	tagRowsPerStrip                tag = 278
	tagStripByteCounts             tag = 279
	tagPlanarConfig                tag = 284
	tagT4Options                   tag = 292
	tagPredictor                   tag = 317
	tagWhitePoint                  tag = 318
	tagColorMap                    tag = 320
	tagTileWidth                   tag = 322
	tagTileLength                  tag = 323
	tagTileOffsets                 tag = 324
	tagTileByteCounts              tag = 325
	tagSubIFDs                     tag = 330
	tagNumberOfInks                tag = 334
	tagExtraSamples                tag = 338
	tagSampleFormat                tag = 339
	tagJPEGTables                  tag = 347
	tagJPEGProc                    tag = 512
	tagJPEGInterchangeFormat       tag = 513
	tagJPEGInterchangeFormatLength tag = 514
	tagJPEGRestartInterval         tag = 515
	tagJPEGQTables                 tag = 519
	tagJPEGDCTables                tag = 520
	tagJPEGACTables                tag = 521
	tagYCbCrCoefficients           tag = 529
	tagYCbCrSubsampling            tag = 530
	tagReferenceBlackWhite         tag = 532
	tagPixelScale                  tag = 33550
	tagTiepoints                   tag = 33922
	tagTransformation              tag = 34264
	tagGeoKeys                     tag = 34735
	tagGeoDoubles                  tag = 34736
	tagGeoASCII                    tag = 34737
	tagGDALMetadata                tag = 42112
	tagGDALNoData                  tag = 42113
	tagRPC                         tag = 50844
	tagLERCParameters              tag = 50674
)

// String returns the tag's name for errors: the specification's name for tags whose values may be
// long, and the number for others.
func (t tag) String() string {
	names := map[tag]string{
		tagBitsPerSample: "BitsPerSample", tagStripOffsets: "StripOffsets", tagStripByteCounts: "StripByteCounts",
		tagColorMap: "ColorMap", tagTileOffsets: "TileOffsets", tagTileByteCounts: "TileByteCounts",
		tagSubIFDs: "SubIFDs", tagExtraSamples: "ExtraSamples", tagSampleFormat: "SampleFormat",
		tagJPEGTables: "JPEGTables", tagTiepoints: "ModelTiepoint", tagGeoKeys: "GeoKeyDirectory",
		tagGeoDoubles: "GeoDoubleParams", tagGeoASCII: "GeoAsciiParams", tagGDALMetadata: "GDAL_METADATA",
		tagGDALNoData: "GDAL_NODATA", tagRPC: "RPCCoefficient",
		tagJPEGQTables: "JPEGQTables", tagJPEGDCTables: "JPEGDCTables", tagJPEGACTables: "JPEGACTables",
	}
	if name, ok := names[t]; ok {
		return name
	}
	return fmt.Sprintf("tag %d", uint16(t))
}

// isReadAtOpen reports whether the values of t are read at opening. Those of the block index are
// not, since they may take megabytes.
func (t tag) isReadAtOpen() bool {
	switch t {
	case tagNewSubfileType, tagSubfileType, tagImageWidth, tagImageLength, tagBitsPerSample, tagCompression,
		tagPhotometric, tagFillOrder, tagOrientation, tagSamplesPerPixel, tagRowsPerStrip, tagPlanarConfig,
		tagPredictor, tagColorMap, tagTileWidth, tagTileLength, tagSubIFDs, tagExtraSamples, tagSampleFormat,
		tagJPEGTables, tagWhitePoint, tagNumberOfInks, tagYCbCrCoefficients, tagYCbCrSubsampling,
		tagReferenceBlackWhite, tagPixelScale, tagTiepoints, tagTransformation, tagGeoKeys,
		tagGeoDoubles, tagGeoASCII, tagGDALMetadata, tagGDALNoData, tagRPC, tagT4Options, tagLERCParameters,
		tagJPEGProc, tagJPEGInterchangeFormat, tagJPEGInterchangeFormatLength, tagJPEGRestartInterval, tagJPEGQTables,
		tagJPEGDCTables, tagJPEGACTables:
		return true
	}
	return false
}

// isBlockIndex reports whether t is an array of the block index.
func (t tag) isBlockIndex() bool {
	return t == tagStripOffsets || t == tagStripByteCounts || t == tagTileOffsets || t == tagTileByteCounts
}

// photometric is the value of the tag PhotometricInterpretation.
type photometric uint16

const (
	minIsWhite  photometric = 0
	minIsBlack  photometric = 1
	rgb         photometric = 2
	palette     photometric = 3
	maskBits    photometric = 4
	separated   photometric = 5
	yCbCr       photometric = 6
	cieLab      photometric = 8
	iccLab      photometric = 9
	ituLab      photometric = 10
	filterArray photometric = 32803
	logL        photometric = 32844
	logLuv      photometric = 32845
	linearRaw   photometric = 34892
	depth       photometric = 51177
)

// String returns the name of p in lower case, or its number.
func (p photometric) String() string {
	switch p {
	case minIsWhite:
		return "miniswhite"
	case minIsBlack:
		return "minisblack"
	case rgb:
		return "rgb"
	case palette:
		return "palette"
	case maskBits:
		return "mask"
	case separated:
		return "cmyk"
	case yCbCr:
		return "ycbcr"
	case cieLab:
		return "cielab"
	case iccLab:
		return "icclab"
	case ituLab:
		return "itulab"
	case filterArray:
		return "cfa"
	case logL:
		return "logl"
	case logLuv:
		return "logluv"
	case linearRaw:
		return "linearraw"
	case depth:
		return "depth"
	}
	return fmt.Sprintf("%d", uint16(p))
}

// The bits of the tag NewSubfileType.
const (
	subfileReduced = 1
	subfileMask    = 4
)

// The values of the tag SampleFormat.
const (
	formatUnsigned       = 1
	formatSigned         = 2
	formatFloat          = 3
	formatUndefined      = 4
	formatComplexInteger = 5
	formatComplexFloat   = 6
)
