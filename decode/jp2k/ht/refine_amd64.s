//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "vectors_amd64.h"

// Shifts that move the bit of the last row of each column to the top.
DWORDS(toTop, 28, 24, 20, 16, 12, 8, 4, 0)
ALL(nonzero, 1)

// SPREAD moves the bits of eight columns to the top of as many numbers, from the last row on.
#define SPREAD(bits, x, y) \
	VMOVD        bits, x   \
	VPBROADCASTD x, y      \
	VPSLLVD      Y12, y, y

// ROW changes eight samples of a row, and moves on to the row above. Those that are not 0 are the ones
// that the cleanup pass found.
#define ROW(samples) \
	VMOVDQU samples, Y3 \
	VPSIGND Y3, Y15, Y4 \
	VPOR    Y13, Y0, Y5 \
	VPSIGND Y5, Y4, Y4  \
	VPADDD  Y4, Y3, Y3  \
	VPSRAD  $31, Y2, Y4 \
	VPAND   Y14, Y4, Y4 \
	VPOR    Y13, Y1, Y5 \
	VPSIGND Y5, Y4, Y4  \
	VPOR    Y4, Y3, Y3  \
	VMOVDQU Y3, samples \
	VPADDD  Y0, Y0, Y0  \
	VPADDD  Y1, Y1, Y1  \
	VPADDD  Y2, Y2, Y2

// changeBMI2 puts and refines eight columns of four rows a step. Its Go twin is refiner.changeInGo.
//
//	SI   here                 Y0   signs of what is added, at the top
//	DI   fresh                Y1   signs of what is put
//	DX   signs                Y2   what is fresh
//	R8   refinement           Y3-Y5  scratch
//	R9   position             Y12  shifts to the top
//	R10  samples              Y13  1 in each number
//	R11  bytes of a row       Y14  the size of new samples
//	R12  bytes of three rows  Y15  half of the step of the cleanup pass
//	CX   steps left           AX, BX, R13, R15  scratch
//
// func changeBMI2(c *stripeChange)
TEXT ·changeBMI2(SB), NOSPLIT, $0-8
	MOVQ c+0(FP), AX
	MOVQ stripeChange_here(AX), SI
	MOVQ stripeChange_fresh(AX), DI
	MOVQ stripeChange_signs(AX), DX
	MOVQ stripeChange_refinement(AX), R8
	MOVQ stripeChange_position(AX), R9
	MOVQ stripeChange_out(AX), R10
	MOVQ stripeChange_rowBytes(AX), R11
	LEAQ (R11)(R11*2), R12
	MOVQ stripeChange_steps(AX), CX

	VPBROADCASTD stripeChange_refined(AX), Y15
	VPBROADCASTD stripeChange_put(AX), Y14
	VMOVDQU      nonzero<>(SB), Y13
	VMOVDQU      toTop<>(SB), Y12

eightColumns:
	// The next bits go to the samples that the cleanup pass found: 0 takes something away.
	MOVL    (DI), AX
	MOVL    (SI), BX
	XORL    AX, BX
	MOVQ    R9, R13
	SHRQ    $3, R13
	MOVQ    (R8)(R13*1), R13
	MOVL    R9, R15
	ANDL    $7, R15
	SHRXQ   R15, R13, R13
	NOTL    R13
	PDEPL   BX, R13, R13
	POPCNTL BX, BX
	ADDQ    BX, R9
	SPREAD(R13, X0, Y0)

	// The signs of both groups go to the samples that are put.
	MOVL    (DX), R13
	MOVWLZX AX, BX
	PDEPL   BX, R13, R15
	MOVL    AX, BX
	SHRL    $const_groupBits, BX
	SHRL    $const_groupBits, R13
	PDEPL   BX, R13, R13
	SHLL    $const_groupBits, R13
	ORL     R13, R15
	SPREAD(R15, X1, Y1)
	SPREAD(AX, X2, Y2)

	ROW((R10)(R12*1))
	ROW((R10)(R11*2))
	ROW((R10)(R11*1))
	ROW((R10))

	ADDQ $4, SI
	ADDQ $4, DI
	ADDQ $4, DX
	ADDQ $32, R10
	DECQ CX
	JNE  eightColumns

	MOVQ c+0(FP), AX
	MOVQ R9, stripeChange_position(AX)
	VZEROUPPER
	RET
