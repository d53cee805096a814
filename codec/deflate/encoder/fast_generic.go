//go:build !amd64 || purego

package encoder

// putLiterals calls the Go twin where no assembly is available.

func (o *output) putLiterals(codes *codes, literals []byte) { o.putLiteralsGo(codes, literals) }
