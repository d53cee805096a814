package lossless

import "math/bits"

// writePixels writes the image itself.
func (e *Encoder) writePixels(p *picture) {
	tokens := e.matcher.tokenize(p)
	greenAlphabet := literals + lengthPrefixes
	if !p.numbers && e.useCache(tokens, p.pixels) {
		greenAlphabet += 1 << e.cache.bits
		e.out.writeFlag(true)
		e.out.write(uint32(e.cache.bits), 4)
	} else {
		e.out.writeFlag(false)
	}
	e.groups.begin(p.width)
	if p.predicted {
		e.groups.split(e.liveliness, p.blockBits())
	}
	e.groups.count(tokens)
	e.groups.merge(greenAlphabet)
	e.writeGroups(greenAlphabet)
	e.groups.writeTokens(&e.out, tokens)
}

// useCache makes tokens use the cache, if that takes fewer bits.
func (e *Encoder) useCache(tokens []token, pixels []pixel) bool {
	e.cache.bits = min(max(bits.Len(uint(len(tokens)))-4, 1), maxCacheBits)
	without, with := &e.groups.of[0].histogram, &e.groups.of[1].histogram // not in use yet
	*without, *with = histogram{}, histogram{}
	if !e.cache.use(tokens, pixels, without, with) {
		return false
	}
	alphabet := literals + lengthPrefixes
	if with.bits(alphabet+1<<e.cache.bits) < without.bits(alphabet) {
		return true
	}
	restore(tokens, pixels)
	return false
}

// writeGroups writes which blocks have which group, and the codes of all groups.
func (e *Encoder) writeGroups(greenAlphabet int) {
	e.out.writeFlag(e.groups.number > 1)
	if e.groups.number > 1 {
		e.writeBlockBits(e.groups.blockBits)
		e.small = e.small[:0]
		for _, number := range e.groups.ofBlock {
			e.small = append(e.small, opaque|pixel(number)<<8)
		}
		e.writeSmall()
	}
	for i := range e.groups.number {
		e.groups.of[i].writeCodes(&e.codes, greenAlphabet)
	}
}
