// Package lerc decodes Limited Error Raster Compression by Esri: Lerc2 blobs of versions 1 to 6,
// and the older CntZImage. It decodes from a slice into a slice that the caller owns. decode/blocks
// calls it for LERC-compressed blocks. The package knows nothing about the file around a blob or
// the meaning of the samples.
//
// # Blobs
//
// A stream has one blob per band, one after another. All bands have the same width, height, type
// and depth. The *depth* is the number of values of a pixel within one band. ReadHeader returns
// these sizes without decoding, so that the caller can check them before allocating memory.
//
// Decode writes samples band by band, row by row, pixel by pixel, and within a pixel value by
// value. Value v of pixel p of band b is the sample
//
//	(b*Width*Height+p)*Depth + v
//
// in native byte order. The mask has one byte per pixel, band after band: 255 if the pixel is
// valid, otherwise 0. All samples of an invalid pixel are 0.
//
// # Within TIFF
//
// A TIFF with compression 34887 has one stream in each strip or tile. The second number of the tag
// LercParameters (50674) tells how the stream is wrapped: 0 not at all, 1 as zlib data, 2 as a
// Zstandard frame. The caller unwraps it first. The first number is the version, which the stream
// repeats. The stream is as high as its strip, so the last strip may be lower than the others;
// tiles are stored whole. Samples are 8, 16 or 32-bit integers or 32 or 64-bit floats, of the type
// that BitsPerSample and SampleFormat declare. No predictor applies.
//
// libtiff arranges the samples of a pixel and reads invalid pixels as follows:
//
//   - Planar, or one sample: one band, depth 1.
//   - Chunky: one band whose depth is SamplesPerPixel.
//   - Chunky 8-bit unsigned samples with an unassociated alpha as the last extra sample: the mask
//     may replace the alpha. The depth is then SamplesPerPixel-1, and the alpha is the mask's 0 or
//     255. An alpha with other values is stored like any other sample.
//   - Chunky floats with a pixel that is NaN in some but not all of its samples: SamplesPerPixel
//     bands of depth 1, each with its own mask.
//   - Floats of any layout: NaN is stored as invalid and read back as NaN (0x7fc00000 or
//     0x7ff8000000000000, before any swap), in all samples of the pixel and band.
//   - Integers without such an alpha have no mask, and libtiff rejects those that have one.
package lerc
