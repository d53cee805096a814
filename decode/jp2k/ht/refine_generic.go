//go:build !amd64 || purego

package ht

func (r *refiner) change(b *Block, _ int, here *stripe, out []int32) { r.changeInGo(b, 0, here, out) }
