package deflate_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"testing"

	"tileserver/codec/deflate"
)

// The standard library refuses the same headers.
func TestHeadersOfZlib(t *testing.T) {
	for header := range 1 << 16 {
		stream := binary.BigEndian.AppendUint16(nil, uint16(header))
		stream = append(stream, 0, 0, 0, 0) // may identify a dictionary
		_, err := zlib.NewReader(bytes.NewReader(stream))
		isRefused := errors.Is(err, zlib.ErrHeader) || errors.Is(err, zlib.ErrDictionary)
		if deflate.IsZlibHeader(uint16(header)) == isRefused {
			t.Fatalf("header %#04x: the standard library says %v", header, err)
		}
	}
}
