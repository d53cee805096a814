// Package tag numbers what the directories of TIFF files are written with: tags, the types of their
// values, and values that stand for something. It also has the values of the tags that say where an
// image lies on the earth. Packages that write TIFF files use it. It must never know pixels, or how
// files are laid out.
package tag

// A Tag is the number of a tag.
type Tag uint16

// The tags, by the names of their specifications.
const (
	NewSubfileType      Tag = 254
	ImageWidth          Tag = 256
	ImageLength         Tag = 257
	BitsPerSample       Tag = 258
	Compression         Tag = 259
	Photometric         Tag = 262
	StripOffsets        Tag = 273
	SamplesPerPixel     Tag = 277
	RowsPerStrip        Tag = 278
	StripByteCounts     Tag = 279
	PlanarConfig        Tag = 284
	Predictor           Tag = 317
	ColorMap            Tag = 320
	TileWidth           Tag = 322
	TileLength          Tag = 323
	TileOffsets         Tag = 324
	TileByteCounts      Tag = 325
	InkSet              Tag = 332
	ExtraSamples        Tag = 338
	SampleFormat        Tag = 339
	JPEGTables          Tag = 347
	YCbCrSubsampling    Tag = 530
	ReferenceBlackWhite Tag = 532
	PixelScale          Tag = 33550
	Tiepoints           Tag = 33922
	Transformation      Tag = 34264
	GeoKeys             Tag = 34735
	GeoDoubles          Tag = 34736
	GeoASCII            Tag = 34737
	GDALMetadata        Tag = 42112
	GDALNoData          Tag = 42113
	LERCParameters      Tag = 50674
	RPC                 Tag = 50844
)

// Type is the type of the values of a tag.
type Type uint16

// The types.
const (
	ASCII     Type = 2
	Short     Type = 3
	Long      Type = 4
	Rational  Type = 5
	Undefined Type = 7
	Double    Type = 12
	Long8     Type = 16 // in BigTIFF only
)
