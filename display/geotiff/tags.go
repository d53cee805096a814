package geotiff

type tag uint16

const (
	tagNewSubfileType  tag = 254
	tagImageWidth      tag = 256
	tagImageLength     tag = 257
	tagBitsPerSample   tag = 258
	tagCompression     tag = 259
	tagPhotometric     tag = 262
	tagStripOffsets    tag = 273
	tagSamplesPerPixel tag = 277
	tagRowsPerStrip    tag = 278
	tagStripByteCounts tag = 279
	tagPlanarConfig    tag = 284
	tagPredictor       tag = 317
	tagTileWidth       tag = 322
	tagTileLength      tag = 323
	tagTileOffsets     tag = 324
	tagTileByteCounts  tag = 325
	tagExtraSamples    tag = 338
	tagSampleFormat    tag = 339

	tagModelPixelScale     tag = 33550
	tagModelTiepoint       tag = 33922
	tagModelTransformation tag = 34264
	tagGeoKeyDirectory     tag = 34735
	tagGDALMetadata        tag = 42112
	tagGDALNoData          tag = 42113
)

// fieldType is the type of the values of a tag.
type fieldType uint16

const (
	typeASCII  fieldType = 2
	typeShort  fieldType = 3
	typeLong   fieldType = 4
	typeDouble fieldType = 12
	typeLong8  fieldType = 16 // in BigTIFF only
)

// Values of tags.
const (
	subfileMask = 4

	compressionNone    = 1
	compressionDeflate = 8

	photometricBlackIsZero = 1
	photometricRGB         = 2
	photometricMask        = 4

	planarChunky   = 1
	planarSeparate = 2

	extraUnspecified = 0
	extraAlpha       = 2 // not premultiplied
)
