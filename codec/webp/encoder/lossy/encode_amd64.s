//go:build !purego

#include "textflag.h"
#include "transform_amd64.h"

// These routines use AVX2 and the arithmetic of the Go code. The macros are in transform_amd64.h.

// func encodeBlockVector(predicted *[16]uint8, src, dst *uint8, stride int, q *quantizer, levels
// *block) (end int)
//
// encodeBlockVector encodes one block. Its Go twin is quantizer.encodeBlockInGo.
//
//	SI        predicted
//	DX, DI    src, dst
//	CX, R10   stride, 3*stride
//	R8        q: steps, inverses at 32, biases at 64
//	R9        levels
//	AX        mask of nonzero levels, then end
//	X0, X1    differences, coefficients, decoded differences
//	X2, X3    levels in row-major order
//	X4-X7     levels in zigzag order, and temporaries
//	X12, X13  prediction as words
//	X15       prediction as bytes, then the decoded samples
TEXT ·encodeBlockVector(SB), NOSPLIT, $0-56
	MOVQ predicted+0(FP), SI
	MOVQ src+8(FP), DX
	MOVQ dst+16(FP), DI
	MOVQ stride+24(FP), CX
	MOVQ q+32(FP), R8
	MOVQ levels+40(FP), R9
	LEAQ (CX)(CX*2), R10

	VMOVDQU   (SI), X15
	VPMOVZXBW X15, X12
	VPSRLDQ   $8, X15, X13
	VPMOVZXBW X13, X13
	VMOVD     (DX), X0
	VPINSRD   $1, (DX)(CX*1), X0, X0
	VMOVD     (DX)(CX*2), X1
	VPINSRD   $1, (DX)(R10*1), X1, X1
	VPMOVZXBW X0, X0
	VPMOVZXBW X1, X1
	VPSUBW    X12, X0, X0
	VPSUBW    X13, X1, X1
	FORWARD(X0, X1, X2, X3)
	LEVELS(X0, X2, 64(R8), 32(R8))
	LEVELS(X1, X3, 80(R8), 48(R8))
	ZIGZAG(X2, X3, X4, X5, X6)
	VMOVDQU   X4, (R9)
	VMOVDQU   X5, 16(R9)
	PRESENT(X4, X5, X6, X7)
	MOVWLZX   AX, AX
	LEAL      1(AX)(AX*1), AX
	BSRL      AX, AX
	MOVQ      AX, end+48(FP)
	TESTL     AX, AX
	JZ        write

	VPMULLW   (R8), X2, X0
	VPMULLW   16(R8), X3, X1
	INVERSE(X0, X1, X2, X3, X4, X5)
	VPADDW    X12, X0, X0
	VPADDW    X13, X1, X1
	VPACKUSWB X1, X0, X15

write:
	VMOVD   X15, (DI)
	VPEXTRD $1, X15, (DI)(CX*1)
	VPEXTRD $2, X15, (DI)(CX*2)
	VPEXTRD $3, X15, (DI)(R10*1)
	VZEROUPPER
	RET

// func encodePairVector(src, dst *uint8, stride int, q *quantizer, levels *[2]block) (ends int)
//
// encodePairVector encodes two adjacent blocks, one in each half of the registers. Its Go twin is
// quantizer.encodePairInGo. It returns the second end in bits 8 to 15.
//
//	SI, DI    src, dst
//	CX, R10   stride, 3*stride
//	R8        q: steps, inverses at 32, biases at 64
//	R9        levels
//	AX, BX    masks of nonzero levels, then the ends
//	Y0, Y1    differences, coefficients, decoded differences
//	Y2, Y3    levels in row-major order
//	Y4-Y7     levels in zigzag order, and temporaries
//	Y8-Y11    biases and inverses, then steps
//	Y12, Y13  prediction as words
TEXT ·encodePairVector(SB), NOSPLIT, $0-48
	MOVQ src+0(FP), SI
	MOVQ dst+8(FP), DI
	MOVQ stride+16(FP), CX
	MOVQ q+24(FP), R8
	MOVQ levels+32(FP), R9
	LEAQ (CX)(CX*2), R10

	LOADPAIR(SI, Y0, X0, Y1, X1, X2)
	LOADPAIR(DI, Y12, X12, Y13, X13, X2)
	VPSUBW         Y12, Y0, Y0
	VPSUBW         Y13, Y1, Y1
	FORWARD(Y0, Y1, Y2, Y3)
	VBROADCASTI128 64(R8), Y8
	VBROADCASTI128 32(R8), Y9
	VBROADCASTI128 80(R8), Y10
	VBROADCASTI128 48(R8), Y11
	LEVELS(Y0, Y2, Y8, Y9)
	LEVELS(Y1, Y3, Y10, Y11)
	ZIGZAG(Y2, Y3, Y4, Y5, Y6)
	VMOVDQU        X4, (R9)
	VMOVDQU        X5, 16(R9)
	VEXTRACTI128   $1, Y4, 32(R9)
	VEXTRACTI128   $1, Y5, 48(R9)
	PRESENT(Y4, Y5, Y6, Y7)
	MOVL           AX, BX
	TESTL          AX, AX
	JZ             done

	VBROADCASTI128 (R8), Y8
	VBROADCASTI128 16(R8), Y9
	VPMULLW        Y8, Y2, Y0
	VPMULLW        Y9, Y3, Y1
	INVERSE(Y0, Y1, Y2, Y3, Y4, Y5)
	VPADDW         Y12, Y0, Y0
	VPADDW         Y13, Y1, Y1
	STOREPAIR(DI, Y0, X0, Y1, X1, X2)

done:
	MOVWLZX AX, AX
	LEAL    1(AX)(AX*1), AX
	BSRL    AX, AX
	SHRL    $16, BX
	LEAL    1(BX)(BX*1), BX
	BSRL    BX, BX
	SHLL    $8, BX
	ORL     BX, AX
	MOVQ    AX, ends+40(FP)
	VZEROUPPER
	RET
