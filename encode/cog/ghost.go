package cog

import (
	"encoding/binary"
	"fmt"
)

const (
	ghostLines = "LAYOUT=IFDS_BEFORE_DATA\n" +
		"BLOCK_ORDER=ROW_MAJOR\n" +
		"BLOCK_LEADER=SIZE_AS_UINT4\n" +
		"BLOCK_TRAILER=LAST_4_BYTES_REPEATED\n" +
		"KNOWN_INCOMPATIBLE_EDITION=NO\n " // the blank is room for YES
	ghostMaskLine = "MASK_INTERLEAVED_WITH_IMAGERY=YES\n"
)

// appendHead appends the header of the file and the lines that describe its layout. The first directory
// follows immediately.
func appendHead(out []byte, big, masked bool) []byte {
	lines := ghostLines
	if masked {
		lines += ghostMaskLine
	}
	lines = fmt.Sprintf("GDAL_STRUCTURAL_METADATA_SIZE=%06d bytes\n", len(lines)) + lines
	first := uint64(aligned(headerBytes(big) + len(lines)))
	if big {
		out = append(out, 'I', 'I', 43, 0, 8, 0, 0, 0) // offsets of 8 bytes
		out = binary.LittleEndian.AppendUint64(out, first)
	} else {
		out = append(out, 'I', 'I', 42, 0)
		out = binary.LittleEndian.AppendUint32(out, uint32(first))
	}
	out = append(out, lines...)
	return append(out, make([]byte, int(first)-len(out))...)
}

func headerBytes(big bool) int {
	if big {
		return 16
	}
	return 8
}

// aligned returns where the next directory or value may begin: at an even byte.
func aligned(offset int) int { return offset + offset&1 }
