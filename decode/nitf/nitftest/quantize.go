package nitftest

import "encoding/binary"

// kernelSide is the side of what one code stands for, in pixels.
const kernelSide = 4

// quantizer returns what writes blocks as codes of 12 bits, without loss. The image must have at
// most 4096 different kernels.
func (m *Image) quantizer() compressor {
	const maxKernels = 1 << 12
	if m.BlockWidth%kernelSide != 0 || m.BlockHeight%kernelSide != 0 || len(m.Bands) != 1 || m.Bits != 8 {
		panic("blocks are no codes of 4 x 4 pixels of 8 bits")
	}
	numbers := make(map[kernel]int)
	var kernels []kernel
	for _, b := range m.blocks() {
		for _, k := range m.kernels(b) {
			if _, known := numbers[k]; !known {
				numbers[k] = len(kernels)
				kernels = append(kernels, k)
			}
		}
	}
	if len(kernels) > maxKernels {
		panic("more than 4096 kernels")
	}
	codes := func(b block) []byte {
		var p packer
		for _, k := range m.kernels(b) {
			p.add(uint64(numbers[k]), 12)
		}
		return p.bytes
	}
	return compressor{prefix: m.codebook(append(kernels, make([]kernel, maxKernels-len(kernels))...)), block: codes}
}

// kernel is the pixels of a code.
type kernel [kernelSide][kernelSide]byte

// kernels returns the kernels of a block.
func (m *Image) kernels(b block) []kernel {
	pixels := m.sampled(b)[0]
	var list []kernel
	for y := 0; y < m.BlockHeight; y += kernelSide {
		for x := 0; x < m.BlockWidth; x += kernelSide {
			var k kernel
			for row := range k {
				for column := range k[row] {
					k[row][column] = byte(pixels[(y+row)*m.BlockWidth+x+column])
				}
			}
			list = append(list, k)
		}
	}
	return list
}

// codebook returns the header of the codes and the rows of the kernels, table after table.
func (m *Image) codebook(kernels []kernel) []byte {
	const offsetBytes, recordBytes = 6, 14
	tableBytes := kernelSide * len(kernels)
	out := binary.BigEndian.AppendUint32(nil, uint32(m.BlockHeight/kernelSide))
	out = binary.BigEndian.AppendUint32(out, uint32(m.BlockWidth/kernelSide))
	out = append(out, 12, 0, 1, 0, kernelSide, 0, 0) // bits, algorithm, tables, parameters
	out = append(out, 0, 0, 0, offsetBytes, 0, recordBytes)
	for i := range kernelSide {
		out = append(out, 0, byte(i+1))
		out = binary.BigEndian.AppendUint32(out, uint32(len(kernels)))
		out = append(out, 0, kernelSide, 0, 8)
		out = binary.BigEndian.AppendUint32(out, uint32(offsetBytes+kernelSide*recordBytes+i*tableBytes))
	}
	for row := range kernelSide {
		for _, k := range kernels {
			out = append(out, k[row][:]...)
		}
	}
	return out
}
