//go:build !purego

#include "textflag.h"

// All of these do at least what a turn does; some in the last are done again. BX counts coefficients, and R13 is
// where the last turn begins.

#define BEGIN(perTurn) \
	MOVQ to+0(FP), DI      \
	MOVQ from+8(FP), SI    \
	MOVQ count+16(FP), R13 \
	SUBQ $perTurn, R13     \
	XORQ BX, BX

#define NEXT(perTurn) \
	CMPQ    BX, R13      \
	JEQ     done         \
	ADDQ    $perTurn, BX \
	CMPQ    BX, R13      \
	CMOVQGT R13, BX      \
	JMP     turn

// HALVE shifts to the right; a sign that is added before makes that go towards zero.
#define HALVE(x, sign) \
	VPSRLD $31, x, sign \
	VPADDD sign, x, x   \
	VPSRAD $1, x, x

// PACK keeps the lower halves of two vectors; Y15 tells which bits they are.
#define PACK(low, high) \
	VPAND     Y15, low, low    \
	VPAND     Y15, high, high  \
	VPACKUSDW high, low, low   \
	VPERMQ    $0xD8, low, low

// func widenAVX2(to, from unsafe.Pointer, count int)
TEXT ·widenAVX2(SB), NOSPLIT, $0-24
	BEGIN(8)

turn:
	VPMOVSXWD (SI)(BX*2), Y0
	VMOVDQU   Y0, (DI)(BX*4)
	NEXT(8)

done:
	VZEROUPPER
	RET

// func scale16AVX2(to, from unsafe.Pointer, count int, one float32)
TEXT ·scale16AVX2(SB), NOSPLIT, $0-28
	BEGIN(8)
	VBROADCASTSS one+24(FP), Y15

turn:
	VPMOVSXWD (SI)(BX*2), Y0
	VCVTDQ2PS Y0, Y0
	VMULPS    Y15, Y0, Y0
	VMOVUPS   Y0, (DI)(BX*4)
	NEXT(8)

done:
	VZEROUPPER
	RET

// func scale32AVX2(to, from unsafe.Pointer, count int, one float32)
TEXT ·scale32AVX2(SB), NOSPLIT, $0-28
	BEGIN(8)
	VBROADCASTSS one+24(FP), Y15

turn:
	VCVTDQ2PS (SI)(BX*4), Y0
	VMULPS    Y15, Y0, Y0
	VMOVUPS   Y0, (DI)(BX*4)
	NEXT(8)

done:
	VZEROUPPER
	RET

// func halve32AVX2(to, from unsafe.Pointer, count int)
TEXT ·halve32AVX2(SB), NOSPLIT, $0-24
	BEGIN(8)

turn:
	VMOVDQU (SI)(BX*4), Y0
	HALVE(Y0, Y1)
	VMOVDQU Y0, (DI)(BX*4)
	NEXT(8)

done:
	VZEROUPPER
	RET

// func halve16AVX2(to, from unsafe.Pointer, count int)
TEXT ·halve16AVX2(SB), NOSPLIT, $0-24
	BEGIN(16)
	VPCMPEQD Y15, Y15, Y15
	VPSRLD   $16, Y15, Y15

turn:
	VMOVDQU (SI)(BX*4), Y0
	VMOVDQU 32(SI)(BX*4), Y1
	HALVE(Y0, Y2)
	HALVE(Y1, Y3)
	PACK(Y0, Y1)
	VMOVDQU Y0, (DI)(BX*2)
	NEXT(16)

done:
	VZEROUPPER
	RET

// func narrowAVX2(to, from unsafe.Pointer, count int)
TEXT ·narrowAVX2(SB), NOSPLIT, $0-24
	BEGIN(16)
	VPCMPEQD Y15, Y15, Y15
	VPSRLD   $16, Y15, Y15

turn:
	VMOVDQU (SI)(BX*4), Y0
	VMOVDQU 32(SI)(BX*4), Y1
	PACK(Y0, Y1)
	VMOVDQU Y0, (DI)(BX*2)
	NEXT(16)

done:
	VZEROUPPER
	RET
