// Package cpu says which instructions the processor has. The functions that choose between assembly
// and its Go twin ask it. It knows nothing about what is computed.
package cpu

import "golang.org/x/sys/cpu"

// Features says which instructions there are, beyond those that all processors of an architecture
// have. The fields of other architectures than the processor's are false.
type Features struct {
	AVX2, BMI1, BMI2, FMA, LZCNT, SSSE3, SSE41 bool // amd64
	NEON                                       bool // arm64
}

// Has is what the processor has.
var Has = Features{
	AVX2:  cpu.X86.HasAVX2,
	BMI1:  cpu.X86.HasBMI1,
	BMI2:  cpu.X86.HasBMI2,
	FMA:   cpu.X86.HasFMA,
	LZCNT: cpu.X86.HasLZCNT,
	SSSE3: cpu.X86.HasSSSE3,
	SSE41: cpu.X86.HasSSE41,
	NEON:  cpu.ARM64.HasASIMD,
}

// Vectors reports whether there are the vectors of the assembly that is written for both
// architectures.
func (f Features) Vectors() bool { return f.AVX2 || f.NEON }

// Use replaces Has until the returned function is called. Only tests may call it, to run the Go
// twins of assembly, and only while nothing else computes.
func Use(f Features) (restore func()) {
	before := Has
	Has = f
	return func() { Has = before }
}
