// Package cpu says which instructions of amd64 the processor has. The functions that choose between
// assembly and its Go twin ask it. It knows nothing about what is computed.
package cpu

import "golang.org/x/sys/cpu"

// Features says which instructions there are, beyond those that all amd64 processors have.
type Features struct{ AVX2, BMI1, BMI2, FMA, LZCNT, SSSE3, SSE41 bool }

// Has is what the processor has. On other processors than amd64 all fields are false.
var Has = Features{
	AVX2:  cpu.X86.HasAVX2,
	BMI1:  cpu.X86.HasBMI1,
	BMI2:  cpu.X86.HasBMI2,
	FMA:   cpu.X86.HasFMA,
	LZCNT: cpu.X86.HasLZCNT,
	SSSE3: cpu.X86.HasSSSE3,
	SSE41: cpu.X86.HasSSE41,
}

// Use replaces Has until the returned function is called. Only tests may call it, to run the Go
// twins of assembly, and only while nothing else computes.
func Use(f Features) (restore func()) {
	before := Has
	Has = f
	return func() { Has = before }
}
