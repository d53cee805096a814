package tiff

import (
	"fmt"

	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/tag"
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
	case tag.StripOffsets:
		return ifd.Rule{Reading: ifd.Later, Name: "StripOffsets"}
	case tag.StripByteCounts:
		return ifd.Rule{Reading: ifd.Later, Name: "StripByteCounts"}
	case tag.TileOffsets:
		return ifd.Rule{Reading: ifd.Later, Name: "TileOffsets"}
	case tag.TileByteCounts:
		return ifd.Rule{Reading: ifd.Later, Name: "TileByteCounts"}
	case ifd.SubIFDs: // one too many is an error and must not be ignored
		return ifd.Rule{Reading: ifd.AtOnce, Name: "SubIFDs", MaxValues: uint64(l.Directories) + 1}
	case tag.BitsPerSample:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "BitsPerSample", MaxValues: samples}
	case tag.SampleFormat:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "SampleFormat", MaxValues: samples}
	case tag.ExtraSamples:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "ExtraSamples", MaxValues: samples}
	case tag.ColorMap:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "ColorMap", MaxValues: longestPalette, Raw: true}
	case tag.JPEGTables:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "JPEGTables", MaxValues: valueBytes, Raw: true}
	case tag.JPEGQTables:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "JPEGQTables", MaxValues: longestOfTheRest}
	case tag.JPEGDCTables:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "JPEGDCTables", MaxValues: longestOfTheRest}
	case tag.JPEGACTables:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "JPEGACTables", MaxValues: longestOfTheRest}
	case tag.Tiepoints:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "ModelTiepoint", MaxValues: 6 * maxTiepoints}
	case tag.GeoKeys:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "GeoKeyDirectory", MaxValues: longestKeys}
	case tag.GeoDoubles:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "GeoDoubleParams", MaxValues: longestKeyValues}
	case tag.GeoASCII:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "GeoAsciiParams", MaxValues: longestKeyValues, Raw: true}
	case tag.GDALMetadata:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "GDAL_METADATA", MaxValues: valueBytes, Raw: true}
	case tag.GDALNoData:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "GDAL_NODATA", MaxValues: valueBytes, Raw: true}
	case tag.RPC:
		return ifd.Rule{Reading: ifd.AtOnce, Name: "RPCCoefficient", MaxValues: rpcNumbers}
	case tag.NewSubfileType, tag.SubfileType, tag.ImageWidth, tag.ImageLength, tag.Compression, tag.Photometric,
		tag.FillOrder, tag.Orientation, tag.SamplesPerPixel, tag.RowsPerStrip, tag.PlanarConfig, tag.Predictor,
		tag.TileWidth, tag.TileLength, tag.WhitePoint, tag.NumberOfInks, tag.YCbCrCoefficients,
		tag.YCbCrSubsampling, tag.ReferenceBlackWhite, tag.PixelScale, tag.Transformation, tag.T4Options,
		tag.LERCParameters, tag.JPEGProc, tag.JPEGInterchangeFormat, tag.JPEGInterchangeFormatLength,
		tag.JPEGRestartInterval:
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

// The values of the tag SampleFormat.
const (
	formatUnsigned       = 1
	formatSigned         = 2
	formatFloat          = 3
	formatUndefined      = 4
	formatComplexInteger = 5
	formatComplexFloat   = 6
)
