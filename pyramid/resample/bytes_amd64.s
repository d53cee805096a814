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

// CONSTANT defines four bytes.
#define CONSTANT(name, bits) \
	DATA name<>+0(SB)/4, $bits \
	GLOBL name<>(SB), RODATA|NOPTR, $4

CONSTANT(one, 1)
CONSTANT(aboveFifteen, 0xFFFFFFF0)
CONSTANT(lowBytes, 0x00FF00FF)
CONSTANT(bias, 0x80008000)
CONSTANT(unbiased, 0x808000)
CONSTANT(whole, 256)

// interleave is the order of bytes that interleaves four words with the four that follow.
DATA interleave<>+0(SB)/8, $0x0B0A030209080100
DATA interleave<>+8(SB)/8, $0x0F0E07060D0C0504
GLOBL interleave<>(SB), RODATA|NOPTR, $16

// func interpolateNearUint8(target, top, bottom *uint8, at *int32, fx, fy *uint8, n int) (done int)
//
// It does what interpolateFoursUint8 does for eight pixels at a time, while those that eight need of a
// row lie within 16 bytes, and returns for how many that was so. It needs AVX2.
//
//	AX       index of the first pixel of the iteration
//	BX       bottom
//	CX       the largest such index
//	DX       at
//	DI       target
//	SI       top
//	R8       at of the first pixel
//	R12      fx
//	R13      fy
//	Y0       at of the first pixel in each lane, then 16 bytes of the top row and below these of the bottom row
//	Y1       where the left and right byte of each pixel lie in these
//	Y2, Y3   left bytes, and right ones less left ones, as words
//	Y4, Y5   weights
//	Y8-Y14   constants, in the order of their definition
TEXT ·interpolateNearUint8(SB), NOSPLIT, $0-64
	MOVQ target+0(FP), DI
	MOVQ top+8(FP), SI
	MOVQ bottom+16(FP), BX
	MOVQ at+24(FP), DX
	MOVQ fx+32(FP), R12
	MOVQ fy+40(FP), R13
	MOVQ n+48(FP), CX
	SUBQ $8, CX
	XORQ AX, AX

	VPBROADCASTD   one<>(SB), Y8
	VPBROADCASTD   aboveFifteen<>(SB), Y9
	VPBROADCASTD   lowBytes<>(SB), Y10
	VPBROADCASTD   bias<>(SB), Y11
	VPBROADCASTD   unbiased<>(SB), Y12
	VPBROADCASTD   whole<>(SB), Y13
	VBROADCASTI128 interleave<>(SB), Y14
	VPXOR          Y15, Y15, Y15

eight:
	CMPQ         AX, CX
	JGT          done
	VPBROADCASTD (DX)(AX*4), Y0
	VMOVDQU      (DX)(AX*4), Y1
	VPSUBD       Y0, Y1, Y1
	VPADDD       Y8, Y1, Y2
	VPOR         Y2, Y1, Y3
	VPTEST       Y9, Y3
	JNE          done
	VPSLLD       $8, Y2, Y2
	VPOR         Y2, Y1, Y1
	VPACKUSDW    Y1, Y1, Y1
	VPERMQ       $0x88, Y1, Y1

	MOVLQSX     (DX)(AX*4), R8
	VMOVDQU     (SI)(R8*1), X0
	VINSERTI128 $1, (BX)(R8*1), Y0, Y0
	VPSHUFB     Y1, Y0, Y0
	VPAND       Y10, Y0, Y2
	VPSRLW      $8, Y0, Y3
	VPSUBW      Y2, Y3, Y3

	// Sum across: 256 left + (right - left) x.
	VPBROADCASTQ (R12)(AX*1), Y4
	VPUNPCKLBW   Y15, Y4, Y4
	VPMULLW      Y4, Y3, Y3
	VPSLLW       $8, Y2, Y2
	VPADDW       Y3, Y2, Y2

	// Sum down, the first four pixels in the lower half and the others in the upper half.
	VPMOVZXBD (R13)(AX*1), Y4
	VPSLLD    $16, Y4, Y5
	VPSUBD    Y4, Y5, Y5
	VPADDD    Y13, Y5, Y5       // 256-y and y in the two words of each pixel
	VPXOR     Y11, Y2, Y2
	VPERMQ    $0xD8, Y2, Y2
	VPSHUFB   Y14, Y2, Y2
	VPMADDWD  Y5, Y2, Y2
	VPADDD    Y12, Y2, Y2
	VPSRLD    $16, Y2, Y2

	VEXTRACTI128 $1, Y2, X3
	VPACKUSDW    X3, X2, X2
	VPACKUSWB    X2, X2, X2
	VMOVQ        X2, (DI)(AX*1)
	ADDQ         $8, AX
	JMP          eight

done:
	MOVQ AX, done+56(FP)
	VZEROUPPER
	RET
