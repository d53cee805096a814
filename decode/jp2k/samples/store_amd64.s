//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// All routines use the same registers. The last step may overlap the one before it.
//
//	DI     to                  BX   index of the first sample of the step
//	SI     from                R13  index of the first sample of the last step
//	DX     limits              Y8   minimum
//	Y0-Y3  samples             Y9   maximum
//	Y10    shift, to be added  Y11  mask of the bits of a sample
//	Y12    order of the packed double words

// BEGIN loads the parameters.
#define BEGIN(samples, minValue, maxValue, bits) \
	MOVQ         to+0(FP), DI            \
	MOVQ         from+8(FP), SI          \
	MOVQ         count+16(FP), R13       \
	MOVQ         l+24(FP), DX            \
	SUBQ         $samples, R13           \
	XORQ         BX, BX                  \
	VPBROADCASTD minValue(DX), Y8        \
	VPBROADCASTD maxValue(DX), Y9        \
	VPBROADCASTD limits_shift(DX), Y10   \
	VPCMPEQD     Y11, Y11, Y11           \
	VPSRLD       $(32-bits), Y11, Y11

// NEXT jumps to the next step, or to done after the last one.
#define NEXT(samples) \
	CMPQ    BX, R13      \
	JEQ     done         \
	ADDQ    $samples, BX \
	CMPQ    BX, R13      \
	CMOVQGT R13, BX      \
	JMP     step

// INTEGERS clamps and shifts eight integers.
#define INTEGERS(at, out) \
	VPMAXSD at(SI)(BX*4), Y8, out \
	VPMINSD out, Y9, out          \
	VPADDD  Y10, out, out         \
	VPAND   Y11, out, out

// FLOATS clamps, rounds and shifts eight floats. The order of the operands of VMAXPS turns NaN into
// the minimum.
#define FLOATS(at, out) \
	VMOVUPS   at(SI)(BX*4), out \
	VMAXPS    Y8, out, out      \
	VMINPS    Y9, out, out      \
	VCVTPS2DQ out, out          \
	VPADDD    Y10, out, out     \
	VPAND     Y11, out, out

// SHORTS clamps and shifts sixteen integers of 16 bits.
#define SHORTS(at, out) \
	VPMAXSW at(SI)(BX*2), Y8, out \
	VPMINSW out, Y9, out          \
	VPADDW  Y10, out, out

// SHORT_LIMITS repeats the parameters in lanes of 16 bits.
#define SHORT_LIMITS \
	VPBROADCASTW X8, Y8   \
	VPBROADCASTW X9, Y9   \
	VPBROADCASTW X10, Y10

// PACK8 packs four vectors into bytes and stores them. Y12 restores the order of the lanes.
#define PACK8 \
	VPACKUSDW Y1, Y0, Y0  \
	VPACKUSDW Y3, Y2, Y2  \
	VPACKUSWB Y2, Y0, Y0  \
	VPERMD    Y0, Y12, Y0 \
	VMOVDQU   Y0, (DI)(BX*1)

// PACK16 packs two vectors into words and stores them.
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

// storeIntegers8InAssembly stores int32 as samples of a byte. Its Go twin is storeIntegers.
//
// func storeIntegers8InAssembly(to, from unsafe.Pointer, count int, l *limits)
TEXT ·storeIntegers8InAssembly(SB), NOSPLIT, $0-32
	BEGIN(32, limits_minInt, limits_maxInt, 8)
	VMOVDQU order<>(SB), Y12

step:
	INTEGERS(0, Y0)
	INTEGERS(32, Y1)
	INTEGERS(64, Y2)
	INTEGERS(96, Y3)
	PACK8
	NEXT(32)

done:
	VZEROUPPER
	RET

// storeIntegers16InAssembly stores int32 as samples of two bytes. Its Go twin is storeIntegers.
//
// func storeIntegers16InAssembly(to, from unsafe.Pointer, count int, l *limits)
TEXT ·storeIntegers16InAssembly(SB), NOSPLIT, $0-32
	BEGIN(16, limits_minInt, limits_maxInt, 16)

step:
	INTEGERS(0, Y0)
	INTEGERS(32, Y1)
	PACK16
	NEXT(16)

done:
	VZEROUPPER
	RET

// storeShorts8InAssembly stores int16 as samples of a byte. Its Go twin is storeIntegers. Y11 is the
// mask of the bits in lanes of 16 bits.
//
// func storeShorts8InAssembly(to, from unsafe.Pointer, count int, l *limits)
TEXT ·storeShorts8InAssembly(SB), NOSPLIT, $0-32
	BEGIN(32, limits_minInt, limits_maxInt, 8)
	SHORT_LIMITS
	VPBROADCASTW X11, Y11

step:
	SHORTS(0, Y0)
	SHORTS(32, Y1)
	VPAND     Y11, Y0, Y0
	VPAND     Y11, Y1, Y1
	VPACKUSWB Y1, Y0, Y0
	VPERMQ    $0xD8, Y0, Y0
	VMOVDQU   Y0, (DI)(BX*1)
	NEXT(32)

done:
	VZEROUPPER
	RET

// storeShorts16InAssembly stores int16 as samples of two bytes. Its Go twin is storeIntegers.
//
// func storeShorts16InAssembly(to, from unsafe.Pointer, count int, l *limits)
TEXT ·storeShorts16InAssembly(SB), NOSPLIT, $0-32
	BEGIN(16, limits_minInt, limits_maxInt, 16)
	SHORT_LIMITS

step:
	SHORTS(0, Y0)
	VMOVDQU Y0, (DI)(BX*2)
	NEXT(16)

done:
	VZEROUPPER
	RET

// storeFloats8InAssembly stores float32 as samples of a byte. Its Go twin is storeFloats.
//
// func storeFloats8InAssembly(to, from unsafe.Pointer, count int, l *limits)
TEXT ·storeFloats8InAssembly(SB), NOSPLIT, $0-32
	BEGIN(32, limits_minFloat, limits_maxFloat, 8)
	VMOVDQU order<>(SB), Y12

step:
	FLOATS(0, Y0)
	FLOATS(32, Y1)
	FLOATS(64, Y2)
	FLOATS(96, Y3)
	PACK8
	NEXT(32)

done:
	VZEROUPPER
	RET

// storeFloats16InAssembly stores float32 as samples of two bytes. Its Go twin is storeFloats.
//
// func storeFloats16InAssembly(to, from unsafe.Pointer, count int, l *limits)
TEXT ·storeFloats16InAssembly(SB), NOSPLIT, $0-32
	BEGIN(16, limits_minFloat, limits_maxFloat, 16)

step:
	FLOATS(0, Y0)
	FLOATS(32, Y1)
	PACK16
	NEXT(16)

done:
	VZEROUPPER
	RET
