package web

import (
	"cmp"
	"encoding/hex"
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"unsafe"

	"tileserver/source"
)

// stamps has the stamps of the objects in a folder, in few bytes and without pointers: a folder may have a million. A
// path is known by a hash of 64 bits that nobody can foresee.
type stamps struct {
	seed  maphash.Seed
	known []stamped // by hash, once they are sorted
	tags  []byte
}

// stamped is the stamp of an object.
type stamped struct {
	path           uint64 // its hash
	size, modified int64
	tagAt          uint32 // in tags
	tagBytes       uint16
	isHex          bool // whether the first 16 bytes of the tag are written as hex digits
}

const (
	stampedBytes = int64(unsafe.Sizeof(stamped{}))

	// growth is how much more than their elements slices take that grow, at most, in quarters.
	growth = 5
)

// bytesOf returns what the stamps of a page take at most while more are added.
func bytesOf(page Page) (bytes int64) {
	for i := range page.Listed {
		tag, _ := packed(page.Listed[i].Tag)
		bytes += stampedBytes + int64(len(tag))
	}
	return bytes * growth / 4
}

// add adds the stamp of a path. One whose tag is absurd has none.
func (s *stamps) add(path string, stamp source.Stamp) {
	tag, isHex := packed(stamp.Tag)
	if len(tag) > math.MaxUint16 || len(s.tags)+len(tag) > math.MaxUint32 {
		tag, isHex = nil, false
	}
	s.known = append(s.known, stamped{maphash.String(s.seed, path), stamp.Size, stamp.Modified, uint32(len(s.tags)), uint16(len(tag)), isHex})
	s.tags = append(s.tags, tag...)
}

// hexDigits is how many digits the tags of most buckets have. Those of objects that were sent in parts go on with their
// number.
const hexDigits = 32

// packed returns a tag in few bytes, if it is of that kind without its quotes.
func packed(tag string) (bytes []byte, isHex bool) {
	if len(tag) < hexDigits+2 || tag[0] != '"' || tag[len(tag)-1] != '"' {
		return []byte(tag), false
	}
	digits, rest := tag[1:hexDigits+1], tag[hexDigits+1:len(tag)-1]
	bytes, err := hex.DecodeString(digits)
	if err != nil || digits != strings.ToLower(digits) {
		return []byte(tag), false
	}
	return append(bytes, rest...), true
}

// unpacked returns the tag that was packed.
func unpacked(bytes []byte, isHex bool) string {
	if !isHex {
		return string(bytes)
	}
	return `"` + hex.EncodeToString(bytes[:hexDigits/2]) + string(bytes[hexDigits/2:]) + `"`
}

// finish makes the stamps ready to be found.
func (s *stamps) finish() {
	slices.SortFunc(s.known, func(a, b stamped) int { return cmp.Compare(a.path, b.path) })
}

// of returns the stamp of a path.
func (s *stamps) of(path string) (stamp source.Stamp, ok bool) {
	hash := maphash.String(s.seed, path)
	at, ok := slices.BinarySearchFunc(s.known, hash, func(one stamped, hash uint64) int { return cmp.Compare(one.path, hash) })
	if !ok {
		return source.Stamp{}, false
	}
	found := &s.known[at]
	tag := unpacked(s.tags[found.tagAt:][:found.tagBytes], found.isHex)
	return source.Stamp{Size: found.size, Modified: found.modified, Tag: tag}, true
}

// bytes returns the memory of the stamps.
func (s *stamps) bytes() int64 { return int64(cap(s.known))*stampedBytes + int64(cap(s.tags)) }
