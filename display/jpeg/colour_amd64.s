//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// AVX2, and the very arithmetic of the Go code: machines must not differ in the bytes they make.

// PIXELS spreads eight pixels to words: red and green in turn, and blue.
#define PIXELS(pix, at, redGreen, xblue, blue) \
	VMOVDQU     at(pix), xblue                                \
	VINSERTI128 $1, at+8(pix), blue, blue                     \
	VPSHUFB     colourConstants_redGreen(DX), blue, redGreen  \
	VPSHUFB     colourConstants_blue(DX), blue, blue

// WEIGHTED makes eight samples of a plane.
#define WEIGHTED(redGreen, blue, factorsRedGreen, factorsBlue, bias, shift, out, free) \
	VPMADDWD factorsRedGreen(DX), redGreen, out \
	VPMADDWD factorsBlue(DX), blue, free        \
	VPADDD   bias(DX), out, out                 \
	VPADDD   free, out, out                     \
	VPSRLD   $shift, out, out

// PLANE makes 32 samples of the pixels in Y0 to Y3 and Y4 to Y7, and leaves them in Y8.
#define PLANE(factorsRedGreen, factorsBlue, bias) \
	WEIGHTED(Y0, Y4, factorsRedGreen, factorsBlue, bias, 11, Y8, Y12)  \
	WEIGHTED(Y1, Y5, factorsRedGreen, factorsBlue, bias, 11, Y9, Y13)  \
	WEIGHTED(Y2, Y6, factorsRedGreen, factorsBlue, bias, 11, Y10, Y12) \
	WEIGHTED(Y3, Y7, factorsRedGreen, factorsBlue, bias, 11, Y11, Y13) \
	JOIN(Y8, Y9, Y10, Y11)

// JOIN makes bytes of four vectors and puts them in order. What it joins is left in the first.
#define JOIN(a, b, c, d) \
	VPACKUSDW b, a, a   \
	VPACKUSDW d, c, c   \
	VPACKUSWB c, a, a   \
	VPERMD    a, Y15, a

// func convertVectors(luma, cb, cr, pix *uint8, n int, constants *colourConstants)
TEXT ·convertVectors(SB), NOSPLIT, $0-48
	MOVQ    luma+0(FP), R8
	MOVQ    cb+8(FP), R9
	MOVQ    cr+16(FP), R10
	MOVQ    pix+24(FP), SI
	MOVQ    n+32(FP), CX
	MOVQ    constants+40(FP), DX
	VMOVDQU colourConstants_interleaved(DX), Y15
	XORQ    DI, DI

vector:
	PIXELS(SI, 0, Y0, X4, Y4)
	PIXELS(SI, 24, Y1, X5, Y5)
	PIXELS(SI, 48, Y2, X6, Y6)
	PIXELS(SI, 72, Y3, X7, Y7)
	PLANE(colourConstants_lumaRedGreen, colourConstants_lumaBlue, colourConstants_lumaBias)
	VMOVDQU Y8, (R8)(DI*1)
	PLANE(colourConstants_cbRedGreen, colourConstants_cbBlue, colourConstants_chromaBias)
	VMOVDQU Y8, (R9)(DI*1)
	PLANE(colourConstants_crRedGreen, colourConstants_crBlue, colourConstants_chromaBias)
	VMOVDQU Y8, (R10)(DI*1)

	ADDQ $96, SI
	ADDQ $32, DI
	CMPQ DI, CX
	JLT  vector
	VZEROUPPER
	RET

#define LUMA(redGreen, blue, out) \
	WEIGHTED(redGreen, blue, colourConstants_lumaRedGreen, colourConstants_lumaBlue, colourConstants_lumaBias, 11, out, Y14)

// BELOW makes luma of eight pixels of the lower row, and adds them to those above.
#define BELOW(at, redGreen, blue, out) \
	PIXELS(BX, at, Y12, X13, Y13)  \
	LUMA(Y12, Y13, out)            \
	VPADDW Y12, redGreen, redGreen \
	VPADDW Y13, blue, blue

// NEIGHBOURS adds up the pixels of two vectors in pairs.
#define NEIGHBOURS(a, b) \
	VSHUFPS $0x88, b, a, Y8 \
	VSHUFPS $0xDD, b, a, a  \
	VPADDW  Y8, a, a

#define MEAN(redGreen, blue, factorsRedGreen, factorsBlue, out) \
	WEIGHTED(redGreen, blue, factorsRedGreen, factorsBlue, colourConstants_fourChromaBiases, 13, out, Y14)

// func halveVectors(lumaAbove, lumaBelow, cb, cr, above, below *uint8, n int, constants *colourConstants)
TEXT ·halveVectors(SB), NOSPLIT, $0-64
	MOVQ    lumaAbove+0(FP), R8
	MOVQ    lumaBelow+8(FP), R9
	MOVQ    cb+16(FP), R10
	MOVQ    cr+24(FP), R11
	MOVQ    above+32(FP), SI
	MOVQ    below+40(FP), BX
	MOVQ    n+48(FP), CX
	MOVQ    constants+56(FP), DX
	VMOVDQU colourConstants_interleaved(DX), Y15
	XORQ    DI, DI

vector:
	PIXELS(SI, 0, Y0, X4, Y4)
	PIXELS(SI, 24, Y1, X5, Y5)
	PIXELS(SI, 48, Y2, X6, Y6)
	PIXELS(SI, 72, Y3, X7, Y7)
	LUMA(Y0, Y4, Y8)
	LUMA(Y1, Y5, Y9)
	LUMA(Y2, Y6, Y10)
	LUMA(Y3, Y7, Y11)
	JOIN(Y8, Y9, Y10, Y11)
	VMOVDQU Y8, (R8)(DI*1)

	BELOW(0, Y0, Y4, Y8)
	BELOW(24, Y1, Y5, Y9)
	BELOW(48, Y2, Y6, Y10)
	BELOW(72, Y3, Y7, Y11)
	JOIN(Y8, Y9, Y10, Y11)
	VMOVDQU Y8, (R9)(DI*1)

	NEIGHBOURS(Y0, Y1)
	NEIGHBOURS(Y2, Y3)
	NEIGHBOURS(Y4, Y5)
	NEIGHBOURS(Y6, Y7)
	MEAN(Y0, Y4, colourConstants_cbRedGreen, colourConstants_cbBlue, Y8)
	MEAN(Y2, Y6, colourConstants_cbRedGreen, colourConstants_cbBlue, Y9)
	MEAN(Y0, Y4, colourConstants_crRedGreen, colourConstants_crBlue, Y10)
	MEAN(Y2, Y6, colourConstants_crRedGreen, colourConstants_crBlue, Y11)
	VPACKUSDW    Y9, Y8, Y8
	VPACKUSDW    Y11, Y10, Y10
	VPACKUSWB    Y10, Y8, Y8     // cb and cr, pairs of samples in turn in both lanes
	VEXTRACTI128 $1, Y8, X9
	VPUNPCKLWD   X9, X8, X10
	VPUNPCKHWD   X9, X8, X11
	VMOVDQU      X10, (R10)
	VMOVDQU      X11, (R11)

	ADDQ $96, SI
	ADDQ $96, BX
	ADDQ $16, R10
	ADDQ $16, R11
	ADDQ $32, DI
	CMPQ DI, CX
	JLT  vector
	VZEROUPPER
	RET
