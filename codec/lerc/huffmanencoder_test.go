package lerc

import "slices"

// deltas writes 8-bit samples as differences to their neighbors.
func (e *bandEncoder) deltas() {
	var deltas []byte
	for value := range e.depth {
		previous := byte(0)
		for k, ok := range e.valid {
			if !ok {
				continue
			}
			at := k*e.depth + value
			x, y := k%e.width, k/e.width
			from := previous
			if (x == 0 || !e.valid[k-1]) && y > 0 && e.valid[k-e.width] {
				from = e.sampleByte(at - e.width*e.depth)
			}
			previous = e.sampleByte(at)
			deltas = append(deltas, previous-from)
		}
	}
	e.huffman(deltas, e.bias())
}

func (e *bandEncoder) symbols() {
	var symbols []byte
	for at := range e.samples {
		if e.valid[at/e.depth] {
			symbols = append(symbols, e.sampleByte(at))
		}
	}
	e.huffman(symbols, e.bias())
}

func (e *bandEncoder) sampleByte(at int) byte { return byte(int(e.samples[at])) }

func (e *bandEncoder) bias() byte {
	if e.kind == Int8 {
		return 128
	}
	return 0
}

// huffman writes a code table for symbols, the symbols, and one more word.
func (e *bandEncoder) huffman(symbols []byte, bias byte) {
	var weights [maxSymbols]int
	for _, symbol := range symbols {
		weights[symbol+bias]++
	}
	if e.skewed {
		first, second := 1, 1
		for i, weight := range weights {
			if weight > 0 && second < 1<<17 {
				weights[i] = first
				first, second = second, first+second
			}
		}
	}
	lengths := codeLengths(weights)
	codes := canonicalCodes(lengths)
	begin := e.random.IntN(maxSymbols)
	e.int32(4)
	e.int32(maxSymbols)
	e.int32(begin)
	e.int32(begin + maxSymbols)
	stored := append(append([]uint32{}, lengths[begin:]...), lengths[:begin]...)
	width := bitsFor(slices.Max(stored))
	e.quantaHead(width, len(stored))
	e.stuff(stored, width)
	table := wordWriter{out: e.out}
	for i := range maxSymbols {
		symbol := (begin + i) % maxSymbols
		table.put(codes[symbol], int(lengths[symbol]))
	}
	words := wordWriter{out: table.out}
	for _, symbol := range symbols {
		words.put(codes[symbol+bias], int(lengths[symbol+bias]))
	}
	e.out = append(words.out, 0, 0, 0, 0)
}

// codeLengths repeatedly merges the two lightest trees.
func codeLengths(weights [maxSymbols]int) (lengths [maxSymbols]uint32) {
	type tree struct {
		weight int
		leaves []int
	}
	var trees []tree
	for symbol, weight := range weights {
		if weight > 0 {
			trees = append(trees, tree{weight, []int{symbol}})
		}
	}
	if len(trees) == 1 {
		lengths[trees[0].leaves[0]] = 1
	}
	takeLightest := func() tree {
		lightest := 0
		for i := range trees {
			if trees[i].weight < trees[lightest].weight {
				lightest = i
			}
		}
		taken, last := trees[lightest], len(trees)-1
		trees[lightest] = trees[last]
		trees = trees[:last]
		return taken
	}
	for len(trees) > 1 {
		first, second := takeLightest(), takeLightest()
		merged := tree{first.weight + second.weight, append(first.leaves, second.leaves...)}
		for _, symbol := range merged.leaves {
			lengths[symbol]++
		}
		trees = append(trees, merged)
	}
	return lengths
}

// canonicalCodes assigns codes from the longest on, which begin with zeros.
func canonicalCodes(lengths [maxSymbols]uint32) (codes [maxSymbols]uint32) {
	next := uint32(0)
	for length := uint32(maxCodeBits); length > 0; length-- {
		for symbol := range maxSymbols {
			if lengths[symbol] == length {
				codes[symbol] = next
				next++
			}
		}
		next >>= 1
	}
	return codes
}
