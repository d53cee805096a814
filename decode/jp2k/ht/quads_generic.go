//go:build !amd64 || purego

package ht

func (q *quadReader) wholePairs(pairs, above []uint64, whole int) (left uint32) {
	return q.wholePairsInGo(pairs[:whole], above)
}
