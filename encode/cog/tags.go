package cog

type tag uint16

const (
	tagNewSubfileType      tag = 254
	tagImageWidth          tag = 256
	tagImageLength         tag = 257
	tagBitsPerSample       tag = 258
	tagCompression         tag = 259
	tagPhotometric         tag = 262
	tagSamplesPerPixel     tag = 277
	tagPlanarConfig        tag = 284
	tagPredictor           tag = 317
	tagColorMap            tag = 320
	tagTileWidth           tag = 322
	tagTileLength          tag = 323
	tagTileOffsets         tag = 324
	tagTileByteCounts      tag = 325
	tagInkSet              tag = 332
	tagExtraSamples        tag = 338
	tagSampleFormat        tag = 339
	tagJPEGTables          tag = 347
	tagYCbCrSubsampling    tag = 530
	tagReferenceBlackWhite tag = 532
	tagModelPixelScale     tag = 33550
	tagModelTiepoint       tag = 33922
	tagModelTransformation tag = 34264
	tagGeoKeyDirectory     tag = 34735
	tagGeoDoubleParams     tag = 34736
	tagGeoASCIIParams      tag = 34737
	tagGDALMetadata        tag = 42112
	tagGDALNoData          tag = 42113
	tagLERCParameters      tag = 50674
	tagRPCCoefficients     tag = 50844
)

// fieldType is the type of the values of a tag.
type fieldType uint16

const (
	typeASCII     fieldType = 2
	typeShort     fieldType = 3
	typeLong      fieldType = 4
	typeRational  fieldType = 5
	typeUndefined fieldType = 7
	typeDouble    fieldType = 12
	typeLong8     fieldType = 16 // in BigTIFF only
)

// Values of tags.
const (
	subfileReduced = 1
	subfileMask    = 4

	compressionNone    = 1
	compressionLZW     = 5
	compressionJPEG    = 7
	compressionDeflate = 8
	compressionLERC    = 34887
	compressionZSTD    = 50000
	compressionWebP    = 50001

	photometricWhiteIsZero = 0
	photometricBlackIsZero = 1
	photometricRGB         = 2
	photometricPalette     = 3
	photometricMask        = 4
	photometricCMYK        = 5
	photometricYCbCr       = 6

	// The parameters of LERC: its version, and what is around each stream.
	lercVersion       = 4
	lercAlone         = 0
	lercWithinDeflate = 1
	lercWithinZSTD    = 2

	planarChunky = 1
	inkSetCMYK   = 1

	extraUnspecified   = 0
	extraPremultiplied = 1
	extraAlpha         = 2

	sampleUnsigned       = 1
	sampleSigned         = 2
	sampleFloat          = 3
	sampleComplexInteger = 5
	sampleComplexFloat   = 6
)
