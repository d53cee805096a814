//go:build !purego

#include "textflag.h"
#include "../../../internal/neon/neon.h"

// All routines need at least the numbers of one step. The last step may overlap the one before it.
// They use the same registers:
//
//	R0  to
//	R1  from
//	R2  count of the numbers that follow the step
//	V0-V3  scratch
//	V31    the factor (scale)

// BEGIN loads the parameters.
#define BEGIN(perStep) \
	MOVD to+0(FP), R0     \
	MOVD from+8(FP), R1   \
	MOVD count+16(FP), R2 \
	SUB  $perStep, R2, R2

// NEXT jumps to the next step, or to done after the last one. Where the last step lacks numbers, it
// goes back by these; R2 is negative then. toShift and fromShift are log2 of the sizes of numbers.
#define NEXT(perStep, toShift, fromShift) \
	SUBS $perStep, R2, R2      \
	BGE  step                  \
	CMN  $perStep, R2          \
	BEQ  done                  \
	ADD  R2<<toShift, R0, R0   \
	ADD  R2<<fromShift, R1, R1 \
	MOVD ZR, R2                \
	B    step

// FACTOR loads the factor.
#define FACTOR \
	FMOVS one+24(FP), F31 \
	VDUP  V31.S[0], V31.S4

// SCALE converts four int32 to float32 and scales them.
#define SCALE(v) \
	VSCVTF_S4(v, v) \
	VFMUL_S4(31, v, v)

// widenInAssembly converts int16 to int32. Its Go twin is rows.placeInGo, with a factor of 1.
//
// func widenInAssembly(to, from unsafe.Pointer, count int)
TEXT ·widenInAssembly(SB), NOSPLIT, $0-24
	BEGIN(8)

step:
	FMOVQ.P 16(R1), F0
	VSSHLL2_H8(0, 0, 1)
	VSSHLL_H4(0, 0, 0)
	FSTPQ.P (F0, F1), 32(R0)
	NEXT(8, 2, 1)

done:
	RET

// widen8To16InAssembly converts int8 to int16. Its Go twin is rows.placeInGo, with a factor of 1.
//
// func widen8To16InAssembly(to, from unsafe.Pointer, count int)
TEXT ·widen8To16InAssembly(SB), NOSPLIT, $0-24
	BEGIN(16)

step:
	FMOVQ.P 16(R1), F0
	VSSHLL2_B16(0, 0, 1)
	VSSHLL_B8(0, 0, 0)
	FSTPQ.P (F0, F1), 32(R0)
	NEXT(16, 1, 0)

done:
	RET

// widen8To32InAssembly converts int8 to int32. Its Go twin is rows.placeInGo, with a factor of 1.
//
// func widen8To32InAssembly(to, from unsafe.Pointer, count int)
TEXT ·widen8To32InAssembly(SB), NOSPLIT, $0-24
	BEGIN(8)

step:
	FMOVD.P 8(R1), F0
	VSSHLL_B8(0, 0, 0)
	VSSHLL2_H8(0, 0, 1)
	VSSHLL_H4(0, 0, 0)
	FSTPQ.P (F0, F1), 32(R0)
	NEXT(8, 2, 0)

done:
	RET

// scale8InAssembly converts int8 to float32 and scales. Its Go twin is rows.placeInGo.
//
// func scale8InAssembly(to, from unsafe.Pointer, count int, one float32)
TEXT ·scale8InAssembly(SB), NOSPLIT, $0-28
	BEGIN(8)
	FACTOR

step:
	FMOVD.P 8(R1), F0
	VSSHLL_B8(0, 0, 0)
	VSSHLL2_H8(0, 0, 1)
	VSSHLL_H4(0, 0, 0)
	SCALE(0)
	SCALE(1)
	FSTPQ.P (F0, F1), 32(R0)
	NEXT(8, 2, 0)

done:
	RET

// scale16InAssembly converts int16 to float32 and scales. Its Go twin is rows.placeInGo.
//
// func scale16InAssembly(to, from unsafe.Pointer, count int, one float32)
TEXT ·scale16InAssembly(SB), NOSPLIT, $0-28
	BEGIN(8)
	FACTOR

step:
	FMOVQ.P 16(R1), F0
	VSSHLL2_H8(0, 0, 1)
	VSSHLL_H4(0, 0, 0)
	SCALE(0)
	SCALE(1)
	FSTPQ.P (F0, F1), 32(R0)
	NEXT(8, 2, 1)

done:
	RET

// scale32InAssembly converts int32 to float32 and scales. Its Go twin is rows.placeInGo.
//
// func scale32InAssembly(to, from unsafe.Pointer, count int, one float32)
TEXT ·scale32InAssembly(SB), NOSPLIT, $0-28
	BEGIN(8)
	FACTOR

step:
	FLDPQ.P 32(R1), (F0, F1)
	SCALE(0)
	SCALE(1)
	FSTPQ.P (F0, F1), 32(R0)
	NEXT(8, 2, 2)

done:
	RET

// halve32InAssembly halves int32. Its Go twin is halveInGo. The sign is added before the shift,
// which rounds towards zero.
//
// func halve32InAssembly(to, from unsafe.Pointer, count int)
TEXT ·halve32InAssembly(SB), NOSPLIT, $0-24
	BEGIN(8)

step:
	FLDPQ.P 32(R1), (F0, F1)
	VUSRA_S4(31, 0, 0)
	VUSRA_S4(31, 1, 1)
	VSSHR_S4(1, 0, 0)
	VSSHR_S4(1, 1, 1)
	FSTPQ.P (F0, F1), 32(R0)
	NEXT(8, 2, 2)

done:
	RET

// halve16InAssembly halves int32 into int16. Its Go twin is halveInGo.
//
// func halve16InAssembly(to, from unsafe.Pointer, count int)
TEXT ·halve16InAssembly(SB), NOSPLIT, $0-24
	BEGIN(16)

step:
	FLDPQ.P 32(R1), (F0, F1)
	FLDPQ.P 32(R1), (F2, F3)
	VUSRA_S4(31, 0, 0)
	VUSRA_S4(31, 1, 1)
	VUSRA_S4(31, 2, 2)
	VUSRA_S4(31, 3, 3)
	VSHRN_H4(1, 0, 0)
	VSHRN2_H8(1, 1, 0)
	VSHRN_H4(1, 2, 2)
	VSHRN2_H8(1, 3, 2)
	FSTPQ.P (F0, F2), 32(R0)
	NEXT(16, 1, 2)

done:
	RET

// halveShortsInAssembly halves int16. Its Go twin is halveInGo.
//
// func halveShortsInAssembly(to, from unsafe.Pointer, count int)
TEXT ·halveShortsInAssembly(SB), NOSPLIT, $0-24
	BEGIN(16)

step:
	FLDPQ.P 32(R1), (F0, F1)
	VUSRA_H8(15, 0, 0)
	VUSRA_H8(15, 1, 1)
	VSSHR_H8(1, 0, 0)
	VSSHR_H8(1, 1, 1)
	FSTPQ.P (F0, F1), 32(R0)
	NEXT(16, 1, 1)

done:
	RET

// halveShorts8InAssembly halves int16 into int8, without saturation. Its Go twin is halveInGo.
//
// func halveShorts8InAssembly(to, from unsafe.Pointer, count int)
TEXT ·halveShorts8InAssembly(SB), NOSPLIT, $0-24
	BEGIN(32)

step:
	FLDPQ.P 32(R1), (F0, F1)
	FLDPQ.P 32(R1), (F2, F3)
	VUSRA_H8(15, 0, 0)
	VUSRA_H8(15, 1, 1)
	VUSRA_H8(15, 2, 2)
	VUSRA_H8(15, 3, 3)
	VSHRN_B8(1, 0, 0)
	VSHRN2_B16(1, 1, 0)
	VSHRN_B8(1, 2, 1)
	VSHRN2_B16(1, 3, 1)
	FSTPQ.P (F0, F1), 32(R0)
	NEXT(32, 0, 1)

done:
	RET

// narrowShortsInAssembly converts int16 to int8, without saturation: it keeps the bytes at even places. Its Go
// twin is narrowInGo.
//
// func narrowShortsInAssembly(to, from unsafe.Pointer, count int)
TEXT ·narrowShortsInAssembly(SB), NOSPLIT, $0-24
	BEGIN(32)

step:
	FLDPQ.P 32(R1), (F0, F1)
	FLDPQ.P 32(R1), (F2, F3)
	VUZP1   V1.B16, V0.B16, V0.B16
	VUZP1   V3.B16, V2.B16, V1.B16
	FSTPQ.P (F0, F1), 32(R0)
	NEXT(32, 0, 1)

done:
	RET

// narrow8InAssembly converts int32 to int8, without saturation: it keeps the bytes at places that four
// divides. Its Go twin is narrowInGo.
//
// func narrow8InAssembly(to, from unsafe.Pointer, count int)
TEXT ·narrow8InAssembly(SB), NOSPLIT, $0-24
	BEGIN(32)

step:
	FLDPQ.P 32(R1), (F0, F1)
	FLDPQ.P 32(R1), (F2, F3)
	FLDPQ.P 32(R1), (F4, F5)
	FLDPQ.P 32(R1), (F6, F7)
	VUZP1   V1.H8, V0.H8, V0.H8
	VUZP1   V3.H8, V2.H8, V2.H8
	VUZP1   V5.H8, V4.H8, V4.H8
	VUZP1   V7.H8, V6.H8, V6.H8
	VUZP1   V2.B16, V0.B16, V0.B16
	VUZP1   V6.B16, V4.B16, V1.B16
	FSTPQ.P (F0, F1), 32(R0)
	NEXT(32, 0, 2)

done:
	RET

// halve8InAssembly halves int32 into int8, without saturation. Its Go twin is halveInGo.
//
// func halve8InAssembly(to, from unsafe.Pointer, count int)
TEXT ·halve8InAssembly(SB), NOSPLIT, $0-24
	BEGIN(16)

step:
	FLDPQ.P 32(R1), (F0, F1)
	FLDPQ.P 32(R1), (F2, F3)
	VUSRA_S4(31, 0, 0)
	VUSRA_S4(31, 1, 1)
	VUSRA_S4(31, 2, 2)
	VUSRA_S4(31, 3, 3)
	VSHRN_H4(1, 0, 0)
	VSHRN2_H8(1, 1, 0)
	VSHRN_H4(1, 2, 2)
	VSHRN2_H8(1, 3, 2)
	VUZP1   V2.B16, V0.B16, V0.B16
	FMOVQ.P F0, 16(R0)
	NEXT(16, 0, 2)

done:
	RET

// narrow16InAssembly converts int32 to int16, without saturation: it keeps the words at even places.
// Its Go twin is narrowInGo.
//
// func narrow16InAssembly(to, from unsafe.Pointer, count int)
TEXT ·narrow16InAssembly(SB), NOSPLIT, $0-24
	BEGIN(16)

step:
	FLDPQ.P 32(R1), (F0, F1)
	FLDPQ.P 32(R1), (F2, F3)
	VUZP1   V1.H8, V0.H8, V0.H8
	VUZP1   V3.H8, V2.H8, V1.H8
	FSTPQ.P (F0, F1), 32(R0)
	NEXT(16, 1, 2)

done:
	RET

// maxMagnitude32InAssembly returns the largest magnitude of int32, which V31 collects as unsigned int32. Its Go
// twin is maxMagnitudeInGo. R0 is not used by a step.
//
// func maxMagnitude32InAssembly(from unsafe.Pointer, count int) int
TEXT ·maxMagnitude32InAssembly(SB), NOSPLIT, $0-24
	MOVD from+0(FP), R1
	MOVD count+8(FP), R2
	SUB  $16, R2, R2
	VEOR V31.B16, V31.B16, V31.B16

step:
	FLDPQ.P 32(R1), (F0, F1)
	FLDPQ.P 32(R1), (F2, F3)
	VABS_S4(0, 0)
	VABS_S4(1, 1)
	VABS_S4(2, 2)
	VABS_S4(3, 3)
	VUMAX_S4(0, 1, 1)
	VUMAX_S4(2, 3, 3)
	VUMAX_S4(1, 3, 3)
	VUMAX_S4(3, 31, 31)
	NEXT(16, 2, 2)

done:
	VUMAXV_S4(31, 0)
	FMOVS F0, R0
	MOVWU R0, R0
	MOVD  R0, ret+16(FP)
	RET

// maxMagnitude16InAssembly returns the largest magnitude of int16, which V31 collects as unsigned int16. Its Go
// twin is maxMagnitudeInGo. R0 is not used by a step.
//
// func maxMagnitude16InAssembly(from unsafe.Pointer, count int) int
TEXT ·maxMagnitude16InAssembly(SB), NOSPLIT, $0-24
	MOVD from+0(FP), R1
	MOVD count+8(FP), R2
	SUB  $16, R2, R2
	VEOR V31.B16, V31.B16, V31.B16

step:
	FLDPQ.P 32(R1), (F0, F1)
	VABS_H8(0, 0)
	VABS_H8(1, 1)
	VUMAX_H8(0, 1, 1)
	VUMAX_H8(1, 31, 31)
	NEXT(16, 1, 1)

done:
	VUMAXV_H8(31, 0)
	FMOVS F0, R0
	MOVHU R0, R0
	MOVD  R0, ret+16(FP)
	RET
