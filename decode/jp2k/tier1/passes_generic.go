//go:build !amd64 || purego

package tier1

func fastPasses() passes[int32] { return plainPasses[int32]() }
