//go:build !purego

#include "textflag.h"

// Planes are written from BX on, which counts the bytes of each.

// func partTwos(planes *[4]unsafe.Pointer, row unsafe.Pointer, pattern *vector, steps int)
TEXT ·partTwos(SB), NOSPLIT, $0-32
	MOVQ  planes+0(FP), AX
	MOVQ  row+8(FP), SI
	MOVQ  pattern+16(FP), DX
	MOVQ  steps+24(FP), CX
	MOVQ  0(AX), R8
	MOVQ  8(AX), R9
	MOVOU (DX), X4
	XORQ  BX, BX

turn:
	MOVOU      (SI), X0
	MOVOU      16(SI), X1
	PSHUFB     X4, X0
	PSHUFB     X4, X1
	MOVO       X0, X2
	PUNPCKLQDQ X1, X0
	PUNPCKHQDQ X1, X2
	MOVOU      X0, (R8)(BX*1)
	MOVOU      X2, (R9)(BX*1)
	ADDQ       $32, SI
	ADDQ       $16, BX
	DECQ       CX
	JNZ        turn
	RET

// PLANE makes a vector of a plane of the three in X9 to X11.
#define PLANE(fromFirst, fromSecond, fromThird, plane) \
	MOVO   X9, X12         \
	MOVO   X10, X13        \
	MOVO   X11, X14        \
	PSHUFB fromFirst, X12  \
	PSHUFB fromSecond, X13 \
	PSHUFB fromThird, X14  \
	POR    X13, X12        \
	POR    X14, X12        \
	MOVOU  X12, (plane)(BX*1)

// func partThrees(planes *[4]unsafe.Pointer, row unsafe.Pointer, patterns *[9]vector, steps int)
TEXT ·partThrees(SB), NOSPLIT, $0-32
	MOVQ  planes+0(FP), AX
	MOVQ  row+8(FP), SI
	MOVQ  patterns+16(FP), DX
	MOVQ  steps+24(FP), CX
	MOVQ  0(AX), R8
	MOVQ  8(AX), R9
	MOVQ  16(AX), R10
	MOVOU 0(DX), X0
	MOVOU 16(DX), X1
	MOVOU 32(DX), X2
	MOVOU 48(DX), X3
	MOVOU 64(DX), X4
	MOVOU 80(DX), X5
	MOVOU 96(DX), X6
	MOVOU 112(DX), X7
	MOVOU 128(DX), X8
	XORQ  BX, BX

turn:
	MOVOU (SI), X9
	MOVOU 16(SI), X10
	MOVOU 32(SI), X11
	PLANE(X0, X1, X2, R8)
	PLANE(X3, X4, X5, R9)
	PLANE(X6, X7, X8, R10)
	ADDQ  $48, SI
	ADDQ  $16, BX
	DECQ  CX
	JNZ   turn
	RET

// func partFours(planes *[4]unsafe.Pointer, row unsafe.Pointer, pattern *vector, steps int)
//
// Quarters of vectors are the like samples of some pixels; they are turned as a matrix is.
TEXT ·partFours(SB), NOSPLIT, $0-32
	MOVQ  planes+0(FP), AX
	MOVQ  row+8(FP), SI
	MOVQ  pattern+16(FP), DX
	MOVQ  steps+24(FP), CX
	MOVQ  0(AX), R8
	MOVQ  8(AX), R9
	MOVQ  16(AX), R10
	MOVQ  24(AX), R11
	MOVOU (DX), X8
	XORQ  BX, BX

turn:
	MOVOU (SI), X0
	MOVOU 16(SI), X1
	MOVOU 32(SI), X2
	MOVOU 48(SI), X3
	PSHUFB X8, X0
	PSHUFB X8, X1
	PSHUFB X8, X2
	PSHUFB X8, X3

	MOVO       X0, X4
	MOVO       X2, X5
	PUNPCKLLQ  X1, X0 // the first and second samples of the first two vectors
	PUNPCKHLQ  X1, X4 // the third and fourth
	PUNPCKLLQ  X3, X2
	PUNPCKHLQ  X3, X5
	MOVO       X0, X6
	MOVO       X4, X7
	PUNPCKLQDQ X2, X0
	PUNPCKHQDQ X2, X6
	PUNPCKLQDQ X5, X4
	PUNPCKHQDQ X5, X7

	MOVOU X0, (R8)(BX*1)
	MOVOU X6, (R9)(BX*1)
	MOVOU X4, (R10)(BX*1)
	MOVOU X7, (R11)(BX*1)
	ADDQ  $64, SI
	ADDQ  $16, BX
	DECQ  CX
	JNZ   turn
	RET
