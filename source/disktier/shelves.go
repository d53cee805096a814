package disktier

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"tileserver/cache/disk"
)

const (
	// blockBytes is the size of a block.
	blockBytes = 64 << 10

	// fileBytes is what the file of a block takes of the disk: with its head, a few bytes more than a block,
	// in units of 4 KiB, as most file systems have them.
	fileBytes = blockBytes + 4<<10

	// keyVersion is the version of keys and of what lies under them.
	keyVersion = "block1"
)

// objectID stands for the Identity of an object. The Identity itself may be an address.
type objectID [16]byte

// idOf returns what stands for an Identity.
func idOf(identity string) objectID {
	digest := sha256.Sum256([]byte(identity))
	return objectID(digest[:len(objectID{})])
}

// blockKey identifies a block among all that the disk has seen.
type blockKey struct {
	object objectID
	number int64
}

// String returns the key of the block on disk.
func (k blockKey) String() string {
	return keyVersion + ":" + hex.EncodeToString(k.object[:]) + ":" + strconv.FormatInt(k.number, 10)
}

// keeper is where blocks are kept. Like shelves, it may lose them, and it may hang.
type keeper interface {
	mayContain(key blockKey) bool
	fill(ctx context.Context, key blockKey, block []byte) bool
	put(ctx context.Context, key blockKey, block []byte) error
}

// shelves are the folders of a Tier.
type shelves []*disk.Store

// of returns the shelf of a block. Those of an object lie side by side, each on the next shelf.
func (s shelves) of(key blockKey) *disk.Store {
	return s[(uint64(key.object[0])+uint64(key.number))%uint64(len(s))]
}

// mayContain reports whether it is worth to ask for a block.
func (s shelves) mayContain(key blockKey) bool { return s.of(key).MayContain(key.String()) }

// fill reads a block if it is there, undamaged and as long.
func (s shelves) fill(ctx context.Context, key blockKey, block []byte) bool {
	return s.of(key).Fill(ctx, key.String(), block)
}

// put writes a block.
func (s shelves) put(ctx context.Context, key blockKey, block []byte) error {
	return s.of(key).Put(ctx, key.String(), block)
}

// stats returns what is on all shelves.
func (s shelves) stats() (sum disk.Stats) {
	for _, shelf := range s {
		one := shelf.Stats()
		sum.Values += one.Values
		sum.Bytes += one.Bytes
		sum.Evicted += one.Evicted
		sum.Damaged += one.Damaged
	}
	return sum
}
