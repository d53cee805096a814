package tiff

import (
	"fmt"

	"tileserver/decode/tiff/ifd"
)

// The tags that this package uses.
const (
	tagNewSubfileType              ifd.Tag = 254
	tagSubfileType                 ifd.Tag = 255
	tagImageWidth                  ifd.Tag = 256
	tagImageLength                 ifd.Tag = 257
	tagBitsPerSample               ifd.Tag = 258
	tagCompression                 ifd.Tag = 259
	tagPhotometric                 ifd.Tag = 262
	tagFillOrder                   ifd.Tag = 266
	tagStripOffsets                ifd.Tag = 273
	tagOrientation                 ifd.Tag = 274
	tagSamplesPerPixel             ifd.Tag = 277
	tagRowsPerStrip                ifd.Tag = 278
	tagStripByteCounts             ifd.Tag = 279
	tagPlanarConfig                ifd.Tag = 284
	tagT4Options                   ifd.Tag = 292
	tagPredictor                   ifd.Tag = 317
	tagWhitePoint                  ifd.Tag = 318
	tagColorMap                    ifd.Tag = 320
	tagTileWidth                   ifd.Tag = 322
	tagTileLength                  ifd.Tag = 323
	tagTileOffsets                 ifd.Tag = 324
	tagTileByteCounts              ifd.Tag = 325
	tagNumberOfInks                ifd.Tag = 334
	tagExtraSamples                ifd.Tag = 338
	tagSampleFormat                ifd.Tag = 339
	tagJPEGTables                  ifd.Tag = 347
	tagJPEGProc                    ifd.Tag = 512
	tagJPEGInterchangeFormat       ifd.Tag = 513
	tagJPEGInterchangeFormatLength ifd.Tag = 514
	tagJPEGRestartInterval         ifd.Tag = 515
	tagJPEGQTables                 ifd.Tag = 519
	tagJPEGDCTables                ifd.Tag = 520
	tagJPEGACTables                ifd.Tag = 521
	tagYCbCrCoefficients           ifd.Tag = 529
	tagYCbCrSubsampling            ifd.Tag = 530
	tagReferenceBlackWhite         ifd.Tag = 532
	tagPixelScale                  ifd.Tag = 33550
	tagTiepoints                   ifd.Tag = 33922
	tagTransformation              ifd.Tag = 34264
	tagGeoKeys                     ifd.Tag = 34735
	tagGeoDoubles                  ifd.Tag = 34736
	tagGeoASCII                    ifd.Tag = 34737
	tagGDALMetadata                ifd.Tag = 42112
	tagGDALNoData                  ifd.Tag = 42113
	tagRPC                         ifd.Tag = 50844
	tagLERCParameters              ifd.Tag = 50674
)

// rule says how the values of a tag are read. MaxValues is how many can have a meaning: some writers
// store more. The arrays of the block index are read later, since they may take megabytes.
func (l Limits) rule(t ifd.Tag) ifd.Rule {
	const (
		longestPalette   = 3 << 16 // of 16-bit samples
		longestKeys      = 4 << 16 // four numbers a key, counted by 16 bits
		longestKeyValues = 2 << 16 // keys address them by 16 bits and count them by 16 bits
		maxTiepoints     = 1 << 16
		rpcNumbers       = 92
		longestOfTheRest = 16 // the transformation matrix
	)
	samples, valueBytes := uint64(l.Samples), uint64(l.ValueBytes)
	switch t {
	case tagStripOffsets:
		return ifd.Rule{Reading: ifd.Later, Name: "StripOffsets"}
	case tagStripByteCounts:
		return ifd.Rule{Reading: ifd.Later, Name: "StripByteCounts"}
	case tagTileOffsets:
		return ifd.Rule{Reading: ifd.Later, Name: "TileOffsets"}
	case tagTileByteCounts:
		return ifd.Rule{Reading: ifd.Later, Name: "TileByteCounts"}
	case ifd.SubIFDs: // one too many is an error and must not be ignored
		return ifd.Rule{Reading: ifd.AtOnce, Name: "SubIFDs", MaxValues: uint64(l.Directories) + 1}
	case tagBitsPerSample:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "BitsPerSample", MaxValues: samples}
	case tagSampleFormat:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "SampleFormat", MaxValues: samples}
	case tagExtraSamples:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "ExtraSamples", MaxValues: samples}
	case tagColorMap:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "ColorMap", MaxValues: longestPalette, Raw: true}
	case tagJPEGTables:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "JPEGTables", MaxValues: valueBytes, Raw: true}
	case tagJPEGQTables:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "JPEGQTables", MaxValues: longestOfTheRest}
	case tagJPEGDCTables:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "JPEGDCTables", MaxValues: longestOfTheRest}
	case tagJPEGACTables:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "JPEGACTables", MaxValues: longestOfTheRest}
	case tagTiepoints:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "ModelTiepoint", MaxValues: 6 * maxTiepoints}
	case tagGeoKeys:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "GeoKeyDirectory", MaxValues: longestKeys}
	case tagGeoDoubles:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "GeoDoubleParams", MaxValues: longestKeyValues}
	case tagGeoASCII:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "GeoAsciiParams", MaxValues: longestKeyValues, Raw: true}
	case tagGDALMetadata:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "GDAL_METADATA", MaxValues: valueBytes, Raw: true}
	case tagGDALNoData:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "GDAL_NODATA", MaxValues: valueBytes, Raw: true}
	case tagRPC:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "RPCCoefficient", MaxValues: rpcNumbers}
	case tagNewSubfileType, tagSubfileType, tagImageWidth, tagImageLength, tagCompression, tagPhotometric,
		tagFillOrder, tagOrientation, tagSamplesPerPixel, tagRowsPerStrip, tagPlanarConfig, tagPredictor,
		tagTileWidth, tagTileLength, tagWhitePoint, tagNumberOfInks, tagYCbCrCoefficients,
		tagYCbCrSubsampling, tagReferenceBlackWhite, tagPixelScale, tagTransformation, tagT4Options,
		tagLERCParameters, tagJPEGProc, tagJPEGInterchangeFormat, tagJPEGInterchangeFormatLength,
		tagJPEGRestartInterval:
		return ifd.Rule{Reading: ifd.AtOnce, MaxValues: longestOfTheRest}
	}
	return ifd.Rule{} // not used
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
