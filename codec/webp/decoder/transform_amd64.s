//go:build !purego

#include "textflag.h"

// The routine uses AVX2 and the arithmetic of the Go code, on four columns or four rows at a time.

#define EVERY(name, pattern) \
	DATA name<>+0(SB)/8, $pattern \
	DATA name<>+8(SB)/8, $pattern \
	GLOBL name<>(SB), RODATA|NOPTR, $16

EVERY(cosine, 0x00004E7B00004E7B) // 20091
EVERY(sine, 0x000022A3000022A3)   // 8867
EVERY(half, 0x0000000400000004)

#define BY_COSINE(x, out) \
	VPMULLD cosine<>(SB), x, out \
	VPSRAD  $16, out, out        \
	VPADDD  x, out, out

#define BY_SINE(x, out) \
	VPMULLD sine<>(SB), x, out \
	VPSRAD  $14, out, out

// PASS transforms X0 to X3. It overwrites X4 to X7.
#define PASS \
	BY_SINE(X1, X4)    \
	BY_COSINE(X3, X5)  \
	BY_COSINE(X1, X6)  \
	BY_SINE(X3, X7)    \
	VPSUBD X5, X4, X4  \
	VPADDD X7, X6, X6  \
	VPADDD X2, X0, X5  \
	VPSUBD X2, X0, X7  \
	VPADDD X6, X5, X0  \
	VPADDD X4, X7, X1  \
	VPSUBD X4, X7, X2  \
	VPSUBD X6, X5, X3

// TRANSPOSE exchanges rows and columns of X0 to X3. It overwrites X4 to X7.
#define TRANSPOSE \
	VPUNPCKLDQ  X1, X0, X4 \
	VPUNPCKHDQ  X1, X0, X5 \
	VPUNPCKLDQ  X3, X2, X6 \
	VPUNPCKHDQ  X3, X2, X7 \
	VPUNPCKLQDQ X6, X4, X0 \
	VPUNPCKHQDQ X6, X4, X1 \
	VPUNPCKLQDQ X7, X5, X2 \
	VPUNPCKHQDQ X7, X5, X3

// func addBlockVector(dst *uint8, stride int, in *[16]int16)
//
// addBlockVector adds the inverse transform of a block to 4x4 samples. Its Go twin is vp8.AddBlock.
//
//	DI     dst
//	CX     stride
//	R8     3*stride
//	SI     in
//	X0-X3  rows or columns of the block; X0 and X2 become the residual as 16-bit words
//	X4-X7  temporaries; X4 and X5 the samples of two rows each
TEXT ·addBlockVector(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ stride+8(FP), CX
	MOVQ in+16(FP), SI
	LEAQ (CX)(CX*2), R8

	VPMOVSXWD (SI), X0
	VPMOVSXWD 8(SI), X1
	VPMOVSXWD 16(SI), X2
	VPMOVSXWD 24(SI), X3
	PASS
	TRANSPOSE
	VPADDD    half<>(SB), X0, X0
	PASS
	TRANSPOSE
	VPSRAD    $3, X0, X0
	VPSRAD    $3, X1, X1
	VPSRAD    $3, X2, X2
	VPSRAD    $3, X3, X3
	VPACKSSDW X1, X0, X0
	VPACKSSDW X3, X2, X2

	VMOVD     (DI), X4
	VPINSRD   $1, (DI)(CX*1), X4, X4
	VMOVD     (DI)(CX*2), X5
	VPINSRD   $1, (DI)(R8*1), X5, X5
	VPMOVZXBW X4, X4
	VPMOVZXBW X5, X5
	VPADDSW   X4, X0, X0
	VPADDSW   X5, X2, X2
	VPACKUSWB X2, X0, X0
	VMOVD     X0, (DI)
	VPEXTRD   $1, X0, (DI)(CX*1)
	VPEXTRD   $2, X0, (DI)(CX*2)
	VPEXTRD   $3, X0, (DI)(R8*1)
	RET
