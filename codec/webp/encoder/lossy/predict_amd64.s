//go:build !purego

#include "textflag.h"
#include "go_asm.h"

// These routines use AVX2 and the arithmetic of the Go code. They process rows of sixteen samples,
// or of eight samples of both chroma planes.

// white is the largest sample.
DATA white<>+0(SB)/8, $0x00FF00FF00FF00FF
DATA white<>+8(SB)/8, $0x00FF00FF00FF00FF
DATA white<>+16(SB)/8, $0x00FF00FF00FF00FF
DATA white<>+24(SB)/8, $0x00FF00FF00FF00FF
GLOBL white<>(SB), RODATA|NOPTR, $32

// SQUARES adds squared differences between Y0 and a prediction to SUM. It overwrites Y5.
#define SQUARES(PREDICTED, SUM) \
	VPSUBW   PREDICTED, Y0, Y5 \
	VPMADDWD Y5, Y5, Y5        \
	VPADDD   Y5, SUM, SUM

// ROW adds the squared differences between the words in Y0 and their four predictions.
//
//	Y0   samples
//	Y1   samples above (vertical)
//	Y2   mean (DC)
//	Y3   samples above minus the corner; plus Y4 it gives the TrueMotion prediction
//	Y4   sample to the left (horizontal)
//	Y5, Y6  temporaries
//	Y8-Y11  sums of the modes DC, TrueMotion, vertical, horizontal
//	Y14, Y15  0 and 255
#define ROW \
	VPADDW  Y4, Y3, Y6  \
	VPMAXSW Y14, Y6, Y6 \
	VPMINSW Y15, Y6, Y6 \
	SQUARES(Y2, Y8)     \
	SQUARES(Y6, Y9)     \
	SQUARES(Y1, Y10)    \
	SQUARES(Y4, Y11)

#define CLEAR \
	VPXOR   Y8, Y8, Y8     \
	VPXOR   Y9, Y9, Y9     \
	VPXOR   Y10, Y10, Y10  \
	VPXOR   Y11, Y11, Y11  \
	VPXOR   Y14, Y14, Y14  \
	VMOVDQU white<>(SB), Y15

// SUMS writes the sums of four modes.
#define SUMS(to) \
	VPHADDD      Y9, Y8, Y8     \
	VPHADDD      Y11, Y10, Y10  \
	VPHADDD      Y10, Y8, Y8    \
	VEXTRACTI128 $1, Y8, X9     \
	VPADDD       X9, X8, X8     \
	VMOVDQU      X8, (to)

// The prediction of a sample is a constant, plus the sample above if takeAbove is -1, plus the
// sample to the left if takeLeft is -1.

// CONSTANTS loads the arguments of predict16Vector and predict8Vector.
//
//	SI   samples to the left
//	DX   dst
//	CX   stride
//	Y0   constant plus the samples above, if used
//	Y3   mask of the samples to the left
//	Y1, Y2  temporaries
#define CONSTANTS \
	MOVQ         n+0(FP), SI             \
	MOVQ         dst+8(FP), DX           \
	MOVQ         stride+16(FP), CX       \
	VPBROADCASTW takeAbove+24(FP), Y2    \
	VPBROADCASTW takeLeft+26(FP), Y3     \
	VPBROADCASTW constant+28(FP), Y0     \
	VPMOVZXBW    neighbors_above(SI), Y1 \
	VPAND        Y2, Y1, Y1              \
	VPADDW       Y1, Y0, Y0              \
	LEAQ         neighbors_left(SI), SI

// func distances16Vector(n *neighbors, src *uint8, stride int, sums *[4]int32)
//
// distances16Vector computes the squared differences of luma for four modes. Its Go twin is
// distances16InGo.
//
//	SI   next sample to the left
//	DX   next row of src
//	CX   stride
//	DI   sums
//	AX   remaining rows
//	Y0-Y15  see ROW
TEXT ·distances16Vector(SB), NOSPLIT, $0-32
	MOVQ         n+0(FP), SI
	MOVQ         src+8(FP), DX
	MOVQ         stride+16(FP), CX
	MOVQ         sums+24(FP), DI
	CLEAR
	VPMOVZXBW    neighbors_above(SI), Y1
	VPBROADCASTB neighbors_mean(SI), X2
	VPMOVZXBW    X2, Y2
	VPBROADCASTB neighbors_corner(SI), X3
	VPMOVZXBW    X3, Y3
	VPSUBW       Y3, Y1, Y3
	LEAQ         neighbors_left(SI), SI
	MOVL         $16, AX

row16:
	VPMOVZXBW    (DX), Y0
	VPBROADCASTB (SI), X4
	VPMOVZXBW    X4, Y4
	ROW
	ADDQ         CX, DX
	INCQ         SI
	DECL         AX
	JNZ          row16
	SUMS(DI)
	VZEROUPPER
	RET

// BOTH loads one byte of each of two neighbors structures, as words into the halves of Y. It
// overwrites X7.
#define BOTH(place, X, Y) \
	VPBROADCASTB place(SI), X   \
	VPBROADCASTB place(BX), X7  \
	VPUNPCKLQDQ  X7, X, X       \
	VPMOVZXBW    X, Y

// func distances8Vector(u, v *neighbors, srcU, srcV *uint8, stride int, sums *[4]int32)
//
// distances8Vector computes the squared differences of both chroma planes for four modes. Its Go
// twin is distances8InGo.
//
//	SI, BX   next samples to the left in u and v
//	DX, R8   next rows of srcU and srcV
//	CX   stride
//	DI   sums
//	AX   remaining rows
//	Y0-Y15  see ROW
TEXT ·distances8Vector(SB), NOSPLIT, $0-48
	MOVQ         u+0(FP), SI
	MOVQ         v+8(FP), BX
	MOVQ         srcU+16(FP), DX
	MOVQ         srcV+24(FP), R8
	MOVQ         stride+32(FP), CX
	MOVQ         sums+40(FP), DI
	CLEAR
	VMOVQ        neighbors_above(SI), X1
	VPINSRQ      $1, neighbors_above(BX), X1, X1
	VPMOVZXBW    X1, Y1
	BOTH(neighbors_mean, X2, Y2)
	BOTH(neighbors_corner, X3, Y3)
	VPSUBW       Y3, Y1, Y3
	MOVL         $8, AX

row8:
	VMOVQ        (DX), X0
	VPINSRQ      $1, (R8), X0, X0
	VPMOVZXBW    X0, Y0
	BOTH(neighbors_left, X4, Y4)
	ROW
	ADDQ         CX, DX
	ADDQ         CX, R8
	INCQ         SI
	INCQ         BX
	DECL         AX
	JNZ          row8
	SUMS(DI)
	VZEROUPPER
	RET

// func predict16Vector(n *neighbors, dst *uint8, stride int, takeAbove, takeLeft, constant int16)
//
// predict16Vector writes a prediction of 16x16 samples. Its Go twin is neighbors.predictInGo. AX
// counts the remaining rows, X4 and X5 hold a row; see CONSTANTS for the other registers.
TEXT ·predict16Vector(SB), NOSPLIT, $0-30
	CONSTANTS
	MOVL         $16, AX

predictRow16:
	VPBROADCASTB (SI), X4
	VPMOVZXBW    X4, Y4
	VPAND        Y3, Y4, Y4
	VPADDW       Y0, Y4, Y4
	VEXTRACTI128 $1, Y4, X5
	VPACKUSWB    X5, X4, X4
	VMOVDQU      X4, (DX)
	ADDQ         CX, DX
	INCQ         SI
	DECL         AX
	JNZ          predictRow16
	VZEROUPPER
	RET

// func predict8Vector(n *neighbors, dst *uint8, stride int, takeAbove, takeLeft, constant int16)
//
// predict8Vector writes a prediction of 8x8 samples. Its Go twin is neighbors.predictInGo. AX
// counts the remaining rows, X4 holds a row; see CONSTANTS for the other registers.
TEXT ·predict8Vector(SB), NOSPLIT, $0-30
	CONSTANTS
	MOVL         $8, AX

predictRow8:
	VPBROADCASTB (SI), X4
	VPMOVZXBW    X4, X4
	VPAND        X3, X4, X4
	VPADDW       X0, X4, X4
	VPACKUSWB    X4, X4, X4
	VMOVQ        X4, (DX)
	ADDQ         CX, DX
	INCQ         SI
	DECL         AX
	JNZ          predictRow8
	VZEROUPPER
	RET
