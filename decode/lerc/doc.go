// Package lerc decodes Esri's Limited Error Raster Compression, the Lerc2 blobs of versions 1 to 6 and the older CntZImage,
// from a slice into a slice. It must never know what file a blob comes from, nor what its samples mean.
//
// # Blobs
//
// A stream is one blob a band, one after another. All have the same width, height, type and depth, which is how many values
// a pixel has within a band. ReadHeader says all of this without decoding, so that the caller can judge the sizes before it
// allocates anything.
//
// Decode writes samples as they are stored: band after band, in each band row after row, in each row pixel after pixel, and
// in each pixel its values. Value v of pixel p of band b is the sample
//
//	(b*Width*Height+p)*Depth + v
//
// in the byte order of the machine. A band may have pixels that are not valid. The mask has a byte a pixel, band after band:
// 255 where the pixel is valid, 0 where it is not, and all samples of such a pixel are 0.
//
// # Within TIFF
//
// TIFF (compression 34887) has one stream in each strip or tile. The second number of its tag LercParameters (50674) says
// what is around that stream: 0 nothing, 1 zlib data, 2 a Zstandard frame. The caller undoes it first. The first number is
// the version, and no more than a hint. The stream is as high as its strip, so the last strip may be lower than the others;
// tiles are stored whole. Only samples of 8, 16 and 32-bit integers and of 32 and 64-bit floats are ever in it, in the type
// that BitsPerSample and SampleFormat say; no predictor applies.
//
// How libtiff lays the samples of a pixel out, and what it reads a pixel that is not valid as:
//
//   - Planar, or one sample: one band, depth 1.
//   - Chunky: one band whose depth is SamplesPerPixel.
//   - Chunky 8-bit unsigned samples, the last extra sample an unassociated alpha: the alpha may be the mask instead. Then the
//     depth is SamplesPerPixel-1, and the missing sample is the mask's own 0 or 255. The depth tells; an alpha with other
//     values than 0 and 255 is stored as a sample like any other.
//   - Chunky floats, some pixel with a NaN in some but not all of its samples: SamplesPerPixel bands of depth 1, each with
//     its own mask.
//   - Floats of any layout: NaN is stored as not valid and read back as NaN (0x7fc00000 or 0x7ff8000000000000, before any
//     swap), in all samples of the pixel and band.
//   - Integers without such an alpha have no mask, and libtiff refuses those that have.
package lerc
