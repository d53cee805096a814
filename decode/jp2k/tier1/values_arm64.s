//go:build !purego

#include "textflag.h"
#include "../../../internal/neon/neon.h"

// SIGN turns values into coefficients: negative ones are subtracted from the bit of the sign, which
// is in V31. Its Go twin is coefficientOf.
#define SIGN(values, number, negated, sign, signNumber) \
	VSUB values.S4, V31.S4, negated.S4   \
	VSSHR_S4(31, number, signNumber)     \
	VBIT sign.B16, negated.B16, values.B16

// arrangeFours writes the coefficients of count times four columns of a stripe. step is from row to
// row, in bytes. Its Go twin is wholeStripe.
//
//	R0, R4-R6  out, by row    V0-V3   values, by row
//	R1         step           V4-V7   the same negated
//	R2         slots          V16-V19 masks of those with a sign
//	R3         count          V31     the bit of the sign
//
// func arrangeFours(out *int32, step int, slots *int32, count int)
TEXT ·arrangeFours(SB), NOSPLIT, $0-32
	MOVD out+0(FP), R0
	MOVD step+8(FP), R1
	MOVD slots+16(FP), R2
	MOVD count+24(FP), R3
	ADD  R1, R0, R4
	ADD  R1, R4, R5
	ADD  R1, R5, R6
	MOVD $(1<<31), R7
	VDUP R7, V31.S4

columns:
	VLD4.P  64(R2), [V0.S4, V1.S4, V2.S4, V3.S4]
	SIGN(V0, 0, V4, V16, 16)
	SIGN(V1, 1, V5, V17, 17)
	SIGN(V2, 2, V6, V18, 18)
	SIGN(V3, 3, V7, V19, 19)
	FMOVQ.P F0, 16(R0)
	FMOVQ.P F1, 16(R4)
	FMOVQ.P F2, 16(R5)
	FMOVQ.P F3, 16(R6)
	SUB     $1, R3, R3
	CBNZ    R3, columns
	RET
