//go:build !purego

#include "textflag.h"

// These routines use AVX2 and produce exactly the results of the Go code. A batch is 32 pixels, two
// for each of 16 chroma samples. The left and the right pixels of these pairs are processed in
// separate registers, as 16-bit words. Registers of both routines:
//
//	DI        dst
//	SI        luma
//	R8, R9    nearU, farU
//	R10, R11  nearV, farV
//	CX        remaining batches
//	Y0, Y1    u of the left and the right pixels; later pixels
//	Y2, Y3    v of the left and the right pixels; later pixels
//	Y4, Y5    scaled luma of the left and the right pixels
//	Y6-Y8     red, green, blue of the left pixels
//	Y9-Y11    red, green, blue of the right pixels
//	Y12-Y14   temporaries

#define EVERY_WORD(name, pattern) \
	DATA name<>+0(SB)/8, $pattern  \
	DATA name<>+8(SB)/8, $pattern  \
	DATA name<>+16(SB)/8, $pattern \
	DATA name<>+24(SB)/8, $pattern \
	GLOBL name<>(SB), RODATA|NOPTR, $32

EVERY_WORD(highBytes, 0xFF00FF00FF00FF00)
EVERY_WORD(eight, 0x0008000800080008)
EVERY_WORD(opaque, 0xFFFFFFFFFFFFFFFF)
EVERY_WORD(byLuma, 0x4A854A854A854A85)        // 19077
EVERY_WORD(redByV, 0x6625662566256625)        // 26149
EVERY_WORD(greenByU, 0x1913191319131913)      // 6419
EVERY_WORD(greenByV, 0x3408340834083408)      // 13320
EVERY_WORD(blueByU, 0x811A811A811A811A)       // 33050
EVERY_WORD(redLess, 0x379A379A379A379A)       // 14234
EVERY_WORD(greenMore, 0x2204220422042204)     // 8708
EVERY_WORD(blueLess, 0x4515451545154515)      // 17685

// withoutAlpha drops every fourth byte of four pixels.
DATA withoutAlpha<>+0(SB)/8, $0x0908060504020100
DATA withoutAlpha<>+8(SB)/8, $0x808080800E0D0C0A
DATA withoutAlpha<>+16(SB)/8, $0x0908060504020100
DATA withoutAlpha<>+24(SB)/8, $0x808080800E0D0C0A
GLOBL withoutAlpha<>(SB), RODATA|NOPTR, $32

// CHROMA interpolates chroma. left and right become 256 times the results of the Go function
// between.
#define CHROMA(near, far, left, right) \
	VPMOVZXBW (near), left      \
	VPMOVZXBW 1(near), right    \
	VPMOVZXBW (far), Y12        \
	VPMOVZXBW 1(far), Y13       \
	VPADDW    right, Y12, Y12   \
	VPADDW    left, Y13, Y13    \
	VPADDW    Y12, Y13, Y14     \
	VPADDW    eight<>(SB), Y14, Y14 \
	VPADDW    Y12, Y12, Y12     \
	VPADDW    Y13, Y13, Y13     \
	VPADDW    Y14, Y12, Y12     \
	VPADDW    Y14, Y13, Y13     \
	VPSRLW    $3, Y12, Y12      \
	VPSRLW    $3, Y13, Y13      \
	VPADDW    Y12, left, left   \
	VPADDW    Y13, right, right \
	VPSRLW    $1, left, left    \
	VPSRLW    $1, right, right  \
	VPSLLW    $8, left, left    \
	VPSLLW    $8, right, right

// COLORS computes red, green and blue from scaled luma and from chroma as CHROMA returns it.
#define COLORS(y, u, v, red, green, blue) \
	VPMULHUW redByV<>(SB), v, red        \
	VPMULHUW greenByU<>(SB), u, green    \
	VPMULHUW greenByV<>(SB), v, Y12      \
	VPMULHUW blueByU<>(SB), u, blue      \
	VPADDW   y, red, red                 \
	VPSUBW   green, y, green             \
	VPADDUSW y, blue, blue               \
	VPSUBW   redLess<>(SB), red, red     \
	VPSUBW   Y12, green, green           \
	VPSUBUSW blueLess<>(SB), blue, blue  \
	VPADDW   greenMore<>(SB), green, green \
	VPSRAW   $6, red, red                \
	VPSRAW   $6, green, green            \
	VPSRLW   $6, blue, blue

#define ARGUMENTS \
	MOVQ dst+0(FP), DI     \
	MOVQ luma+8(FP), SI    \
	MOVQ nearU+16(FP), R8  \
	MOVQ farU+24(FP), R9   \
	MOVQ nearV+32(FP), R10 \
	MOVQ farV+40(FP), R11  \
	MOVQ batches+48(FP), CX

// PIXELS computes 32 pixels of four bytes. The first 16 lie in the lower halves of Y0 to Y3, four
// in each, and the other 16 in the upper halves.
#define PIXELS \
	CHROMA(R8, R9, Y0, Y1)   \
	CHROMA(R10, R11, Y2, Y3) \
	VMOVDQU (SI), Y5         \
	VPSLLW  $8, Y5, Y4       \
	VPAND   highBytes<>(SB), Y5, Y5 \
	VPMULHUW byLuma<>(SB), Y4, Y4   \
	VPMULHUW byLuma<>(SB), Y5, Y5   \
	COLORS(Y4, Y0, Y2, Y6, Y7, Y8)   \
	COLORS(Y5, Y1, Y3, Y9, Y10, Y11) \
	VPACKUSWB  Y9, Y6, Y6    \
	VPACKUSWB  Y10, Y7, Y7   \
	VPACKUSWB  Y11, Y8, Y8   \
	VMOVDQU    opaque<>(SB), Y9 \
	VPUNPCKLBW Y7, Y6, Y0    \
	VPUNPCKHBW Y7, Y6, Y1    \
	VPUNPCKLBW Y9, Y8, Y2    \
	VPUNPCKHBW Y9, Y8, Y3    \
	VPUNPCKLWD Y2, Y0, Y4    \
	VPUNPCKHWD Y2, Y0, Y5    \
	VPUNPCKLWD Y3, Y1, Y6    \
	VPUNPCKHWD Y3, Y1, Y7    \
	VPUNPCKLDQ Y6, Y4, Y0    \
	VPUNPCKHDQ Y6, Y4, Y1    \
	VPUNPCKLDQ Y7, Y5, Y2    \
	VPUNPCKHDQ Y7, Y5, Y3

#define NEXT \
	ADDQ $32, SI  \
	ADDQ $16, R8  \
	ADDQ $16, R9  \
	ADDQ $16, R10 \
	ADDQ $16, R11 \
	DECQ CX

// func writePixels3(dst, luma, nearU, farU, nearV, farV *uint8, batches int)
//
// writePixels3 writes batches of pixels of three bytes. Its Go twin is rowWriter.writePairsInGo.
TEXT ·writePixels3(SB), NOSPLIT, $0-56
	ARGUMENTS

batch:
	PIXELS
	VMOVDQU withoutAlpha<>(SB), Y4
	VPSHUFB Y4, Y0, Y0
	VPSHUFB Y4, Y1, Y1
	VPSHUFB Y4, Y2, Y2
	VPSHUFB Y4, Y3, Y3
	// Each store overwrites the excess bytes of the previous one.
	VMOVDQU X0, (DI)
	VMOVDQU X1, 12(DI)
	VMOVDQU X2, 24(DI)
	VMOVDQU X3, 36(DI)
	VEXTRACTI128 $1, Y0, 48(DI)
	VEXTRACTI128 $1, Y1, 60(DI)
	VEXTRACTI128 $1, Y2, 72(DI)
	VEXTRACTI128 $1, Y3, 84(DI)
	ADDQ $96, DI
	NEXT
	JNZ  batch
	VZEROUPPER
	RET

// func writePixels4(dst, luma, nearU, farU, nearV, farV *uint8, batches int)
//
// writePixels4 writes batches of pixels of four bytes. Its Go twin is rowWriter.writePairsInGo.
TEXT ·writePixels4(SB), NOSPLIT, $0-56
	ARGUMENTS

batch:
	PIXELS
	VMOVDQU X0, (DI)
	VMOVDQU X1, 16(DI)
	VMOVDQU X2, 32(DI)
	VMOVDQU X3, 48(DI)
	VEXTRACTI128 $1, Y0, 64(DI)
	VEXTRACTI128 $1, Y1, 80(DI)
	VEXTRACTI128 $1, Y2, 96(DI)
	VEXTRACTI128 $1, Y3, 112(DI)
	SUBQ $-128, DI
	NEXT
	JNZ  batch
	VZEROUPPER
	RET
