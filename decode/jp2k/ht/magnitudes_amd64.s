//go:build !purego

#include "textflag.h"
#include "vectors_amd64.h"

ALL(one, 1)
ALL(two, 2)
ALL(seven, 7)
ALL(eight, 8)
ALL(fifteen, 15)
ALL(significant, 0xF0)
ALL(exponentOfOne, 127)
ALL(sevens, 0x07070707)
ALL(low5Bits, 0x1F1F1F1F)
ALL(bytesOfOne, 0x01010101)
ALL(bytesOfTwo, 0x02020202)
ALL(upperWords, 0xFFFF0000)
ALL(wordsOfTwo, 0x00020002)

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

// Byte shuffles that repeat a byte of each quad four times: rho; e_1 and e_k; U.
DWORDS(rhoBytes, 0x00000000, 0x04040404, 0x08080808, 0x0C0C0C0C, 0x00000000, 0x04040404, 0x08080808, 0x0C0C0C0C)
DWORDS(knownBytes, 0x01010101, 0x05050505, 0x09090909, 0x0D0D0D0D, 0x01010101, 0x05050505, 0x09090909, 0x0D0D0D0D)
DWORDS(boundBytes, 0x02020202, 0x06060606, 0x0A0A0A0A, 0x0E0E0E0E, 0x02020202, 0x06060606, 0x0A0A0A0A, 0x0E0E0E0E)

// A byte shuffle that repeats the lowest byte of each pair eight times.
DWORDS(lowestOfPair, 0x00000000, 0x00000000, 0x08080808, 0x08080808, 0x00000000, 0x00000000, 0x08080808, 0x08080808)

// The bits of the samples of a quad in the lower and the upper half of a byte.
ALL(lowerBits, 0x08040201)
ALL(upperBits, 0x80402010)

// Tables: both bytes of the mask for each length, and what moves a word down by 1 to 8 bits when it is
// multiplied by it, without the lower byte, which is 0.
DWORDS(maskLow, 0x07030100, 0x7F3F1F0F, 0xFFFFFFFF, 0xFFFFFFFF, 0x07030100, 0x7F3F1F0F, 0xFFFFFFFF, 0xFFFFFFFF)
DWORDS(maskHigh, 0, 0, 0x07030100, 0x7F3F1F0F, 0, 0, 0x07030100, 0x7F3F1F0F)
DWORDS(factors, 0x10204080, 0x01020408, 0x10204080, 0x01020408, 0x10204080, 0x01020408, 0x10204080, 0x01020408)

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

// NARROW turns four quads into samples and numbers. UNPACK is the instruction that takes their bytes
// from Y2 to Y9. first and second are the byte offsets of both pairs in the segment (R8).
#define NARROW(UNPACK, first, second, to) \
	MOVL        first, AX                   \
	MOVL        second, BX                  \
	SHRL        $3, AX                      \
	SHRL        $3, BX                      \
	VMOVDQU     -1(R8)(AX*1), X10           \
	VINSERTI128 $1, -1(R8)(BX*1), Y10, Y10  \
	UNPACK      Y9, Y8, Y11                 \
	VPADDB      bytesOfTwo<>(SB), Y11, Y12  \
	VPSHUFB     Y11, Y10, Y11               \
	VPSHUFB     Y12, Y10, Y12               \
	UNPACK      Y7, Y15, Y10                \
	VPMULHUW    Y10, Y11, Y11               \ // shifts right
	VPMULLW     Y10, Y12, Y12               \ // shifts left
	VPOR        Y11, Y12, Y11               \
	UNPACK      Y4, Y3, Y10                 \ // the mask for the length
	VPAND       Y10, Y11, Y11               \
	VPSUBW      Y14, Y10, Y10               \
	UNPACK      Y5, Y5, Y12                 \
	VPAND       Y12, Y10, Y10               \
	VPOR        Y10, Y11, Y11               \ // the known bit
	UNPACK      Y15, Y2, Y10                \ // 1 if significant
	VPSLLW      $15, Y11, Y12               \
	VPOR        Y10, Y12, Y12               \ // 0 if insignificant, else the sign and a nonzero value
	VPOR        Y10, Y11, Y11               \ // numbers
	VPADDW      wordsOfTwo<>(SB), Y11, Y10  \
	VPSIGNW     Y12, Y10, Y10               \
	VPSLLD      $16, Y10, Y12               \
	VPSRAD      X13, Y12, Y12               \
	VMOVDQU     Y12, to(R10)                \
	VPAND       upperWords<>(SB), Y10, Y10  \
	VPSRAD      X13, Y10, Y10               \
	VMOVDQU     Y10, to(R11)                \
	VPSRLD      $16, Y11, Y11               \
	VMOVDQU     Y11, to(R9)

// narrowSamples decodes eight quads a step. First, it works with a byte a sample. Its Go twin is
// magnitudeReader.sample.
//
//	SI   pairs                  Y2   1 if significant
//	DX   positions              Y3   mask for the length, lower byte
//	R8   bits of the segment    Y4   mask for the length, upper byte
//	R9   numbers                Y5   all ones if the known bit is 1
//	R10  upper                  Y7   factor for the bit offset
//	R11  lower                  Y8   byte offset in the pair
//	CX   steps left             Y9   the byte offset after that
//	AX, BX             scratch  X13  16 - plane
//	Y0, Y1, Y6         scratch  Y14  all ones
//	Y10-Y12            scratch  Y15  zeros
//
// func narrowSamples(pairs *uint64, positions *uint32, bits *byte, numbers *uint32,
//	upper, lower *int32, steps, plane int)
TEXT ·narrowSamples(SB), NOSPLIT, $0-64
	MOVQ pairs+0(FP), SI
	MOVQ positions+8(FP), DX
	MOVQ bits+16(FP), R8
	MOVQ numbers+24(FP), R9
	MOVQ upper+32(FP), R10
	MOVQ lower+40(FP), R11
	MOVQ steps+48(FP), CX
	MOVQ $16, AX
	SUBQ plane+56(FP), AX

	VMOVQ    AX, X13
	VPCMPEQD Y14, Y14, Y14
	VPXOR    Y15, Y15, Y15

eightQuads:
	VPERMQ $0xD8, (SI), Y0 // pairs 0 and 2, 1 and 3, for the order after unpacking
	VPTEST significant<>(SB), Y0
	JEQ    empty

	VPSHUFB  rhoBytes<>(SB), Y0, Y2
	VPSHUFB  knownBytes<>(SB), Y0, Y3
	VPSHUFB  boundBytes<>(SB), Y0, Y4
	VMOVDQU  lowerBits<>(SB), Y6
	VMOVDQU  upperBits<>(SB), Y7
	VPAND    Y6, Y3, Y5
	VPCMPEQB Y6, Y5, Y5
	VPAND    Y7, Y2, Y2
	VPCMPEQB Y7, Y2, Y2
	VPAND    Y7, Y3, Y3
	VPCMPEQB Y7, Y3, Y3 // -1 if a bit is known
	VPADDB   Y3, Y4, Y4
	VPAND    Y2, Y4, Y4 // lengths
	VPABSB   Y2, Y2

	// Bit offsets: the sums of the lengths before each sample of the pair, added to the offset of the
	// pair. They are 7 too large, so that the remainder is the shift less 1.
	VPERMQ  $0xD8, (DX), Y1
	VPAND   seven<>(SB), Y1, Y1
	VPSHUFB lowestOfPair<>(SB), Y1, Y1
	VPADDB  sevens<>(SB), Y1, Y1
	VPSLLQ  $8, Y4, Y0
	VPSLLQ  $8, Y0, Y6
	VPADDB  Y6, Y0, Y0
	VPSLLQ  $16, Y0, Y6
	VPADDB  Y6, Y0, Y0
	VPSLLQ  $32, Y0, Y6
	VPADDB  Y6, Y0, Y0
	VPADDB  Y1, Y0, Y0

	VMOVDQU factors<>(SB), Y7
	VPSHUFB Y0, Y7, Y7
	VPSRLW  $3, Y0, Y8
	VPAND   low5Bits<>(SB), Y8, Y8
	VPADDB  bytesOfOne<>(SB), Y8, Y9
	VMOVDQU maskLow<>(SB), Y3
	VPSHUFB Y4, Y3, Y3
	VMOVDQU maskHigh<>(SB), Y6
	VPSHUFB Y4, Y6, Y4

	NARROW(VPUNPCKLBW, 0(DX), 8(DX), 0)
	NARROW(VPUNPCKHBW, 16(DX), 24(DX), 32)

next:
	ADDQ $32, SI
	ADDQ $32, DX
	ADDQ $64, R9
	ADDQ $64, R10
	ADDQ $64, R11
	DECQ CX
	JNE  eightQuads
	VZEROUPPER
	RET

empty:
	VMOVDQU Y15, (R9)
	VMOVDQU Y15, 32(R9)
	VMOVDQU Y15, (R10)
	VMOVDQU Y15, 32(R10)
	VMOVDQU Y15, (R11)
	VMOVDQU Y15, 32(R11)
	JMP     next

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
	VPADDB       bytesOfOne<>(SB), Y7, Y8      \
	VPSHUFB      Y7, Y4, Y7                    \
	VPSHUFB      Y8, Y4, Y8                    \
	VMOVDQU      eight<>(SB), Y4               \
	VPSUBD       Y3, Y4, Y4                    \
	VPSRLVD      Y3, Y7, Y7                    \
	VPSLLVD      Y4, Y8, Y8                    \ // with the fifth byte
	VPOR         Y7, Y8, Y4                    \
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

// wideSamples decodes four quads a step. Its Go twin is magnitudeReader.sample.
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
// func wideSamples(pairs *uint64, positions *uint32, bits *byte, numbers *uint32,
//	upper, lower *int32, steps, plane int)
TEXT ·wideSamples(SB), NOSPLIT, $0-64
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
