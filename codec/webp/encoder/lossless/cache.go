package lossless

import "tileserver/codec/webp/vp8l"

func cacheIndex(p pixel, bits int) uint32 { return p * vp8l.CacheFactor >> (32 - bits) }

// colorCache holds the most recent pixel for each hash.
type colorCache struct {
	entries [1 << maxCacheBits]pixel
	bits    int
}

// trialMisses is the number of misses after which a cache with few hits is abandoned.
const trialMisses = 2048

// use replaces literals by cache indexes, and counts the tokens without and with the cache. If
// hardly any pixel hits the cache, it restores the tokens and returns false.
func (c *colorCache) use(tokens []token, pixels []pixel, plain, with *histogram) bool {
	clear(c.entries[:])
	at, found, missed := 0, 0, 0
	for i, t := range tokens {
		if t.length != literal {
			plain.add(t)
			with.add(t)
			for _, p := range pixels[at:][:t.length] {
				c.entries[cacheIndex(p, c.bits)] = p
			}
			at += int(t.length)
			continue
		}
		at++
		plain.addPixel(t.value)
		index := cacheIndex(t.value, c.bits)
		if c.entries[index] == t.value {
			tokens[i] = token{index, cached}
			with.green[vp8l.Literals+vp8l.LengthPrefixes+index]++
			found++
			continue
		}
		c.entries[index] = t.value
		with.addPixel(t.value)
		if missed++; missed == trialMisses && found < trialMisses/16 {
			restore(tokens[:i], pixels)
			return false
		}
	}
	return true
}

// restore replaces cache indexes by literals again.
func restore(tokens []token, pixels []pixel) {
	at := 0
	for i, t := range tokens {
		if t.length == cached {
			tokens[i] = token{value: pixels[at]}
		}
		at += t.pixels()
	}
}
