package jpeg

// Marker is the second byte of a marker. The first byte is 0xFF.
type Marker byte

// The markers, and where their ranges begin and end.
const (
	MarkerNone            Marker = 0x00
	markerTemporary       Marker = 0x01
	MarkerFrame           Marker = 0xC0 // first of 16 codes; three of them are not frames
	MarkerHuffman         Marker = 0xC4
	markerExtension       Marker = 0xC8
	markerConditioning    Marker = 0xCC // of arithmetic coding
	markerLastFrame       Marker = 0xCF
	MarkerRestart         Marker = 0xD0 // first of eight
	markerLastRestart     Marker = 0xD7
	MarkerStart           Marker = 0xD8
	MarkerEnd             Marker = 0xD9
	MarkerScan            Marker = 0xDA
	MarkerQuantizer       Marker = 0xDB
	MarkerLines           Marker = 0xDC
	MarkerInterval        Marker = 0xDD
	MarkerJFIF            Marker = 0xE0 // also the first of 16 for applications
	MarkerNITF            Marker = 0xE6 // of NITF files
	MarkerAdobe           Marker = 0xEE
	markerLastApplication Marker = 0xEF
	markerComment         Marker = 0xFE
)

// IsFrame reports whether m begins a frame header.
func (m Marker) IsFrame() bool {
	return m >= MarkerFrame && m <= markerLastFrame && m != MarkerHuffman && m != markerExtension && m != markerConditioning
}

// IsRestart reports whether m is one of the eight restart markers.
func (m Marker) IsRestart() bool { return m >= MarkerRestart && m <= markerLastRestart }

// HasNoBody reports whether m has no segment body.
func (m Marker) HasNoBody() bool {
	return m == MarkerEnd || m == MarkerStart || m == markerTemporary || m.IsRestart()
}

// IsTable reports whether m defines quantizers, Huffman tables or a restart interval.
func (m Marker) IsTable() bool {
	return m == MarkerQuantizer || m == MarkerHuffman || m == MarkerInterval
}

// IsMetadata reports whether m begins an application segment or a comment, which decoding ignores.
func (m Marker) IsMetadata() bool {
	return m >= MarkerJFIF && m <= markerLastApplication || m == markerComment
}
