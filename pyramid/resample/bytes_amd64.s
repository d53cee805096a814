//go:build !purego

#include "textflag.h"

// SSE2 routine for bilinear interpolation of bytes; every amd64 machine has SSE2. Its Go twin is
// interpolateBytes. It uses the same arithmetic, because pixels must not differ between machines.

// PAIR loads the byte at a pixel and its right neighbor into word number place of x.
#define PAIR(place, plane, at, x) PINSRW $place, (plane)(at*1), x

// func interpolateFoursUint8(target, top, bottom *uint8, at *int32, fx, fy *uint8, n int)
//
// It interpolates n pixels, a multiple of four. It sums across first, to 16 bits, and then down.
// PMADDWL multiplies signed words, so the second step uses sums minus 32768:
//
//	(top-32768)(256-y) + (bottom-32768) y = sum - 32768*256
//
//	AX       index of the first pixel of the iteration
//	BX       bottom
//	CX       n
//	DX       at
//	DI       target
//	SI       top
//	R8-R11   at of the four pixels; R8 and R9 also fx, fy and the result
//	R12      fx
//	R13      fy
//	X0, X1   pairs of bytes of the top and bottom row; X0 is also the result
//	X2       weights across: 256-x and x, in the two words of each pixel
//	X3       weights down: 256-y and y, in the two words of each pixel
//	X4, X5   256-x and 256-y
//	X12      32768*256 + 1<<15 in each lane: restores the bias and rounds
//	X13      32768 in each word
//	X14      256 in each lane
//	X15      0
TEXT ·interpolateFoursUint8(SB), NOSPLIT, $0-56
	MOVQ target+0(FP), DI
	MOVQ top+8(FP), SI
	MOVQ bottom+16(FP), BX
	MOVQ at+24(FP), DX
	MOVQ fx+32(FP), R12
	MOVQ fy+40(FP), R13
	MOVQ n+48(FP), CX

	PXOR   X15, X15
	MOVL   $256, AX
	MOVQ   AX, X14
	PSHUFD $0, X14, X14 // 256
	MOVL   $0x80008000, AX
	MOVQ   AX, X13
	PSHUFD $0, X13, X13 // 32768 in each word
	MOVL   $0x808000, AX // 32768*256 + 1<<15
	MOVQ   AX, X12
	PSHUFD $0, X12, X12
	XORQ   AX, AX

four:
	CMPQ AX, CX
	JGE  done

	MOVLQSX 0(DX)(AX*4), R8
	MOVLQSX 4(DX)(AX*4), R9
	MOVLQSX 8(DX)(AX*4), R10
	MOVLQSX 12(DX)(AX*4), R11
	PXOR    X0, X0
	PXOR    X1, X1
	PAIR(0, SI, R8, X0)
	PAIR(1, SI, R9, X0)
	PAIR(2, SI, R10, X0)
	PAIR(3, SI, R11, X0)
	PAIR(0, BX, R8, X1)
	PAIR(1, BX, R9, X1)
	PAIR(2, BX, R10, X1)
	PAIR(3, BX, R11, X1)

	// Compute the weights: 256-x and x, 256-y and y, in pairs of words.
	MOVL      (R12)(AX*1), R8
	MOVL      (R13)(AX*1), R9
	MOVQ      R8, X2
	MOVQ      R9, X3
	PUNPCKLBW X15, X2
	PUNPCKLBW X15, X3
	PUNPCKLWL X15, X2
	PUNPCKLWL X15, X3
	MOVO      X14, X4
	MOVO      X14, X5
	PSUBL     X2, X4
	PSUBL     X3, X5
	PSLLL     $16, X2
	PSLLL     $16, X3
	POR       X4, X2
	POR       X5, X3

	PUNPCKLBW X15, X0
	PUNPCKLBW X15, X1
	PMADDWL   X2, X0
	PMADDWL   X2, X1
	PSLLL     $16, X1
	POR       X1, X0
	PXOR      X13, X0
	PMADDWL   X3, X0
	PADDL     X12, X0
	PSRLL     $16, X0
	PACKSSLW  X0, X0
	PACKUSWB  X0, X0
	MOVQ      X0, R8
	MOVL      R8, (DI)(AX*1)
	ADDQ      $4, AX
	JMP       four

done:
	RET
