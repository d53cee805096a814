//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// The routine uses AVX2 and the arithmetic of the Go code exactly, since files must not depend on
// the machine.

// ROW transforms a row of eight samples. The lower lane of out receives the coefficients 0, 2, 4,
// 6, the upper lane 1, 3, 5, 7.
#define ROW(at, out) \
	VPBROADCASTQ at, Y8       \
	VPSHUFB    Y14, Y8, Y9    \
	VPSHUFB    Y15, Y8, Y8    \
	VPMADDUBSW Y13, Y9, Y9    \
	VPMADDUBSW Y13, Y8, Y8    \
	VPMADDWD   Y11, Y9, Y9    \
	VPMADDWD   Y12, Y8, Y8    \
	VPADDD     Y9, Y8, out

// QUANTIZE divides a row of coefficients. The upper halves of the 64-bit products are needed: those
// of even lanes are shifted down, and those of odd lanes are in place.
#define QUANTIZE(row, values) \
	VPSLLVD  laneDivisors_shifts+32*row(R9), values, values      \
	VPSRLQ   $32, values, Y14                                 \
	VPMULDQ  laneDivisors_reciprocals+32*row(R9), values, values \
	VPMULDQ  laneDivisors_reciprocals+32*row+4(R9), Y14, Y14     \
	VPSRLQ   $32, values, values                              \
	VPBLENDD $0xAA, Y14, values, values                       \
	VPADDD   Y15, values, values                              \
	VPSRAD   $8, values, values

// func transformVectors(blocks *block, samples *uint8, stride, n int, divisors *laneDivisors,
// constants *transformConstants)
//
// transformVectors transforms and quantizes n adjacent blocks. Its Go twin is transformRowGo.
//
//	SI        samples of the current block
//	DI        current block
//	CX        remaining blocks
//	R8, R10   stride, 3*stride
//	R11       samples of row 4
//	R9        divisors
//	DX        constants
//	AX, BX    masks of zero coefficients
//	Y0-Y7     rows, then coefficients
//	Y8-Y10    temporaries
//	Y11-Y15   constants of ROW, then temporaries
//	Y15       half, while quantizing
TEXT ·transformVectors(SB), NOSPLIT, $0-48
	MOVQ blocks+0(FP), DI
	MOVQ samples+8(FP), SI
	MOVQ stride+16(FP), R8
	MOVQ n+24(FP), CX
	MOVQ divisors+32(FP), R9
	MOVQ constants+40(FP), DX
	LEAQ (R8)(R8*2), R10 // three rows

block:
	VMOVDQU transformConstants_outerPairs(DX), Y15
	VMOVDQU transformConstants_innerPairs(DX), Y14
	VMOVDQU transformConstants_signs(DX), Y13
	VMOVDQU transformConstants_outerFactors(DX), Y12
	VMOVDQU transformConstants_innerFactors(DX), Y11
	LEAQ    (SI)(R8*4), R11
	ROW((SI), Y0)
	ROW((SI)(R8*1), Y1)
	ROW((SI)(R8*2), Y2)
	ROW((SI)(R10*1), Y3)
	ROW((R11), Y4)
	ROW((R11)(R8*1), Y5)
	ROW((R11)(R8*2), Y6)
	ROW((R11)(R10*1), Y7)

	// Compute sums and differences of opposite rows.
	VPSUBD Y7, Y0, Y8
	VPADDD Y7, Y0, Y0
	VPSUBD Y6, Y1, Y9
	VPADDD Y6, Y1, Y1
	VPSUBD Y5, Y2, Y10
	VPADDD Y5, Y2, Y2
	VPSUBD Y4, Y3, Y11
	VPADDD Y4, Y3, Y3

	// Compute the even coefficients in Y0 to Y3.
	VPSUBD  Y3, Y0, Y4
	VPADDD  Y3, Y0, Y0
	VPSUBD  Y2, Y1, Y5
	VPADDD  Y2, Y1, Y1
	VPADDD  Y4, Y5, Y5
	VPSUBD  Y1, Y0, Y2
	VPADDD  Y1, Y0, Y0
	VPMULLD transformConstants_evenDiag(DX), Y5, Y5
	VPMULLD transformConstants_evenScale(DX), Y4, Y4
	VPADDD  Y5, Y4, Y1
	VPSUBD  Y5, Y4, Y3
	VPSUBD  transformConstants_center(DX), Y0, Y0

	// Compute the odd coefficients in Y4 to Y7.
	VPADDD  Y10, Y11, Y11
	VPADDD  Y9, Y10, Y10
	VPADDD  Y8, Y9, Y9
	VPMULLD transformConstants_oddDiag(DX), Y10, Y10
	VPMULLD transformConstants_oddScale(DX), Y8, Y8
	VPMULLD transformConstants_oddCos(DX), Y11, Y12
	VPMULLD transformConstants_oddSin(DX), Y9, Y13
	VPMULLD transformConstants_oddSin(DX), Y11, Y14
	VPMULLD transformConstants_oddCos(DX), Y9, Y15
	VPADDD  Y10, Y8, Y7
	VPSUBD  Y10, Y8, Y6
	VPSUBD  Y13, Y12, Y12
	VPADDD  Y15, Y14, Y14
	VPADDD  Y14, Y7, Y4
	VPSUBD  Y14, Y7, Y7
	VPSUBD  Y12, Y6, Y5
	VPADDD  Y12, Y6, Y6

	VMOVDQU transformConstants_half(DX), Y15
	QUANTIZE(0, Y0)
	QUANTIZE(1, Y4)
	QUANTIZE(2, Y1)
	QUANTIZE(3, Y5)
	QUANTIZE(4, Y2)
	QUANTIZE(5, Y6)
	QUANTIZE(6, Y3)
	QUANTIZE(7, Y7)

	VPACKSSDW Y4, Y0, Y0
	VPACKSSDW Y5, Y1, Y1
	VPACKSSDW Y6, Y2, Y2
	VPACKSSDW Y7, Y3, Y3
	VMOVDQU   Y0, (DI)
	VMOVDQU   Y1, 32(DI)
	VMOVDQU   Y2, 64(DI)
	VMOVDQU   Y3, 96(DI)

	// Find the zero coefficients, as bytes in stream order.
	VPXOR     Y4, Y4, Y4
	VPACKSSWB Y1, Y0, Y0
	VPACKSSWB Y3, Y2, Y2
	VPCMPEQB  Y4, Y0, Y0
	VPCMPEQB  Y4, Y2, Y2
	VPERMQ    $0x4E, Y0, Y1
	VPERMQ    $0x4E, Y2, Y3
	VPSHUFB   transformConstants_zigzag+0(DX), Y0, Y4
	VPSHUFB   transformConstants_zigzag+32(DX), Y1, Y5
	VPSHUFB   transformConstants_zigzag+64(DX), Y2, Y6
	VPSHUFB   transformConstants_zigzag+96(DX), Y3, Y7
	VPSHUFB   transformConstants_zigzag+128(DX), Y0, Y0
	VPSHUFB   transformConstants_zigzag+160(DX), Y1, Y1
	VPSHUFB   transformConstants_zigzag+192(DX), Y2, Y2
	VPSHUFB   transformConstants_zigzag+224(DX), Y3, Y3
	VPOR      Y5, Y4, Y4
	VPOR      Y7, Y6, Y6
	VPOR      Y1, Y0, Y0
	VPOR      Y3, Y2, Y2
	VPOR      Y6, Y4, Y4
	VPOR      Y2, Y0, Y0
	VPMOVMSKB Y4, AX
	VPMOVMSKB Y0, BX
	SHLQ      $32, BX
	ORQ       BX, AX
	NOTQ      AX
	MOVQ      AX, block_nonzero(DI)

	ADDQ $8, SI
	ADDQ $block__size, DI
	DECQ CX
	JNZ  block
	VZEROUPPER
	RET
