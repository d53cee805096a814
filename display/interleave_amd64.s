//go:build !purego

#include "textflag.h"

// Where the samples of 16 pixels go in 48 bytes: number n of the first plane to byte 3n, that of the second
// to 3n+1, that of the third to 3n+2. Modulo 16, each plane has each place once, so that one shuffle serves
// all three vectors of pixels.
DATA first<>+0(SB)/8, $0x0D02070C01060B00
DATA first<>+8(SB)/8, $0x050A0F04090E0308
GLOBL first<>(SB), RODATA|NOPTR, $16
DATA second<>+0(SB)/8, $0x02070C01060B0005
DATA second<>+8(SB)/8, $0x0A0F04090E03080D
GLOBL second<>(SB), RODATA|NOPTR, $16
DATA third<>+0(SB)/8, $0x070C01060B00050A
DATA third<>+8(SB)/8, $0x0F04090E03080D02
GLOBL third<>(SB), RODATA|NOPTR, $16

// The places of a vector of pixels that are not of its first plane.
DATA ofSecond<>+0(SB)/8, $0xFF0000FF0000FF00
DATA ofSecond<>+8(SB)/8, $0x0000FF0000FF0000
GLOBL ofSecond<>(SB), RODATA|NOPTR, $16
DATA ofThird<>+0(SB)/8, $0x0000FF0000FF0000
DATA ofThird<>+8(SB)/8, $0x00FF0000FF0000FF
GLOBL ofThird<>(SB), RODATA|NOPTR, $16

// interleaveSixteens interleaves count times 16 pixels. Its Go twin is interleave3InGo. It needs AVX2.
//
//	DI      pixels              X0-X2    samples, then in their places
//	SI      red                 X3       pixels
//	DX      green               X10-X12  first, second, third
//	BX      blue                X13, X14 ofSecond, ofThird
//	CX      count
//
// func interleaveSixteens(pixels, red, green, blue *uint8, count int)
TEXT ·interleaveSixteens(SB), NOSPLIT, $0-40
	MOVQ    pixels+0(FP), DI
	MOVQ    red+8(FP), SI
	MOVQ    green+16(FP), DX
	MOVQ    blue+24(FP), BX
	MOVQ    count+32(FP), CX
	VMOVDQU first<>(SB), X10
	VMOVDQU second<>(SB), X11
	VMOVDQU third<>(SB), X12
	VMOVDQU ofSecond<>(SB), X13
	VMOVDQU ofThird<>(SB), X14

sixteen:
	VMOVDQU   (SI), X0
	VMOVDQU   (DX), X1
	VMOVDQU   (BX), X2
	VPSHUFB   X10, X0, X0
	VPSHUFB   X11, X1, X1
	VPSHUFB   X12, X2, X2
	VPBLENDVB X13, X1, X0, X3
	VPBLENDVB X14, X2, X3, X3
	VMOVDQU   X3, (DI)
	VPBLENDVB X13, X2, X1, X3
	VPBLENDVB X14, X0, X3, X3
	VMOVDQU   X3, 16(DI)
	VPBLENDVB X13, X0, X2, X3
	VPBLENDVB X14, X1, X3, X3
	VMOVDQU   X3, 32(DI)
	ADDQ      $16, SI
	ADDQ      $16, DX
	ADDQ      $16, BX
	ADDQ      $48, DI
	DECQ      CX
	JNE       sixteen
	RET
