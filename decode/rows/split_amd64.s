//go:build !purego

#include "textflag.h"

// These routines use SSSE3. Registers of all of them:
//
//	AX      planes
//	R8-R11  the planes
//	BX      offset in bytes from the start of each plane
//	SI      row
//	DX      patterns
//	CX      remaining steps

// func splitTwos(planes *[4]unsafe.Pointer, row unsafe.Pointer, pattern *vector, steps int)
//
// splitTwos splits pixels of two samples. Its Go twin is splitInGo. X0 to X2 hold samples, X4 the
// pattern.
TEXT ·splitTwos(SB), NOSPLIT, $0-32
	MOVQ  planes+0(FP), AX
	MOVQ  row+8(FP), SI
	MOVQ  pattern+16(FP), DX
	MOVQ  steps+24(FP), CX
	MOVQ  0(AX), R8
	MOVQ  8(AX), R9
	MOVOU (DX), X4
	XORQ  BX, BX

step:
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
	JNZ        step
	RET

// PLANE assembles a vector of a plane from the three vectors in X9 to X11. It overwrites X12 to
// X14.
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

// func splitThrees(planes *[4]unsafe.Pointer, row unsafe.Pointer, patterns *[9]vector, steps int)
//
// splitThrees splits pixels of three samples. Its Go twin is split3. X0 to X8 hold the patterns, X9
// to X11 the pixels.
TEXT ·splitThrees(SB), NOSPLIT, $0-32
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

step:
	MOVOU (SI), X9
	MOVOU 16(SI), X10
	MOVOU 32(SI), X11
	PLANE(X0, X1, X2, R8)
	PLANE(X3, X4, X5, R9)
	PLANE(X6, X7, X8, R10)
	ADDQ  $48, SI
	ADDQ  $16, BX
	DECQ  CX
	JNZ   step
	RET

// func splitFours(planes *[4]unsafe.Pointer, row unsafe.Pointer, pattern *vector, steps int)
//
// splitFours splits pixels of four samples. Each quarter of a shuffled vector holds the same sample
// of several pixels; the quarters are transposed like a matrix. Its Go twin is split4. X0 to X7
// hold samples, X8 the pattern.
TEXT ·splitFours(SB), NOSPLIT, $0-32
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

step:
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
	PUNPCKHLQ  X1, X4 // the third and fourth samples of the first two vectors
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
	JNZ   step
	RET
