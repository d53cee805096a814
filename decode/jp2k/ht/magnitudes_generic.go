//go:build !amd64 || purego

package ht

const (
	pairsAtOnce   = 4
	samplesAtOnce = 4
)

func (m *magnitudeReader) row(pairs []uint64, upper, lower []int32) bool {
	return m.rowInGo(pairs, upper, lower)
}
