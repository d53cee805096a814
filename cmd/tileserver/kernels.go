package main

import (
	"tileserver/gpu"
	"tileserver/gpu/trial"

	deflate "tileserver/codec/deflate/kernel"
	jpeg "tileserver/codec/jpeg/kernel"
	ht "tileserver/decode/jp2k/ht/kernel"
	tiles "tileserver/decode/jp2k/kernel"
	tier1 "tileserver/decode/jp2k/tier1/kernel"
)

// samples returns all kernels of the program, each with typical work.
func samples() []trial.Sample {
	return []trial.Sample{
		{Kernel: tier1.CodeBlocks, Work: tier1.Sample},
		{Kernel: ht.CodeBlocks, Work: ht.Sample},
		{Kernel: tiles.Tiles, Work: tiles.Sample},
		{Kernel: deflate.Inflate, Work: deflate.Sample},
		{Kernel: jpeg.Intervals, Work: jpeg.Sample},
	}
}

// kernels returns all kernels of the program.
func kernels() (all []*gpu.Kernel) {
	for _, sample := range samples() {
		all = append(all, sample.Kernel)
	}
	return all
}
