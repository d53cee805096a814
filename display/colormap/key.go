package colormap

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
)

// keyBytes is how many bytes of the digest are in a key. Clients define maps, and keys decide which
// cached pictures they get, so finding two maps with equal keys must be infeasible.
const keyBytes = 16

// Key identifies the colors of all samples. Labels are not part of it.
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
