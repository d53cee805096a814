//go:build !purego

#include "textflag.h"

#define CONSTANT(name, bits) \
	DATA name<>+0(SB)/4, $bits \
	GLOBL name<>(SB), RODATA|NOPTR, $4

// The constants of the standard, as the nearest 32 bits.
CONSTANT(redOfSecond, 0x3FB374BC)
CONSTANT(greenOfFirst, 0x3EB03298)
CONSTANT(greenOfSecond, 0x3F36D19E)
CONSTANT(blueOfFirst, 0x3FE2D0E5)

// The routines read luminance from (DI), the blue difference from (SI) and the red difference from
// (DX). They replace them by red, green and blue.
//
//	DI  first    Y0  luminance
//	SI  second   Y1  blue difference
//	DX  third    Y2  red difference
//	CX  vectors left

// NEXT jumps to the next vector, if there is one.
#define NEXT \
	ADDQ $32, DI \
	ADDQ $32, SI \
	ADDQ $32, DX \
	DECQ CX      \
	JNZ  step

// REVERSIBLE inverts the reversible color transform, with the instructions for lanes of 32 or of 16
// bits. Y3 is green.
#define REVERSIBLE(ADD, SUBTRACT, SHIFT) \
	MOVQ first+0(FP), DI    \
	MOVQ second+8(FP), SI   \
	MOVQ third+16(FP), DX   \
	MOVQ vectors+24(FP), CX \
	                        \
step:                       \
	VMOVDQU  (DI), Y0       \
	VMOVDQU  (SI), Y1       \
	VMOVDQU  (DX), Y2       \
	ADD      Y2, Y1, Y3     \
	SHIFT    $2, Y3, Y3     \
	SUBTRACT Y3, Y0, Y3     \
	ADD      Y3, Y2, Y2     \
	ADD      Y3, Y1, Y1     \
	VMOVDQU  Y2, (DI)       \
	VMOVDQU  Y3, (SI)       \
	VMOVDQU  Y1, (DX)       \
	NEXT                    \
	VZEROUPPER              \
	RET

// reversibleWords transforms int32. Its Go twin is reversibleInGo.
//
// func reversibleWords(first, second, third unsafe.Pointer, vectors int)
TEXT ·reversibleWords(SB), NOSPLIT, $0-32
	REVERSIBLE(VPADDD, VPSUBD, VPSRAD)

// reversibleShorts transforms int16. Its Go twin is reversibleInGo.
//
// func reversibleShorts(first, second, third unsafe.Pointer, vectors int)
TEXT ·reversibleShorts(SB), NOSPLIT, $0-32
	REVERSIBLE(VPADDW, VPSUBW, VPSRAW)

// irreversibleInAssembly inverts the irreversible color transform. Its Go twin is irreversibleInGo.
//
//	Y3-Y6    products and sums    Y14  greenOfSecond
//	Y12      redOfSecond          Y15  blueOfFirst
//	Y13      greenOfFirst
//
// func irreversibleInAssembly(first, second, third *float32, vectors int)
TEXT ·irreversibleInAssembly(SB), NOSPLIT, $0-32
	MOVQ         first+0(FP), DI
	MOVQ         second+8(FP), SI
	MOVQ         third+16(FP), DX
	MOVQ         vectors+24(FP), CX
	VBROADCASTSS redOfSecond<>(SB), Y12
	VBROADCASTSS greenOfFirst<>(SB), Y13
	VBROADCASTSS greenOfSecond<>(SB), Y14
	VBROADCASTSS blueOfFirst<>(SB), Y15

step:
	VMOVUPS (DI), Y0
	VMOVUPS (SI), Y1
	VMOVUPS (DX), Y2
	VMULPS  Y12, Y2, Y3
	VMULPS  Y13, Y1, Y4
	VMULPS  Y14, Y2, Y5
	VMULPS  Y15, Y1, Y6
	VADDPS  Y3, Y0, Y3
	VSUBPS  Y4, Y0, Y4
	VSUBPS  Y5, Y4, Y4
	VADDPS  Y6, Y0, Y6
	VMOVUPS Y3, (DI)
	VMOVUPS Y4, (SI)
	VMOVUPS Y6, (DX)
	NEXT
	VZEROUPPER
	RET
