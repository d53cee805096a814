//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "../../../internal/neon/neon.h"

// All routines store sixteen samples in a step. The last step may overlap the one before it. They
// use the same registers:
//
//	R0  to                     V0-V3  samples
//	R1  from                   V29    minimum
//	R2  count of the samples   V30    maximum
//	    that follow the step   V31    shift, to be added
//	R3  limits

// BEGIN loads the parameters.
#define BEGIN(minValue, maxValue) \
	MOVD to+0(FP), R0           \
	MOVD from+8(FP), R1         \
	MOVD count+16(FP), R2       \
	MOVD l+24(FP), R3           \
	SUB  $16, R2, R2            \
	MOVW minValue(R3), R4       \
	MOVW maxValue(R3), R5       \
	MOVW limits_shift(R3), R6   \
	VDUP R4, V29.S4             \
	VDUP R5, V30.S4             \
	VDUP R6, V31.S4

// LOAD loads the values of a step.
#define LOAD \
	FLDPQ.P 32(R1), (F0, F1) \
	FLDPQ.P 32(R1), (F2, F3)

// NEXT jumps to the next step, or to done after the last one. Where the last step lacks samples, it
// goes back by these; R2 is negative then. toShift and fromShift are log2 of the sizes of a sample
// and of a value.
#define NEXT(toShift, fromShift) \
	SUBS $16, R2, R2           \
	BGE  step                  \
	CMN  $16, R2               \
	BEQ  done                  \
	ADD  R2<<toShift, R0, R0   \
	ADD  R2<<fromShift, R1, R1 \
	MOVD ZR, R2                \
	B    step

// INTEGERS clamps and shifts four integers.
#define INTEGERS(v) \
	VSMAX_S4(29, v, v) \
	VSMIN_S4(30, v, v) \
	VADD_S4(31, v, v)

// SHORTS clamps and shifts eight integers of 16 bits.
#define SHORTS(v) \
	VSMAX_H8(29, v, v) \
	VSMIN_H8(30, v, v) \
	VADD_H8(31, v, v)

// SHORT_LIMITS repeats the parameters in lanes of 16 bits.
#define SHORT_LIMITS \
	VDUP R4, V29.H8 \
	VDUP R5, V30.H8 \
	VDUP R6, V31.H8

// FLOATS clamps, rounds and shifts four floats. The first instruction keeps NaN, the second turns
// it into the minimum.
#define FLOATS(v) \
	VFMIN_S4(30, v, v)   \
	VFMAXNM_S4(29, v, v) \
	VFCVTNS_S4(v, v)     \
	VADD_S4(31, v, v)

// SIXTEEN converts the samples of a step, four with each INTEGERS or FLOATS.
#define SIXTEEN(CONVERT) \
	CONVERT(0) \
	CONVERT(1) \
	CONVERT(2) \
	CONVERT(3)

// STORE8 and STORE16 store the lower bits of the samples: they keep what lies at even places.
#define STORE8 \
	VUZP1   V1.H8, V0.H8, V0.H8    \
	VUZP1   V3.H8, V2.H8, V2.H8    \
	VUZP1   V2.B16, V0.B16, V0.B16 \
	FMOVQ.P F0, 16(R0)

#define STORE16 \
	VUZP1   V1.H8, V0.H8, V0.H8 \
	VUZP1   V3.H8, V2.H8, V2.H8 \
	FSTPQ.P (F0, F2), 32(R0)

// storeIntegers8InAssembly stores int32 as samples of a byte. Its Go twin is storeIntegers.
//
// func storeIntegers8InAssembly(to, from unsafe.Pointer, count int, l *limits)
TEXT ·storeIntegers8InAssembly(SB), NOSPLIT, $0-32
	BEGIN(limits_minInt, limits_maxInt)

step:
	LOAD
	SIXTEEN(INTEGERS)
	STORE8
	NEXT(0, 2)

done:
	RET

// storeIntegers16InAssembly stores int32 as samples of two bytes. Its Go twin is storeIntegers.
//
// func storeIntegers16InAssembly(to, from unsafe.Pointer, count int, l *limits)
TEXT ·storeIntegers16InAssembly(SB), NOSPLIT, $0-32
	BEGIN(limits_minInt, limits_maxInt)

step:
	LOAD
	SIXTEEN(INTEGERS)
	STORE16
	NEXT(1, 2)

done:
	RET

// storeShorts8InAssembly stores int16 as samples of a byte. Its Go twin is storeIntegers.
//
// func storeShorts8InAssembly(to, from unsafe.Pointer, count int, l *limits)
TEXT ·storeShorts8InAssembly(SB), NOSPLIT, $0-32
	BEGIN(limits_minInt, limits_maxInt)
	SHORT_LIMITS

step:
	FLDPQ.P 32(R1), (F0, F1)
	SHORTS(0)
	SHORTS(1)
	VUZP1   V1.B16, V0.B16, V0.B16
	FMOVQ.P F0, 16(R0)
	NEXT(0, 1)

done:
	RET

// storeShorts16InAssembly stores int16 as samples of two bytes. Its Go twin is storeIntegers.
//
// func storeShorts16InAssembly(to, from unsafe.Pointer, count int, l *limits)
TEXT ·storeShorts16InAssembly(SB), NOSPLIT, $0-32
	BEGIN(limits_minInt, limits_maxInt)
	SHORT_LIMITS

step:
	FLDPQ.P 32(R1), (F0, F1)
	SHORTS(0)
	SHORTS(1)
	FSTPQ.P (F0, F1), 32(R0)
	NEXT(1, 1)

done:
	RET

// storeFloats8InAssembly stores float32 as samples of a byte. Its Go twin is storeFloats.
//
// func storeFloats8InAssembly(to, from unsafe.Pointer, count int, l *limits)
TEXT ·storeFloats8InAssembly(SB), NOSPLIT, $0-32
	BEGIN(limits_minFloat, limits_maxFloat)

step:
	LOAD
	SIXTEEN(FLOATS)
	STORE8
	NEXT(0, 2)

done:
	RET

// storeFloats16InAssembly stores float32 as samples of two bytes. Its Go twin is storeFloats.
//
// func storeFloats16InAssembly(to, from unsafe.Pointer, count int, l *limits)
TEXT ·storeFloats16InAssembly(SB), NOSPLIT, $0-32
	BEGIN(limits_minFloat, limits_maxFloat)

step:
	LOAD
	SIXTEEN(FLOATS)
	STORE16
	NEXT(1, 2)

done:
	RET
