//go:build !purego

package ht

import "tileserver/internal/cpu"

// pairCursor is where wholePairsBMI2 begins and, afterwards, where it ended.
type pairCursor struct {
	vlc      *byte
	events   *byte
	position uint // of the next bit of vlc
	event    uint // position of the next event
	left     uint32
}

// wholePairsBMI2 decodes count pairs of quads below the row above, which has to be followed by an
// empty pair. It checks no bounds: so many pairs cannot take more bits than there is room for, nor more
// than two events each. Its Go twin is quadReader.wholePairsInGo.
//
//go:noescape
func wholePairsBMI2(pairs, above *uint64, count int, cursor *pairCursor)

// wholePairs is wholePairsInGo in assembly, if the processor allows it.
func (q *quadReader) wholePairs(pairs, above []uint64, whole int) (left uint32) {
	if !cpu.Has.AVX2 || !cpu.Has.BMI2 || whole == 0 {
		return q.wholePairsInGo(pairs[:whole], above)
	}
	cursor := pairCursor{vlc: &q.vlc[0], events: &q.mel.events[0], position: q.position, event: q.mel.position}
	wholePairsBMI2(&pairs[0], &above[0], whole, &cursor)
	q.position, q.mel.position = cursor.position, cursor.event
	return cursor.left
}
