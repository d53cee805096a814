//go:build !purego

#include "textflag.h"
#include "transform_amd64.h"

// These routines use AVX2 and the arithmetic of the Go code. The macros are in transform_amd64.h.

// func transformWholeVector(out *[16]block, a, b *uint8, stride int)
//
// transformWholeVector transforms the differences of a macroblock, four blocks per iteration. Its
// Go twin is transformWholeInGo.
//
//	SI, DI    a, b
//	CX, R10   stride, 3*stride
//	R9        out
//	R11       remaining rows of blocks
//	Y0-Y7     differences, coefficients and temporaries
//	Y12, Y13  samples of b
TEXT ·transformWholeVector(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), R9
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DI
	MOVQ stride+24(FP), CX
	LEAQ (CX)(CX*2), R10
	MOVL $4, R11

transformRow:
	LOADPAIR(SI, Y0, X0, Y1, X1, X2)
	LOADPAIR(DI, Y12, X12, Y13, X13, X2)
	ADDQ         $8, SI
	ADDQ         $8, DI
	LOADPAIR(SI, Y4, X4, Y5, X5, X2)
	LOADPAIR(DI, Y6, X6, Y7, X7, X2)
	VPSUBW       Y12, Y0, Y0
	VPSUBW       Y13, Y1, Y1
	VPSUBW       Y6, Y4, Y4
	VPSUBW       Y7, Y5, Y5
	FORWARD(Y0, Y1, Y2, Y3)
	FORWARD(Y4, Y5, Y6, Y7)
	VMOVDQU      X0, (R9)
	VMOVDQU      X1, 16(R9)
	VEXTRACTI128 $1, Y0, 32(R9)
	VEXTRACTI128 $1, Y1, 48(R9)
	VMOVDQU      X4, 64(R9)
	VMOVDQU      X5, 80(R9)
	VEXTRACTI128 $1, Y4, 96(R9)
	VEXTRACTI128 $1, Y5, 112(R9)
	ADDQ         $128, R9
	LEAQ         -8(SI)(CX*4), SI
	LEAQ         -8(DI)(CX*4), DI
	DECL         R11
	JNZ          transformRow
	VZEROUPPER
	RET

// func addWholeVector(dst *uint8, stride int, in *[16]block)
//
// addWholeVector adds the inverse transforms of a macroblock, two blocks per iteration. Its Go twin
// is addWholeInGo.
//
//	DI        dst
//	CX, R10   stride, 3*stride
//	R9        in
//	R11       remaining rows of blocks
//	R12       remaining pairs of blocks in the row
//	Y0, Y1    coefficients, then the sums
//	Y2-Y5     temporaries
//	Y12, Y13  samples of dst
TEXT ·addWholeVector(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ stride+8(FP), CX
	MOVQ in+16(FP), R9
	LEAQ (CX)(CX*2), R10
	MOVL $4, R11

addRow:
	MOVL $2, R12

addPair:
	VMOVDQU     (R9), X0
	VMOVDQU     16(R9), X1
	VINSERTI128 $1, 32(R9), Y0, Y0
	VINSERTI128 $1, 48(R9), Y1, Y1
	INVERSE(Y0, Y1, Y2, Y3, Y4, Y5)
	LOADPAIR(DI, Y12, X12, Y13, X13, X2)
	VPADDW      Y12, Y0, Y0
	VPADDW      Y13, Y1, Y1
	STOREPAIR(DI, Y0, X0, Y1, X1, X2)
	ADDQ        $64, R9
	ADDQ        $8, DI
	DECL        R12
	JNZ         addPair
	LEAQ        -16(DI)(CX*4), DI
	DECL        R11
	JNZ         addRow
	VZEROUPPER
	RET

// func quantizeVector(levels, coefficients *block, q *quantizer) (end int)
//
// quantizeVector quantizes a block. Its Go twin is quantizer.quantizeInGo.
//
//	R9      levels
//	DI      coefficients
//	R8      q: steps, inverses at 32, biases at 64
//	AX      mask of nonzero levels, then end
//	X0, X1  coefficients
//	X2, X3  levels in row-major order
//	X4-X7   levels in zigzag order, and temporaries
TEXT ·quantizeVector(SB), NOSPLIT, $0-32
	MOVQ    levels+0(FP), R9
	MOVQ    coefficients+8(FP), DI
	MOVQ    q+16(FP), R8
	VMOVDQU (DI), X0
	VMOVDQU 16(DI), X1
	LEVELS(X0, X2, 64(R8), 32(R8))
	LEVELS(X1, X3, 80(R8), 48(R8))
	ZIGZAG(X2, X3, X4, X5, X6)
	VMOVDQU X4, (R9)
	VMOVDQU X5, 16(R9)
	VPMULLW (R8), X2, X0
	VPMULLW 16(R8), X3, X1
	VMOVDQU X0, (DI)
	VMOVDQU X1, 16(DI)
	PRESENT(X4, X5, X6, X7)
	MOVWLZX AX, AX
	LEAL    1(AX)(AX*1), AX
	BSRL    AX, AX
	MOVQ    AX, end+24(FP)
	RET
