// Package tag numbers the tags of TIFF that say how an image is stored, what its samples mean and
// where it lies on the earth. The packages of decode/tiff that give tags a meaning use it. The
// package must never know how values are read.
package tag

import "tileserver/decode/tiff/ifd"

// The tags, by the names of their specifications. Package ifd has SubIFDs, which it follows itself.
const (
	NewSubfileType              ifd.Tag = 254
	SubfileType                 ifd.Tag = 255
	ImageWidth                  ifd.Tag = 256
	ImageLength                 ifd.Tag = 257
	BitsPerSample               ifd.Tag = 258
	Compression                 ifd.Tag = 259
	Photometric                 ifd.Tag = 262
	FillOrder                   ifd.Tag = 266
	ImageDescription            ifd.Tag = 270
	StripOffsets                ifd.Tag = 273
	Orientation                 ifd.Tag = 274
	SamplesPerPixel             ifd.Tag = 277
	RowsPerStrip                ifd.Tag = 278
	StripByteCounts             ifd.Tag = 279
	PlanarConfig                ifd.Tag = 284
	T4Options                   ifd.Tag = 292
	Predictor                   ifd.Tag = 317
	WhitePoint                  ifd.Tag = 318
	ColorMap                    ifd.Tag = 320
	TileWidth                   ifd.Tag = 322
	TileLength                  ifd.Tag = 323
	TileOffsets                 ifd.Tag = 324
	TileByteCounts              ifd.Tag = 325
	NumberOfInks                ifd.Tag = 334
	ExtraSamples                ifd.Tag = 338
	SampleFormat                ifd.Tag = 339
	JPEGTables                  ifd.Tag = 347
	JPEGProc                    ifd.Tag = 512
	JPEGInterchangeFormat       ifd.Tag = 513
	JPEGInterchangeFormatLength ifd.Tag = 514
	JPEGRestartInterval         ifd.Tag = 515
	JPEGQTables                 ifd.Tag = 519
	JPEGDCTables                ifd.Tag = 520
	JPEGACTables                ifd.Tag = 521
	YCbCrCoefficients           ifd.Tag = 529
	YCbCrSubsampling            ifd.Tag = 530
	ReferenceBlackWhite         ifd.Tag = 532
	PixelScale                  ifd.Tag = 33550
	Tiepoints                   ifd.Tag = 33922
	Transformation              ifd.Tag = 34264
	GeoKeys                     ifd.Tag = 34735
	GeoDoubles                  ifd.Tag = 34736
	GeoASCII                    ifd.Tag = 34737
	GDALMetadata                ifd.Tag = 42112
	GDALNoData                  ifd.Tag = 42113
	RPC                         ifd.Tag = 50844
	LERCParameters              ifd.Tag = 50674
)
