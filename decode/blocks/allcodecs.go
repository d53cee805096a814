package blocks

import "tileserver/codec/ccitt"

// AllCodecs returns a new registry of all codecs of this package. They share one pool of scratch
// buffers.
func AllCodecs() Registry {
	buffers := new(scratchPool)
	rows := func(d decompressRows) Codec { return streamCodec{d, buffers} }
	bytes := func(d decompress) Codec { return rows(ofBytes(d)) }
	deflate, zstd, jpeg := newDeflate(), newZSTD(), newJPEG()
	return Registry{
		None:        storedCodec{streamCodec{ofBytes(copyStored), buffers}},
		PackBits:    bytes(decompressPackBits),
		LZW:         bytes(newLZW().decompress),
		Deflate:     deflateCodec{streamCodec{ofBytes(deflate.decompress), buffers}},
		ZSTD:        bytes(zstd.decompress),
		LZMA:        bytes(newLZMA().decompress),
		CCITTRLE:    rows(newCCITT(ccitt.RLE).decompress),
		CCITTRLEW:   rows(newCCITT(ccitt.RLEW).decompress),
		CCITTFax3:   rows(newCCITT(ccitt.Group3).decompress),
		CCITTFax4:   rows(newCCITT(ccitt.Group4).decompress),
		LERC:        newLERC(buffers, map[Compression]decompress{Deflate: deflate.decompress, ZSTD: zstd.decompress}),
		WebP:        rows(newWebP().decompress),
		NeXT:        rows(decompressNeXT),
		ThunderScan: rows(decompressThunderScan),
		SGILog:      sgilogCodec{buffers},
		OldJPEG:     jpeg,
		JPEG:        jpeg,
		JPEG2000:    newJPEG2000(),
	}
}
