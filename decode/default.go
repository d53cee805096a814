package decode

// Default is a new registry of all codecs that this package knows. They share
// the buffers that they keep for reuse.
func Default() Registry {
	buffers := new(scratchPool)
	stream := func(d decompress) Codec { return streamCodec{d, buffers} }
	return Registry{
		None:     stream(copyStored),
		PackBits: stream(decompressPackBits),
		LZW:      stream(newLZW().decompress),
		Deflate:  stream(newDeflate().decompress),
		ZSTD:     stream(newZSTD().decompress),
		JPEG:     newJPEG(),
	}
}

// copyStored is the decompression of blocks that are not compressed.
func copyStored(dst, src []byte) (int, error) { return copy(dst, src), nil }
