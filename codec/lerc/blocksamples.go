package lerc

import "fmt"

// validIn counts the valid pixels of a block.
func (b *blocks[T, X]) validIn(a area) int {
	if b.mask == nil {
		return (a.right - a.left) * (a.bottom - a.top)
	}
	count := 0
	for y := a.top; y < a.bottom; y++ {
		count += countValid(b.mask[y*b.Width+a.left : y*b.Width+a.right])
	}
	return count
}

// fill sets all samples to offset, or to the previous value of the pixel plus offset.
func (b *blocks[T, X]) fill(a area, offset X) {
	if b.mask == nil && !a.relative {
		b.fillRows(a, T(offset))
		return
	}
	highest := b.highest(a.value)
	for y := a.top; y < a.bottom; y++ {
		for k := y*b.Width + a.left; k < y*b.Width+a.right; k++ {
			at := k*b.Depth + a.value
			switch {
			case b.mask != nil && b.mask[k] == 0:
			case a.relative:
				b.data[at] = T(capped(offset+X(b.data[at-1]), highest))
			default:
				b.data[at] = T(offset)
			}
		}
	}
}

// row returns the slice from the first to the last sample of a block in one row. The samples are
// Depth apart.
func (b *blocks[T, X]) row(a area, y int) []T {
	from := y * b.Width
	return b.data[(from+a.left)*b.Depth+a.value : (from+a.right-1)*b.Depth+a.value+1]
}

func (b *blocks[T, X]) fillRows(a area, sample T) {
	for y := a.top; y < a.bottom; y++ {
		row := b.row(a, y)
		if b.Depth == 1 {
			for i := range row {
				row[i] = sample
			}
			continue
		}
		for i := 0; i < len(row); i += b.Depth {
			row[i] = sample
		}
	}
}

// copyRaw reads samples that are stored uncompressed.
func (b *blocks[T, X]) copyRaw(a area) error {
	count := b.validIn(a)
	sampleBytes := b.Type.Bytes()
	stored, err := b.in.take(count * sampleBytes)
	if err != nil {
		return err
	}
	if a.relative {
		return fmt.Errorf("raw differences: %w", ErrCorrupt)
	}
	raw := bytesOf(b.decoder.raw[:])[:len(stored)]
	copyStored(raw, stored, sampleBytes)
	samples := samplesOf[T](raw)
	for y := a.top; y < a.bottom; y++ {
		from, to := y*b.Width+a.left, y*b.Width+a.right
		if b.mask == nil && b.Depth == 1 {
			samples = samples[copy(b.data[from:to], samples):]
			continue
		}
		for k := from; k < to; k++ {
			if b.mask == nil || b.mask[k] == valid {
				b.data[k*b.Depth+a.value] = samples[0]
				samples = samples[1:]
			}
		}
	}
	return nil
}

// scaleRows converts quantization levels to samples. All pixels must be valid.
func (b *blocks[T, X]) scaleRows(a area, quanta []uint32, offset X) {
	highest, step, depth := b.highest(a.value), b.step, b.Depth
	width := a.right - a.left
	for y := a.top; y < a.bottom; y++ {
		row := b.row(a, y)
		levels := quanta[:width]
		quanta = quanta[width:]
		if depth == 1 && len(row) >= len(levels) {
			for i, level := range levels {
				row[i] = T(capped(offset+X(X(level)*step), highest))
			}
			continue
		}
		at := 0
		for _, level := range levels {
			row[at] = T(capped(offset+X(X(level)*step), highest))
			at += depth
		}
	}
}

// scale converts quantization levels to samples of the valid pixels. In a relative block it adds
// them to the previous values.
func (b *blocks[T, X]) scale(a area, quanta []uint32, offset X) {
	highest, step := b.highest(a.value), b.step
	for y := a.top; y < a.bottom; y++ {
		for k := y*b.Width + a.left; k < y*b.Width+a.right; k++ {
			if b.mask != nil && b.mask[k] == 0 {
				continue
			}
			at := k*b.Depth + a.value
			sample := offset + X(X(quanta[0])*step)
			if a.relative {
				sample += X(b.data[at-1])
			}
			b.data[at] = T(capped(sample, highest))
			quanta = quanta[1:]
		}
	}
}

// capped returns the smaller of sample and highest. It returns sample if it is NaN.
func capped[X accumulator](sample, highest X) X {
	if sample > highest {
		return highest
	}
	return sample
}
