package tiff

import (
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
	case tag.ImageDescription:
		return ifd.Rule{Reading: ifd.IfSound, Name: "ImageDescription"}
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
