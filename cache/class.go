package cache

import (
	"math"
	"time"
)

// A class says how much an entry is worth keeping. A lower one is evicted earlier.
type class uint8

// classCount bounds how long an entry that is not used any more outlasts others: one of the highest
// class leaves before those of the lowest have been replaced 256 times.
const (
	classCount = 5
	worthBits  = 2 // a class is worth four times the one below
)

// aheadClass has the entries that were loaded ahead, until they are used. It is worth as much as usualClass:
// others that are used do not drive them out at once, and they do not stay for long.
const (
	aheadClass class = classCount
	usualClass class = classCount / 2
)

// worth returns the worth of a class, relative to the lowest.
func (c class) worth() uint64 {
	if c == aheadClass {
		c = usualClass
	}
	return 1 << (worthBits * c)
}

// lowestBound is the bound of the lowest class, in nanoseconds for each byte to the power of 1.5. Blocks
// of 1 MiB that take 10 ms are in the lowest class, and map tiles of 12 kB that take 10 ms in the highest.
// Between them are code-blocks of 8 kB that take 0.1 ms, and views of 3 MB that take a second.
const lowestBound = 1. / 64

// classOf returns the class of an entry that takes so many bytes of the cache, and took so long to load.
// Size counts for more than the memory that it takes, because small values are asked for again more often:
// with the power of 1.5, recorded requests hit more than with 1.
func classOf(bytes int64, cost time.Duration) class {
	size := float64(bytes)
	worth := float64(cost) / (size * math.Sqrt(size)) / lowestBound
	if worth < 1 {
		return 0
	}
	return class(min(1+math.Log2(worth)/worthBits, classCount-1))
}
