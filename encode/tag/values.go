package tag

// The bits of the tag NewSubfileType, which tells overviews and masks from images.
const (
	Reduced = 1
	Mask    = 4
)

// Values of the tag Compression.
const (
	CompressionNone    = 1
	CompressionLZW     = 5
	CompressionJPEG    = 7
	CompressionDeflate = 8
	CompressionLERC    = 34887
	CompressionZSTD    = 50000
	CompressionWebP    = 50001
)

// Values of the tag Photometric.
const (
	PhotometricWhiteIsZero = 0
	PhotometricBlackIsZero = 1
	PhotometricRGB         = 2
	PhotometricPalette     = 3
	PhotometricMask        = 4
	PhotometricCMYK        = 5
	PhotometricYCbCr       = 6
)

// Values of the tag LERCParameters: the version of LERC, and what is around each stream.
const (
	LERCVersion       = 4
	LERCAlone         = 0
	LERCWithinDeflate = 1
	LERCWithinZSTD    = 2
)

// Values of the tag PlanarConfig.
const (
	PlanarChunky   = 1
	PlanarSeparate = 2
)

// InkSetCMYK is the value of the tag InkSet for cyan, magenta, yellow and black.
const InkSetCMYK = 1

// Values of the tag ExtraSamples.
const (
	ExtraUnspecified   = 0
	ExtraPremultiplied = 1 // opacity, by which colors are multiplied
	ExtraAlpha         = 2 // opacity, not premultiplied
)

// Values of the tag SampleFormat.
const (
	SampleUnsigned       = 1
	SampleSigned         = 2
	SampleFloat          = 3
	SampleComplexInteger = 5
	SampleComplexFloat   = 6
)
