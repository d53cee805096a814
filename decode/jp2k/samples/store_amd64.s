//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// BX counts samples, and R13 is where the last turn begins. Y8 to Y11 are the limits, what is added, and which bits
// of a sum are stored.

#define BEGIN(samples, least, most, bits) \
	MOVQ         to+0(FP), DI            \
	MOVQ         from+8(FP), SI          \
	MOVQ         count+16(FP), R13       \
	MOVQ         l+24(FP), DX            \
	SUBQ         $samples, R13           \
	XORQ         BX, BX                  \
	VPBROADCASTD least(DX), Y8           \
	VPBROADCASTD most(DX), Y9            \
	VPBROADCASTD limits_shift(DX), Y10   \
	VPCMPEQD     Y11, Y11, Y11           \
	VPSRLD       $(32-bits), Y11, Y11

#define NEXT(samples) \
	CMPQ    BX, R13      \
	JEQ     done         \
	ADDQ    $samples, BX \
	CMPQ    BX, R13      \
	CMOVQGT R13, BX      \
	JMP     turn

#define INTEGERS(at, out) \
	VPMAXSD at(SI)(BX*4), Y8, out \
	VPMINSD out, Y9, out          \
	VPADDD  Y10, out, out         \
	VPAND   Y11, out, out

// FLOATS takes the least for what is not a number, which is why the order matters.
#define FLOATS(at, out) \
	VMOVUPS   at(SI)(BX*4), out \
	VMAXPS    Y8, out, out      \
	VMINPS    Y9, out, out      \
	VCVTPS2DQ out, out          \
	VPADDD    Y10, out, out     \
	VPAND     Y11, out, out

// PACK8 packs the lanes of four vectors, whose order Y12 then puts right.
#define PACK8 \
	VPACKUSDW Y1, Y0, Y0  \
	VPACKUSDW Y3, Y2, Y2  \
	VPACKUSWB Y2, Y0, Y0  \
	VPERMD    Y0, Y12, Y0 \
	VMOVDQU   Y0, (DI)(BX*1)

#define PACK16 \
	VPACKUSDW Y1, Y0, Y0    \
	VPERMQ    $0xD8, Y0, Y0 \
	VMOVDQU   Y0, (DI)(BX*2)

DATA order<>+0(SB)/4, $0
DATA order<>+4(SB)/4, $4
DATA order<>+8(SB)/4, $1
DATA order<>+12(SB)/4, $5
DATA order<>+16(SB)/4, $2
DATA order<>+20(SB)/4, $6
DATA order<>+24(SB)/4, $3
DATA order<>+28(SB)/4, $7
GLOBL order<>(SB), RODATA|NOPTR, $32

// func storeIntegers8AVX2(to, from unsafe.Pointer, count int, l *limits)
TEXT ·storeIntegers8AVX2(SB), NOSPLIT, $0-32
	BEGIN(32, limits_least, limits_most, 8)
	VMOVDQU order<>(SB), Y12

turn:
	INTEGERS(0, Y0)
	INTEGERS(32, Y1)
	INTEGERS(64, Y2)
	INTEGERS(96, Y3)
	PACK8
	NEXT(32)

done:
	VZEROUPPER
	RET

// func storeIntegers16AVX2(to, from unsafe.Pointer, count int, l *limits)
TEXT ·storeIntegers16AVX2(SB), NOSPLIT, $0-32
	BEGIN(16, limits_least, limits_most, 16)

turn:
	INTEGERS(0, Y0)
	INTEGERS(32, Y1)
	PACK16
	NEXT(16)

done:
	VZEROUPPER
	RET

// func storeFloats8AVX2(to, from unsafe.Pointer, count int, l *limits)
TEXT ·storeFloats8AVX2(SB), NOSPLIT, $0-32
	BEGIN(32, limits_leastFloat, limits_mostFloat, 8)
	VMOVDQU order<>(SB), Y12

turn:
	FLOATS(0, Y0)
	FLOATS(32, Y1)
	FLOATS(64, Y2)
	FLOATS(96, Y3)
	PACK8
	NEXT(32)

done:
	VZEROUPPER
	RET

// func storeFloats16AVX2(to, from unsafe.Pointer, count int, l *limits)
TEXT ·storeFloats16AVX2(SB), NOSPLIT, $0-32
	BEGIN(16, limits_leastFloat, limits_mostFloat, 16)

turn:
	FLOATS(0, Y0)
	FLOATS(32, Y1)
	PACK16
	NEXT(16)

done:
	VZEROUPPER
	RET
