package lzma

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"hash/crc64"
	"math/rand/v2"
)

// encoder writes .xz data for tests. It does not minimize their size but uses all features of the
// format, in an order that the seed determines.
type encoder struct {
	lc, lp, pb  int
	delta       int       // distance of the delta filter, or 0
	check       checkKind // of blocks
	blockBytes  int       // decoded bytes per block; 0 for all
	chunkBytes  int       // decoded bytes per chunk; 0 for 1 << 15
	statesSizes bool      // in block headers
	seed        uint64
}

func (e encoder) file(data []byte) []byte {
	out := bytes.NewBufferString(streamMagic)
	flags := []byte{0, byte(e.check)}
	out.Write(flags)
	out.Write(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(flags)))
	blockBytes := e.blockBytes
	if blockBytes == 0 {
		blockBytes = len(data)
	}
	var records []byte
	count := uint64(0)
	for ; len(data) > 0; count++ {
		block := data[:min(blockBytes, len(data))]
		data = data[len(block):]
		unpadded := e.block(out, block)
		records = binary.AppendUvarint(records, unpadded)
		records = binary.AppendUvarint(records, uint64(len(block)))
	}
	index := append(binary.AppendUvarint([]byte{0}, count), records...)
	index = padded(index)
	index = binary.LittleEndian.AppendUint32(index, crc32.ChecksumIEEE(index))
	out.Write(index)
	footer := binary.LittleEndian.AppendUint32(nil, uint32(len(index)/4-1))
	footer = append(footer, flags...)
	out.Write(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(footer)))
	out.Write(footer)
	out.WriteString(footerMagic)
	return out.Bytes()
}

func padded(b []byte) []byte {
	for len(b)%padding != 0 {
		b = append(b, 0)
	}
	return b
}

// block writes a block and returns its size without padding.
func (e encoder) block(out *bytes.Buffer, data []byte) uint64 {
	filtered := bytes.Clone(data)
	if e.delta > 0 {
		for i := e.delta; i < len(data); i++ {
			filtered[i] = data[i] - data[i-e.delta]
		}
	}
	chunks := e.chunks(filtered)
	header := e.blockHeader(len(chunks), len(data))
	begin := out.Len()
	out.Write(header)
	out.Write(chunks)
	unpadded := out.Len() - begin
	for (out.Len()-begin)%padding != 0 {
		out.WriteByte(0)
	}
	check := e.checkOf(data)
	out.Write(check)
	return uint64(unpadded + len(check))
}

func (e encoder) blockHeader(compressed, decoded int) []byte {
	header := []byte{0, 0}
	if e.statesSizes {
		header[1] |= 0xc0
		header = binary.AppendUvarint(header, uint64(compressed))
		header = binary.AppendUvarint(header, uint64(decoded))
	}
	if e.delta > 0 {
		header[1] |= 1
		header = append(header, filterDelta, 1, byte(e.delta-1))
	}
	header = padded(append(header, filterLZMA2, 1, 22))
	header[0] = byte(len(header) / 4)
	return binary.LittleEndian.AppendUint32(header, crc32.ChecksumIEEE(header))
}

func (e encoder) checkOf(data []byte) []byte {
	switch e.check {
	case checkCRC32:
		return binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(data))
	case checkCRC64:
		return binary.LittleEndian.AppendUint64(nil, crc64.Checksum(data, crc64.MakeTable(crc64.ECMA)))
	case checkSHA256:
		sum := sha256.Sum256(data)
		return sum[:]
	}
	return nil
}

// chunks writes LZMA2 data: compressed and uncompressed chunks with all kinds of resets.
func (e encoder) chunks(data []byte) []byte {
	random := rand.New(rand.NewPCG(e.seed, 1))
	chunkBytes := e.chunkBytes
	if chunkBytes == 0 {
		chunkBytes = 1 << 15
	}
	var out []byte
	s := &symbolWriter{encoder: e, data: data, random: random}
	fresh, modelled := true, false
	for at := 0; at < len(data); {
		end := min(at+chunkBytes, len(data))
		newHistory := fresh || random.IntN(8) == 0
		if random.IntN(5) == 0 {
			control := byte(controlUncompressed)
			if newHistory {
				control, s.start, modelled = controlNewDictionary, at, false
			}
			out = append(out, control)
			out = binary.BigEndian.AppendUint16(out, uint16(end-at-1))
			out = append(out, data[at:end]...)
			at, fresh = end, false
			continue
		}
		reset := random.IntN(3)
		if newHistory {
			reset, s.start = newDictionary, at
		} else if !modelled {
			reset = newProperties
		}
		if reset >= newState {
			s.begin()
		}
		body := s.chunk(at, end)
		out = append(out, controlCompressed|byte(reset)<<5|byte((end-at-1)>>16))
		out = binary.BigEndian.AppendUint16(out, uint16(end-at-1))
		out = binary.BigEndian.AppendUint16(out, uint16(len(body)-1))
		if reset >= newProperties {
			out = append(out, byte((e.pb*5+e.lp)*9+e.lc))
		}
		out = append(out, body...)
		at, fresh, modelled = end, false, true
	}
	return append(out, controlEnd)
}
