//go:build !amd64 || purego

package deflate

// Without assembly, Go code does all the work.

func (o *output) putLiterals(codes *codes, literals []byte) { o.putLiteralsGo(codes, literals) }
