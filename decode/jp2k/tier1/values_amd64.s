//go:build !purego

#include "textflag.h"

// SIGN turns values into coefficients. X7 holds what is not the sign. Its Go twin is coefficientOf.
#define SIGN(values, sign) \
	MOVO  values, sign \
	PSRAL $31, sign    \
	PAND  X7, values   \
	PXOR  sign, values \
	PSUBL sign, values

// arrangeFours writes the coefficients of count times four columns of a stripe. step is from row to row,
// in bytes. Its Go twin is wholeStripe.
//
// func arrangeFours(out *int32, step int, slots *int32, count int)
TEXT ·arrangeFours(SB), NOSPLIT, $0-32
	MOVQ    out+0(FP), DI
	MOVQ    step+8(FP), SI
	MOVQ    slots+16(FP), DX
	MOVQ    count+24(FP), CX
	LEAQ    (DI)(SI*1), R8
	LEAQ    (DI)(SI*2), R9
	LEAQ    (R8)(SI*2), R10
	PCMPEQL X7, X7
	PSRLL   $1, X7

columns:
	MOVOU (DX), X0
	MOVOU 16(DX), X1
	MOVOU 32(DX), X2
	MOVOU 48(DX), X3
	SIGN(X0, X4)
	SIGN(X1, X5)
	SIGN(X2, X4)
	SIGN(X3, X5)

	// Four columns of four rows become four rows.
	MOVO       X0, X4
	PUNPCKLLQ  X1, X0
	PUNPCKHLQ  X1, X4
	MOVO       X2, X5
	PUNPCKLLQ  X3, X2
	PUNPCKHLQ  X3, X5
	MOVO       X0, X6
	PUNPCKLQDQ X2, X0
	PUNPCKHQDQ X2, X6
	MOVO       X4, X1
	PUNPCKLQDQ X5, X4
	PUNPCKHQDQ X5, X1
	MOVOU      X0, (DI)
	MOVOU      X6, (R8)
	MOVOU      X4, (R9)
	MOVOU      X1, (R10)
	ADDQ       $64, DX
	ADDQ       $16, DI
	ADDQ       $16, R8
	ADDQ       $16, R9
	ADDQ       $16, R10
	DECQ       CX
	JNE        columns
	RET
