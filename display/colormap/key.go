package colormap

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
)

// keyBytes is how much of the digest a key keeps: too much for anyone to make two maps that
// share one, since maps come from strangers and keys decide whose pictures they get.
const keyBytes = 16

// Key differs wherever a sample would have another colour. Labels are no part of it.
func (m *Map) Key() string {
	described := []byte{byte(m.kind)}
	for _, e := range m.entries {
		described = binary.LittleEndian.AppendUint64(described, math.Float64bits(e.Low))
		described = binary.LittleEndian.AppendUint64(described, math.Float64bits(e.High))
		described = binary.LittleEndian.AppendUint32(described, e.Color.word())
	}
	digest := sha256.Sum256(described)
	return m.kind.String() + "-" + hex.EncodeToString(digest[:keyBytes])
}
