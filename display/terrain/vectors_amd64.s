//go:build !purego

#include "textflag.h"

// The routines use AVX2 without fused operations and the same arithmetic as the Go code, so that
// all machines give equal pixels.

DATA one<>+0(SB)/4, $1.0
GLOBL one<>(SB), RODATA|NOPTR, $4

DATA oneAndAHalf<>+0(SB)/4, $1.5
GLOBL oneAndAHalf<>(SB), RODATA|NOPTR, $4

// gradientSteps computes gradients by the method of Horn, eight per step. Twin: gradientsGeneric.
//
//	DI   east, the results
//	SI   south, the results
//	R8   above, the row of heights above
//	R9   here, the row of heights
//	R10  below, the row of heights below
//	CX   number of remaining steps
//	AX   offset of the step, in bytes
//	Y0   above left
//	Y1   above right
//	Y2   below left, then the sum for south
//	Y3   below right, then its difference from above
//	Y4   below, then its difference from above
//	Y5   right, then its difference from left
//	Y6   the sum for east
//	Y7   below right minus below left
//	Y14  scaleEast
//	Y15  scaleSouth
//
// func gradientSteps(east, south, above, here, below *float32, scaleEast, scaleSouth float32, steps
// int)
TEXT ·gradientSteps(SB), NOSPLIT, $0-56
	MOVQ         east+0(FP), DI
	MOVQ         south+8(FP), SI
	MOVQ         above+16(FP), R8
	MOVQ         here+24(FP), R9
	MOVQ         below+32(FP), R10
	VBROADCASTSS scaleEast+40(FP), Y14
	VBROADCASTSS scaleSouth+44(FP), Y15
	MOVQ         steps+48(FP), CX
	XORQ         AX, AX

gradients:
	VMOVUPS (R8)(AX*1), Y0
	VMOVUPS 8(R8)(AX*1), Y1
	VMOVUPS (R10)(AX*1), Y2
	VMOVUPS 8(R10)(AX*1), Y3
	VMOVUPS 4(R10)(AX*1), Y4
	VMOVUPS 8(R9)(AX*1), Y5
	VSUBPS  Y0, Y1, Y6            // above, eastward
	VSUBPS  Y2, Y3, Y7            // below, eastward
	VADDPS  Y7, Y6, Y6
	VSUBPS  (R9)(AX*1), Y5, Y5
	VADDPS  Y5, Y5, Y5
	VADDPS  Y5, Y6, Y6
	VMULPS  Y14, Y6, Y6
	VMOVUPS Y6, (DI)(AX*1)
	VSUBPS  Y0, Y2, Y2            // left, southward
	VSUBPS  Y1, Y3, Y3            // right, southward
	VADDPS  Y3, Y2, Y2
	VSUBPS  4(R8)(AX*1), Y4, Y4
	VADDPS  Y4, Y4, Y4
	VADDPS  Y4, Y2, Y2
	VMULPS  Y15, Y2, Y2
	VMOVUPS Y2, (SI)(AX*1)
	ADDQ    $32, AX
	DECQ    CX
	JNZ     gradients
	VZEROUPPER
	RET

// shadeSteps shades pixels by the angle to the sun, eight per step. Twin: shadeGeneric.
//
//	DI   dst, the results
//	SI   east, the gradients
//	R8   south, the gradients
//	R9   sun
//	CX   number of remaining steps
//	Y0   east, then the product with the sun, then the shade
//	Y1   south, then its product with the sun
//	Y2   the length of the normal
//	Y3   scratch
//	Y10  the direction to the sun, east
//	Y11  the direction to the sun, north
//	Y12  the direction to the sun, up
//	Y13  1
//	Y14  1.5
//	Y15  0
//
// func shadeSteps(dst *uint8, east, south *float32, sun *sunDirection, steps int)
TEXT ·shadeSteps(SB), NOSPLIT, $0-40
	MOVQ         dst+0(FP), DI
	MOVQ         east+8(FP), SI
	MOVQ         south+16(FP), R8
	MOVQ         sun+24(FP), R9
	MOVQ         steps+32(FP), CX
	VBROADCASTSS 0(R9), Y10         // east
	VBROADCASTSS 4(R9), Y11         // north
	VBROADCASTSS 8(R9), Y12         // up
	VBROADCASTSS one<>(SB), Y13
	VBROADCASTSS oneAndAHalf<>(SB), Y14
	VXORPS       Y15, Y15, Y15

shades:
	VMOVUPS      (SI), Y0
	VMOVUPS      (R8), Y1
	VMULPS       Y0, Y0, Y2
	VADDPS       Y2, Y13, Y2
	VMULPS       Y1, Y1, Y3
	VADDPS       Y3, Y2, Y2
	VSQRTPS      Y2, Y2
	VMULPS       Y0, Y10, Y0
	VSUBPS       Y0, Y12, Y0
	VMULPS       Y1, Y11, Y1
	VADDPS       Y1, Y0, Y0
	VDIVPS       Y2, Y0, Y0
	VMAXPS       Y15, Y0, Y0        // NaN becomes 0
	VADDPS       Y14, Y0, Y0
	VCVTTPS2DQ   Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPACKUSDW    X1, X0, X0
	VPACKUSWB    X0, X0, X0
	VMOVQ        X0, (DI)
	ADDQ         $32, SI
	ADDQ         $32, R8
	ADDQ         $8, DI
	DECQ         CX
	JNZ          shades
	VZEROUPPER
	RET
