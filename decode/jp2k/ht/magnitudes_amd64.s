//go:build !purego

#include "textflag.h"

#define DWORDS(name, a, b, c, d, e, f, g, h) \
	DATA name<>+0(SB)/4, $a  \
	DATA name<>+4(SB)/4, $b  \
	DATA name<>+8(SB)/4, $c  \
	DATA name<>+12(SB)/4, $d \
	DATA name<>+16(SB)/4, $e \
	DATA name<>+20(SB)/4, $f \
	DATA name<>+24(SB)/4, $g \
	DATA name<>+28(SB)/4, $h \
	GLOBL name<>(SB), RODATA|NOPTR, $32

#define ALL(name, value) DWORDS(name, value, value, value, value, value, value, value, value)

ALL(one, 1)
ALL(two, 2)
ALL(seven, 7)
ALL(fifteen, 15)
ALL(significant, 0xF0)
ALL(exponentOfOne, 127)

// The number of bits set in a number below 16.
DWORDS(bitsSet, 0x02010100, 0x03020201, 0x03020201, 0x04030302, 0x02010100, 0x03020201, 0x03020201, 0x04030302)

// Byte shuffles that repeat quads 0 and 2, and quads 1 and 3, four times each.
DWORDS(evenQuads, 0x03020100, 0x03020100, 0x03020100, 0x03020100, 0x0B0A0908, 0x0B0A0908, 0x0B0A0908, 0x0B0A0908)
DWORDS(oddQuads, 0x07060504, 0x07060504, 0x07060504, 0x07060504, 0x0F0E0D0C, 0x0F0E0D0C, 0x0F0E0D0C, 0x0F0E0D0C)

// Shifts that move the bits of each sample to the position of the last sample.
DWORDS(toLast, 3, 2, 1, 0, 3, 2, 1, 0)

// A byte shuffle that repeats the lowest byte of each number four times, and the offsets of the
// bytes that follow it.
DWORDS(lowest, 0x00000000, 0x04040404, 0x08080808, 0x0C0C0C0C, 0x00000000, 0x04040404, 0x08080808, 0x0C0C0C0C)
ALL(following, 0x03020100)

// predictVectors adds the prediction to the u of eight quads a step, and sums up the lengths of
// their samples. Its Go twins are magnitudeReader.predict and the positions in rowInGo.
//
//	SI   pairs          Y10  bits set, by number
//	DX   lower          Y11  15 in each word
//	DI   positions      Y12  1 in each word
//	CX   steps left     Y13  largest U so far
//	AX, BX  results     Y14  last, the largest position
//	Y0-Y5   scratch     Y15  position of the next quad
//
// func predictVectors(pairs *uint64, lower *uint32, positions *uint32, steps int,
//	position, last uint32) (highest, next uint32)
TEXT ·predictVectors(SB), NOSPLIT, $0-48
	MOVQ pairs+0(FP), SI
	MOVQ lower+8(FP), DX
	MOVQ positions+16(FP), DI
	MOVQ steps+24(FP), CX

	MOVL         position+32(FP), AX
	MOVL         last+36(FP), BX
	VMOVD        AX, X15
	VPBROADCASTD X15, Y15
	VMOVD        BX, X14
	VPBROADCASTD X14, Y14
	VPXOR        Y13, Y13, Y13 // the largest U
	VMOVDQU      one<>(SB), Y12
	VMOVDQU      fifteen<>(SB), Y11
	VMOVDQU      bitsSet<>(SB), Y10

eightQuads:
	// The numbers of the four samples above each quad, combined by OR: the length of the longest.
	// The conversion to floating point puts it into the exponent.
	VMOVDQU    (DX), Y0
	VPOR       4(DX), Y0, Y0
	VPOR       8(DX), Y0, Y0
	VPOR       12(DX), Y0, Y0
	VMOVDQU    32(DX), Y1
	VPOR       36(DX), Y1, Y1
	VPOR       40(DX), Y1, Y1
	VPOR       44(DX), Y1, Y1
	VSHUFPS    $0x88, Y1, Y0, Y0
	VPERMQ     $0xD8, Y0, Y0
	VPSRLD     $1, Y0, Y1
	VPANDN     Y0, Y1, Y0 // prevents rounding up
	VCVTDQ2PS  Y0, Y0
	VPSRLD     $23, Y0, Y0
	VPSUBD     exponentOfOne<>(SB), Y0, Y0

	// The prediction applies if more than one sample is significant.
	VMOVDQU    (SI), Y2
	VPAND      significant<>(SB), Y2, Y3
	VPSUBD     Y12, Y3, Y4
	VPAND      Y3, Y4, Y4
	VPXOR      Y5, Y5, Y5
	VPCMPEQD   Y5, Y4, Y4
	VPANDN     Y0, Y4, Y0
	VPMAXSD    Y12, Y0, Y0
	VPSLLD     $16, Y0, Y0
	VPADDD     Y2, Y0, Y2
	VMOVDQU    Y2, (SI)
	VPSRLD     $16, Y2, Y0                // U
	VPMAXSD    Y0, Y13, Y13

	// The length of a quad: U for each significant sample, less the known bits.
	VPSRLD     $4, Y3, Y3
	VPSHUFB    Y3, Y10, Y3
	VPMULLW    Y0, Y3, Y3
	VPSRLD     $12, Y2, Y4
	VPAND      Y11, Y4, Y4
	VPSHUFB    Y4, Y10, Y4
	VPSUBD     Y4, Y3, Y3

	// Positions: the sums of the lengths before each quad, added to the position of the first.
	VPSLLDQ    $4, Y3, Y4
	VPADDD     Y4, Y3, Y4
	VPSLLDQ    $8, Y4, Y5
	VPADDD     Y5, Y4, Y4
	VPSHUFD    $0xFF, Y4, Y5
	VPERM2I128 $0x08, Y5, Y5, Y5
	VPADDD     Y5, Y4, Y4
	VPSUBD     Y3, Y4, Y3
	VPADDD     Y15, Y3, Y3
	VPMINUD    Y14, Y3, Y3
	VMOVDQU    Y3, (DI)
	VPERMQ     $0xFF, Y4, Y4
	VPSHUFD    $0xFF, Y4, Y4
	VPADDD     Y4, Y15, Y15

	ADDQ $32, SI
	ADDQ $64, DX
	ADDQ $32, DI
	DECQ CX
	JNZ  eightQuads

	VEXTRACTI128 $1, Y13, X0
	VPMAXSD      X0, X13, X0
	VPSHUFD      $0x4E, X0, X1
	VPMAXSD      X1, X0, X0
	VPSHUFD      $0xB1, X0, X1
	VPMAXSD      X1, X0, X0
	VMOVD        X0, AX
	VMOVD        X15, BX
	MOVL         AX, highest+40(FP)
	MOVL         BX, next+44(FP)
	VZEROUPPER
	RET

// SAMPLES decodes two quads into samples and numbers. which is a shuffle that selects the quads. AX
// and BX are the byte offsets of the first and the second quad in the segment (R8).
#define SAMPLES(which, samples, numbers) \
	VPSHUFB      which<>(SB), Y0, Y2           \
	VPSHUFB      which<>(SB), Y1, Y3           \
	VMOVDQU      (R8)(AX*1), X4                \
	VINSERTI128  $1, (R8)(BX*1), Y4, Y4        \
	VPSRLD       $16, Y2, Y5                   \ // U
	VPSLLVD      Y15, Y2, Y2                   \
	VPSLLD       $24, Y2, Y6                   \
	VPSRAD       $31, Y6, Y6                   \ // all ones if significant
	VPSRLD       $15, Y2, Y7                   \
	VPAND        Y14, Y7, Y7                   \
	VPSUBD       Y7, Y5, Y5                    \
	VPAND        Y6, Y5, Y5                    \ // lengths
	VPSLLDQ      $4, Y5, Y7                    \
	VPADDD       Y7, Y5, Y7                    \
	VPSLLDQ      $8, Y7, Y8                    \
	VPADDD       Y8, Y7, Y7                    \
	VPSUBD       Y5, Y7, Y7                    \
	VPAND        Y13, Y3, Y3                   \
	VPADDD       Y7, Y3, Y3                    \ // where each sample begins
	VPSRLD       $3, Y3, Y7                    \
	VPAND        Y13, Y3, Y3                   \
	VPSHUFB      Y12, Y7, Y7                   \
	VPADDD       following<>(SB), Y7, Y7       \
	VPSHUFB      Y7, Y4, Y4                    \
	VPSRLVD      Y3, Y4, Y4                    \
	VPSLLVD      Y5, Y14, Y5                   \ // 1 << length
	VPSUBD       Y14, Y5, Y3                   \
	VPAND        Y3, Y4, Y4                    \
	VPSLLD       $20, Y2, Y2                   \
	VPSRAD       $31, Y2, Y2                   \
	VPAND        Y5, Y2, Y2                    \ // the known bit
	VPOR         Y2, Y4, Y4                    \
	VPSLLD       $31, Y4, Y2                   \
	VPOR         Y14, Y2, Y2                   \
	VPAND        Y6, Y2, Y2                    \ // 0 if insignificant, else the sign and a nonzero value
	VPOR         Y14, Y4, Y4                   \
	VPAND        Y6, Y4, numbers               \
	VPADDD       two<>(SB), Y4, Y4             \
	VPSLLD       X10, Y4, Y4                   \
	VPSIGND      Y2, Y4, samples

// sampleVectors decodes four quads a step. Its Go twin is magnitudeReader.sample.
//
//	SI   pairs                  Y0   quads
//	DX   positions              Y1   positions
//	R8   bits of the segment    X10  plane
//	R9   numbers                Y12  shuffle: lowest bytes
//	R10  upper                  Y13  7 in each word
//	R11  lower                  Y14  1 in each word
//	CX   steps left             Y15  shifts to the last sample
//	AX, BX       byte offsets of two quads
//	Y2-Y9, Y11   scratch
//
// func sampleVectors(pairs *uint64, positions *uint32, bits *byte, numbers *uint32,
//	upper, lower *int32, steps, plane int)
TEXT ·sampleVectors(SB), NOSPLIT, $0-64
	MOVQ pairs+0(FP), SI
	MOVQ positions+8(FP), DX
	MOVQ bits+16(FP), R8
	MOVQ numbers+24(FP), R9
	MOVQ upper+32(FP), R10
	MOVQ lower+40(FP), R11
	MOVQ steps+48(FP), CX

	VMOVDQU toLast<>(SB), Y15
	VMOVDQU one<>(SB), Y14
	VMOVDQU seven<>(SB), Y13
	VMOVDQU lowest<>(SB), Y12
	VMOVQ   plane+56(FP), X10

fourQuads:
	VBROADCASTI128 (SI), Y0
	VBROADCASTI128 (DX), Y1
	MOVL           0(DX), AX
	MOVL           8(DX), BX
	SHRL           $3, AX
	SHRL           $3, BX
	SAMPLES(evenQuads, Y9, Y11)
	MOVL           4(DX), AX
	MOVL           12(DX), BX
	SHRL           $3, AX
	SHRL           $3, BX
	SAMPLES(oddQuads, Y4, Y3)

	// Samples 0 and 2 of each quad are the upper ones.
	VSHUFPS $0x88, Y4, Y9, Y0
	VSHUFPS $0xDD, Y4, Y9, Y1
	VSHUFPS $0xDD, Y3, Y11, Y2
	VMOVDQU Y0, (R10)
	VMOVDQU Y1, (R11)
	VMOVDQU Y2, (R9)

	ADDQ $16, SI
	ADDQ $16, DX
	ADDQ $32, R9
	ADDQ $32, R10
	ADDQ $32, R11
	DECQ CX
	JNZ  fourQuads
	VZEROUPPER
	RET
