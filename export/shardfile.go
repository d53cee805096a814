package export

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"tileserver/archive"
)

// The file of a finished shard has the bytes of the tiles, in any order, then an index in JSON, and at
// the end the size of the index, its checksum and a mark. docs/formats-on-disk.md describes it.

// shardMark ends the file of a shard.
const shardMark = "TSSHARD1"

// trailerBytes is the size of what follows the index.
const trailerBytes = 8 + 4 + len(shardMark)

// A shardIndex says what a shard has.
type shardIndex struct {
	Tiles   []storedTile  `json:"tiles"`             // zoom by zoom, along the curve
	Damaged []DamagedTile `json:"damaged,omitempty"` // left out
}

// A storedTile is where the bytes of a tile lie in the file of a shard.
type storedTile struct {
	archive.Position
	Offset int64  `json:"offset"`
	Size   int    `json:"size"`
	Sum    uint32 `json:"sum"` // CRC-32C
}

// A DamagedTile is a tile that was left out.
type DamagedTile struct {
	archive.Position
	Reason string `json:"reason"`
}

func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

// errTorn is why the file of a shard cannot be used.
var errTorn = errors.New("the file of a finished part is damaged; remove it, and the same command makes it again")

// appendTrailer appends what follows an index.
func appendTrailer(out, index []byte) []byte {
	out = binary.LittleEndian.AppendUint64(out, uint64(len(index)))
	out = binary.LittleEndian.AppendUint32(out, checksum(index))
	return append(out, shardMark...)
}

// A shardReader reads the file of a finished shard.
type shardReader struct {
	file  *os.File
	index shardIndex
}

// openShardFile opens the file of a shard and reads its index.
func openShardFile(path string) (*shardReader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := &shardReader{file: file}
	if err := r.readIndex(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return r, nil
}

func (r *shardReader) readIndex() error {
	info, err := r.file.Stat()
	if err != nil {
		return err
	}
	end := info.Size() - int64(trailerBytes)
	if end < 0 {
		return errTorn
	}
	trailer := make([]byte, trailerBytes)
	if _, err := r.file.ReadAt(trailer, end); err != nil {
		return err
	}
	size := binary.LittleEndian.Uint64(trailer)
	if string(trailer[12:]) != shardMark || size > uint64(end) {
		return errTorn
	}
	index := make([]byte, size)
	if _, err := r.file.ReadAt(index, end-int64(size)); err != nil {
		return err
	}
	if checksum(index) != binary.LittleEndian.Uint32(trailer[8:]) || json.Unmarshal(index, &r.index) != nil {
		return errTorn
	}
	return nil
}

// read returns the bytes of a tile, at the beginning of a buffer if they fit.
func (r *shardReader) read(t *storedTile, buffer []byte) ([]byte, error) {
	if t.Size < 0 || t.Size > archive.MaxTileBytes {
		return nil, fmt.Errorf("%s: %w", r.file.Name(), errTorn)
	}
	if cap(buffer) < t.Size {
		buffer = make([]byte, t.Size)
	}
	buffer = buffer[:t.Size]
	_, err := r.file.ReadAt(buffer, t.Offset)
	if errors.Is(err, io.EOF) || err == nil && checksum(buffer) != t.Sum {
		err = errTorn
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.file.Name(), err)
	}
	return buffer, nil
}

func (r *shardReader) close() { r.file.Close() }
