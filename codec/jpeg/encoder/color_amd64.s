//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// These routines use AVX2 and the arithmetic of the Go code exactly, since files must not depend on
// the machine. Registers of both routines:
//
//	SI       pixels (of the upper row)
//	BX       pixels of the lower row
//	R8, R9   convertVectors: luma, cb; halveVectors: luma of the upper and the lower row
//	R10      convertVectors: cr; halveVectors: cb
//	R11      halveVectors: cr
//	CX       n, a multiple of 32
//	DX       constants
//	DI       index of the next luma sample
//	Y0-Y3    red and green of eight pixels each, as words
//	Y4-Y7    blue and zero of eight pixels each, as words
//	Y8-Y11   samples of eight pixels each
//	Y12-Y14  temporaries
//	Y15      interleaved, the order that undoes the packing

// PIXELS expands eight pixels to words: alternating red and green, and blue. xblue is the lower
// half of blue.
#define PIXELS(pix, at, redGreen, xblue, blue) \
	VMOVDQU     at(pix), xblue                                \
	VINSERTI128 $1, at+8(pix), blue, blue                     \
	VPSHUFB     colorConstants_redGreen(DX), blue, redGreen  \
	VPSHUFB     colorConstants_blue(DX), blue, blue

// WEIGHTED computes eight samples of a plane. It overwrites free.
#define WEIGHTED(redGreen, blue, factorsRedGreen, factorsBlue, bias, shift, out, free) \
	VPMADDWD factorsRedGreen(DX), redGreen, out \
	VPMADDWD factorsBlue(DX), blue, free        \
	VPADDD   bias(DX), out, out                 \
	VPADDD   free, out, out                     \
	VPSRLD   $shift, out, out

// PLANE computes 32 samples of the pixels in Y0 to Y7, and leaves them in Y8.
#define PLANE(factorsRedGreen, factorsBlue, bias) \
	WEIGHTED(Y0, Y4, factorsRedGreen, factorsBlue, bias, 11, Y8, Y12)  \
	WEIGHTED(Y1, Y5, factorsRedGreen, factorsBlue, bias, 11, Y9, Y13)  \
	WEIGHTED(Y2, Y6, factorsRedGreen, factorsBlue, bias, 11, Y10, Y12) \
	WEIGHTED(Y3, Y7, factorsRedGreen, factorsBlue, bias, 11, Y11, Y13) \
	JOIN(Y8, Y9, Y10, Y11)

// JOIN packs four vectors to bytes and puts them in order. The result is in a.
#define JOIN(a, b, c, d) \
	VPACKUSDW b, a, a   \
	VPACKUSDW d, c, c   \
	VPACKUSWB c, a, a   \
	VPERMD    a, Y15, a

// func convertVectors(luma, cb, cr, pix *uint8, n int, constants *colorConstants)
//
// convertVectors converts n pixels to luma and full-resolution chroma, 32 at a time. Its Go twin is
// convertRowGo. The registers are listed at the top of the file.
TEXT ·convertVectors(SB), NOSPLIT, $0-48
	MOVQ    luma+0(FP), R8
	MOVQ    cb+8(FP), R9
	MOVQ    cr+16(FP), R10
	MOVQ    pix+24(FP), SI
	MOVQ    n+32(FP), CX
	MOVQ    constants+40(FP), DX
	VMOVDQU colorConstants_interleaved(DX), Y15
	XORQ    DI, DI

vector:
	PIXELS(SI, 0, Y0, X4, Y4)
	PIXELS(SI, 24, Y1, X5, Y5)
	PIXELS(SI, 48, Y2, X6, Y6)
	PIXELS(SI, 72, Y3, X7, Y7)
	PLANE(colorConstants_lumaRedGreen, colorConstants_lumaBlue, colorConstants_lumaBias)
	VMOVDQU Y8, (R8)(DI*1)
	PLANE(colorConstants_cbRedGreen, colorConstants_cbBlue, colorConstants_chromaBias)
	VMOVDQU Y8, (R9)(DI*1)
	PLANE(colorConstants_crRedGreen, colorConstants_crBlue, colorConstants_chromaBias)
	VMOVDQU Y8, (R10)(DI*1)

	ADDQ $96, SI
	ADDQ $32, DI
	CMPQ DI, CX
	JLT  vector
	VZEROUPPER
	RET

#define LUMA(redGreen, blue, out) \
	WEIGHTED(redGreen, blue, colorConstants_lumaRedGreen, colorConstants_lumaBlue, colorConstants_lumaBias, 11, out, Y14)

// BELOW computes luma of eight pixels of the lower row, and adds these pixels to those of the upper
// row.
#define BELOW(at, redGreen, blue, out) \
	PIXELS(BX, at, Y12, X13, Y13)  \
	LUMA(Y12, Y13, out)            \
	VPADDW Y12, redGreen, redGreen \
	VPADDW Y13, blue, blue

// PAIR_SUMS adds adjacent pixels of two vectors.
#define PAIR_SUMS(a, b) \
	VSHUFPS $0x88, b, a, Y8 \
	VSHUFPS $0xDD, b, a, a  \
	VPADDW  Y8, a, a

#define MEAN(redGreen, blue, factorsRedGreen, factorsBlue, out) \
	WEIGHTED(redGreen, blue, factorsRedGreen, factorsBlue, colorConstants_fourChromaBiases, 13, out, Y14)

// func halveVectors(lumaAbove, lumaBelow, cb, cr, above, below *uint8, n int, constants
// *colorConstants)
//
// halveVectors converts two rows of n pixels to luma and half-resolution chroma, 32 columns at a
// time. Its Go twin is convertRowsGo. The registers are listed at the top of the file.
TEXT ·halveVectors(SB), NOSPLIT, $0-64
	MOVQ    lumaAbove+0(FP), R8
	MOVQ    lumaBelow+8(FP), R9
	MOVQ    cb+16(FP), R10
	MOVQ    cr+24(FP), R11
	MOVQ    above+32(FP), SI
	MOVQ    below+40(FP), BX
	MOVQ    n+48(FP), CX
	MOVQ    constants+56(FP), DX
	VMOVDQU colorConstants_interleaved(DX), Y15
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

	PAIR_SUMS(Y0, Y1)
	PAIR_SUMS(Y2, Y3)
	PAIR_SUMS(Y4, Y5)
	PAIR_SUMS(Y6, Y7)
	MEAN(Y0, Y4, colorConstants_cbRedGreen, colorConstants_cbBlue, Y8)
	MEAN(Y2, Y6, colorConstants_cbRedGreen, colorConstants_cbBlue, Y9)
	MEAN(Y0, Y4, colorConstants_crRedGreen, colorConstants_crBlue, Y10)
	MEAN(Y2, Y6, colorConstants_crRedGreen, colorConstants_crBlue, Y11)
	VPACKUSDW    Y9, Y8, Y8
	VPACKUSDW    Y11, Y10, Y10
	VPACKUSWB    Y10, Y8, Y8 // alternating pairs of cb and cr samples in both lanes
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
