//go:build !purego

#include "textflag.h"

// weights holds the weight of each byte of a vector in the second Adler sum.
DATA weights<>+0(SB)/8, $0x191a1b1c1d1e1f20
DATA weights<>+8(SB)/8, $0x1112131415161718
DATA weights<>+16(SB)/8, $0x090a0b0c0d0e0f10
DATA weights<>+24(SB)/8, $0x0102030405060708
GLOBL weights<>(SB), RODATA|NOPTR, $32

// SUM adds up the 32-bit words of y; x is its lower half and receives the sum. It overwrites X5.
#define SUM(y, x) \
	VEXTRACTI128 $1, y, X5 \
	VPADDD       X5, x, x  \
	VPSHUFD      $0x4E, x, X5 \
	VPADDD       X5, x, x  \
	VPSHUFD      $0xB1, x, X5 \
	VPADDD       X5, x, x

// func addVectors(data *byte, vectors int) (sum, earlier, weighted uint32)
//
// addVectors computes the sums for a run of vectors. Update combines them; its
// Go twin is updateInGo.
//
//	SI      data
//	CX      remaining vectors
//	Y0      sum of the bytes
//	Y1      sums before each vector, added up
//	Y2      weighted sum
//	Y3      words of 1
//	Y4      weights
//	Y5, Y6  temporaries
//	Y7      zero
TEXT ·addVectors(SB), NOSPLIT, $0-28
	MOVQ     data+0(FP), SI
	MOVQ     vectors+8(FP), CX
	VMOVDQU  weights<>(SB), Y4
	VPCMPEQW Y3, Y3, Y3
	VPABSW   Y3, Y3 // ones
	VPXOR    Y0, Y0, Y0
	VPXOR    Y1, Y1, Y1
	VPXOR    Y2, Y2, Y2
	VPXOR    Y7, Y7, Y7

vector:
	VMOVDQU    (SI), Y5
	VPADDD     Y0, Y1, Y1
	VPSADBW    Y7, Y5, Y6
	VPADDD     Y6, Y0, Y0
	VPMADDUBSW Y4, Y5, Y5
	VPMADDWD   Y3, Y5, Y5
	VPADDD     Y5, Y2, Y2
	ADDQ       $32, SI
	DECQ       CX
	JNZ        vector

	SUM(Y0, X0)
	SUM(Y1, X1)
	SUM(Y2, X2)
	VMOVD X0, AX
	VMOVD X1, BX
	VMOVD X2, CX
	MOVL  AX, sum+16(FP)
	MOVL  BX, earlier+20(FP)
	MOVL  CX, weighted+24(FP)
	VZEROUPPER
	RET
