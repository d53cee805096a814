package lossless

const cacheMultiplier = 0x1e35a7bd

func cachePlace(p pixel, bits int) uint32 { return p * cacheMultiplier >> (32 - bits) }

// colourCache holds the pixel last seen with each hash.
type colourCache struct {
	entries [1 << maxCacheBits]pixel
	bits    int
}

// patience is how many pixels the cache may be of little use before it is given up.
const patience = 2048

// use replaces literals by places in the cache, and counts all tokens in both: as they were, and as they are. It reports
// false where hardly any pixel is in the cache, and has then not replaced any.
func (c *colourCache) use(tokens []token, pixels []pixel, plain, with *histogram) bool {
	clear(c.entries[:])
	at, found, missed := 0, 0, 0
	for i, t := range tokens {
		if t.length != literal {
			plain.add(t)
			with.add(t)
			for _, p := range pixels[at:][:t.length] {
				c.entries[cachePlace(p, c.bits)] = p
			}
			at += int(t.length)
			continue
		}
		at++
		plain.addPixel(t.value)
		place := cachePlace(t.value, c.bits)
		if c.entries[place] == t.value {
			tokens[i] = token{place, cached}
			with.green[literals+lengthPrefixes+place]++
			found++
			continue
		}
		c.entries[place] = t.value
		with.addPixel(t.value)
		if missed++; missed == patience && found < patience/16 {
			restore(tokens[:i], pixels)
			return false
		}
	}
	return true
}

// restore undoes use.
func restore(tokens []token, pixels []pixel) {
	at := 0
	for i, t := range tokens {
		if t.length == cached {
			tokens[i] = token{value: pixels[at]}
		}
		at += t.pixels()
	}
}
