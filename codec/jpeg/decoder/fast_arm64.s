//go:build !purego

#include "textflag.h"
#include "../../../internal/neon/neon.h"

// These routines use NEON. Their arithmetic equals that of the Go twins exactly, since the Go code
// processes the rest of a row and pictures must not depend on the machine.

// The factors of TRANSFORM_HALF: the first eight lie in the lanes of V14, the others in those of
// V15.
DATA factors<>+0(SB)/8, $0xE6DCD630115129CF  // 10703, 4433, -10704, -6436
DATA factors<>+8(SB)/8, $0xE333ECC1192525A1  // 9633, 6437, -4927, -7373
DATA factors<>+16(SB)/8, $0x1051EFB0ADFD133E // 4926, -20995, -4176, 4177
DATA factors<>+24(SB)/8, $0
GLOBL factors<>(SB), RODATA|NOPTR, $32

// TRANSFORM_HALF transforms four of eight lines, like transformLine, and narrows the results to
// words after a shift to the right. The parameters are the instructions for the lower or the upper
// half of registers.
//
//	V0-V7    in: the values 0, 4, 2, 6, 7, 1, 3, 5 of each line
//	V8, V9   in: the sums of 7 and 3, and of 1 and 5
//	V13      in: what rounds the results
//	V14, V15 in: factors
//	V24-V31  out: the eight results
//	V10-V12  temporaries; w3 and w4, then o2 and o1
//	V16-V19  e0 to e3
//	V20, V21 o3 and o0
#define TRANSFORM_HALF(SHLL, MULL, MLAL, NARROW, shift) \
	SHLL(13, 0, 10)      \
	SHLL(13, 1, 11)      \
	VADD_S4(13, 10, 10)  \
	VADD_S4(11, 10, 12)  \
	VSUB_S4(11, 10, 10)  \
	MULL(0, 14, 2, 11)   \
	MLAL(1, 14, 3, 11)   \
	VADD_S4(11, 12, 16)  \
	VSUB_S4(11, 12, 19)  \
	MULL(1, 14, 2, 11)   \
	MLAL(2, 14, 3, 11)   \
	VADD_S4(11, 10, 17)  \
	VSUB_S4(11, 10, 18)  \
	MULL(3, 14, 8, 10)   \
	MLAL(4, 14, 9, 10)   \
	MULL(4, 14, 8, 11)   \
	MLAL(5, 14, 9, 11)   \
	MULL(7, 14, 4, 20)   \
	MLAL(0, 15, 5, 20)   \
	VADD_S4(11, 20, 20)  \
	MULL(6, 14, 4, 21)   \
	MLAL(7, 14, 5, 21)   \
	VADD_S4(10, 21, 21)  \
	MLAL(3, 15, 6, 10)   \
	MLAL(1, 15, 7, 10)   \
	MLAL(1, 15, 6, 11)   \
	MLAL(2, 15, 7, 11)   \
	ENDS(20, 16, NARROW, shift, 24, 31) \
	ENDS(10, 17, NARROW, shift, 25, 30) \
	ENDS(11, 18, NARROW, shift, 26, 29) \
	ENDS(21, 19, NARROW, shift, 27, 28)

// ENDS computes two results: even plus odd and even minus odd. It overwrites V12 and even.
#define ENDS(odd, even, NARROW, shift, sum, difference) \
	VSUB_S4(odd, even, 12)        \
	VADD_S4(odd, even, even)      \
	NARROW(shift, even, sum)      \
	NARROW(shift, 12, difference)

// TRANSFORM_LINES transforms eight lines. The sums wrap, as in the Go twin.
#define TRANSFORM_LINES(NARROW, NARROW2, shift) \
	VADD V4.H8, V6.H8, V8.H8 \
	VADD V5.H8, V7.H8, V9.H8 \
	TRANSFORM_HALF(VSSHLL_H4, VSMULL_H4_H, VSMLAL_H4_H, NARROW, shift) \
	TRANSFORM_HALF(VSSHLL2_H8, VSMULL2_H8_H, VSMLAL2_H8_H, NARROW2, shift)

// INTERLEAVE interleaves the words of two vectors, low half first.
#define INTERLEAVE(a, b, low, high) \
	VZIP1 b.H8, a.H8, low.H8 \
	VZIP2 b.H8, a.H8, high.H8

// INTERLEAVE_BYTES interleaves the bytes of the vectors a and c, and of b and d, into four others.
#define INTERLEAVE_BYTES(a, b, c, d, to0, to1, to2, to3) \
	VZIP1 c.B16, a.B16, to0.B16 \
	VZIP2 c.B16, a.B16, to1.B16 \
	VZIP1 d.B16, b.B16, to2.B16 \
	VZIP2 d.B16, b.B16, to3.B16

// ROWS stores two rows of samples.
#define ROWS(v) \
	VST1.P v.D[0], (R0)(R1) \
	VST1.P v.D[1], (R0)(R1)

// func transformVector(out *uint8, stride int, b *block, q *quantizer)
//
// transformVector dequantizes and transforms one block to 8x8 samples, and zeroes the block. Its Go
// twin is transformBlock8Go.
//
//	R0       out
//	R1       stride
//	R2       b
//	R3       q
//	V0-V7    coefficients, then the columns' results, then samples
//	V16-V23  steps of the quantizer
//	V13-V15  constants of TRANSFORM_HALF; the others are listed there
TEXT ·transformVector(SB), NOSPLIT, $0-32
	MOVD out+0(FP), R0
	MOVD stride+8(FP), R1
	MOVD b+16(FP), R2
	MOVD q+24(FP), R3
	MOVD $factors<>(SB), R4

	// The pairs of rows that lie side by side become the registers of TRANSFORM_HALF.
	VLD2.P  32(R2), [V0.H8, V1.H8]
	VLD2.P  32(R2), [V2.H8, V3.H8]
	VLD2.P  32(R2), [V4.H8, V5.H8]
	VLD2    (R2), [V6.H8, V7.H8]
	VLD2.P  32(R3), [V16.H8, V17.H8]
	VLD2.P  32(R3), [V18.H8, V19.H8]
	VLD2.P  32(R3), [V20.H8, V21.H8]
	VLD2    (R3), [V22.H8, V23.H8]
	VEOR    V8.B16, V8.B16, V8.B16
	FSTPQ   (F8, F8), (R2)
	FSTPQ.W (F8, F8), -32(R2)
	FSTPQ.W (F8, F8), -32(R2)
	FSTPQ.W (F8, F8), -32(R2)
	VMUL_H8(16, 0, 0)
	VMUL_H8(17, 1, 1)
	VMUL_H8(18, 2, 2)
	VMUL_H8(19, 3, 3)
	VMUL_H8(20, 4, 4)
	VMUL_H8(21, 5, 5)
	VMUL_H8(22, 6, 6)
	VMUL_H8(23, 7, 7)

	FLDPQ (R4), (F14, F15)
	MOVD  $(1<<10), R5
	VDUP  R5, V13.S4
	TRANSFORM_LINES(VSQSHRN_H4, VSQSHRN2_H8, 11)

	// Turn rows to columns. These have the order of a block: 0, 2, 7, 3, 4, 6, 1, 5.
	INTERLEAVE(V24, V28, V0, V1)
	INTERLEAVE(V25, V29, V2, V3)
	INTERLEAVE(V26, V30, V4, V5)
	INTERLEAVE(V27, V31, V6, V7)
	INTERLEAVE(V0, V4, V24, V25)
	INTERLEAVE(V1, V5, V26, V27)
	INTERLEAVE(V2, V6, V28, V29)
	INTERLEAVE(V3, V7, V30, V31)
	INTERLEAVE(V24, V28, V0, V2)
	INTERLEAVE(V25, V29, V4, V6)
	INTERLEAVE(V26, V30, V1, V3)
	INTERLEAVE(V27, V31, V5, V7)

	// An instruction shifts by 16 at most, so the rest of the shift by 18 follows. It saturates.
	MOVD $(1<<17), R5
	VDUP R5, V13.S4
	TRANSFORM_LINES(VSHRN_H4, VSHRN2_H8, 16)
	VSQSHRN_B8(2, 24, 0)
	VSQSHRN2_B16(2, 25, 0)
	VSQSHRN_B8(2, 26, 1)
	VSQSHRN2_B16(2, 27, 1)
	VSQSHRN_B8(2, 28, 2)
	VSQSHRN2_B16(2, 29, 2)
	VSQSHRN_B8(2, 30, 3)
	VSQSHRN2_B16(2, 31, 3)

	// Turn columns to rows, and move the samples from around 0 to around 128.
	INTERLEAVE_BYTES(V0, V1, V2, V3, V4, V5, V6, V7)
	INTERLEAVE_BYTES(V4, V5, V6, V7, V0, V1, V2, V3)
	INTERLEAVE_BYTES(V0, V1, V2, V3, V4, V5, V6, V7)
	VMOVI $0x80, V8.B16
	VEOR  V8.B16, V4.B16, V4.B16
	VEOR  V8.B16, V5.B16, V5.B16
	VEOR  V8.B16, V6.B16, V6.B16
	VEOR  V8.B16, V7.B16, V7.B16
	ROWS(V4)
	ROWS(V5)
	ROWS(V6)
	ROWS(V7)
	RET

// RGB converts eight pixels. The parameters are the instructions for the lower or the upper half of
// registers. Registers are those of rgbVectors.
#define RGB(USUBL, UADDW, SQXTUN) \
	USUBL(31, 1, 3)         \ // u
	USUBL(31, 2, 4)         \ // v
	                        \
	VSQDMULH_H8(30, 4, 5)   \
	UADDW(0, 4, 6)          \
	VSRSRA_H8(1, 5, 6)      \
	SQXTUN(6, 16)           \
	                        \
	VSMULL_H4_H(1, 15, 3, 5)  \
	VSMULL2_H8_H(1, 15, 3, 6) \
	VSMLAL_H4_H(0, 15, 4, 5)  \
	VSMLAL2_H8_H(0, 15, 4, 6) \
	VRSHRN_H4(16, 5, 5)       \
	VRSHRN2_H8(16, 6, 5)      \
	VSUB_H8(4, 5, 5)          \
	UADDW(0, 5, 5)            \
	SQXTUN(5, 17)             \
	                          \
	VSQDMULH_H8(29, 3, 5)     \
	VADD_H8(3, 3, 6)          \
	UADDW(0, 6, 6)            \
	VSRSRA_H8(1, 5, 6)        \
	SQXTUN(6, 18)

// func rgbVectors(red, green, blue, luma, cb, cr *uint8, n int)
//
// rgbVectors converts n samples from YCbCr to RGB, 16 at a time. Its Go twin is rgbRow8Go. The
// weights are those of rgbRow8Go without their integer parts, which are added separately, so that
// the fractions fit into 16 bits:
//
//	red   = y + v  + ( 26345 v + half) >> 16
//	green = y - v  + (-22554 u + 18734 v + half) >> 16
//	blue  = y + 2u + (-14942 u + half) >> 16
//
// A product is rounded by keeping one more bit of it: (2k v >> 16 + 1) >> 1.
//
//	R0-R2  red, green, blue   V0       y
//	R3-R5  luma, cb, cr       V1, V2   cb, cr
//	R6     samples left       V3, V4   u = cb-128, v = cr-128 as words
//	                          V5, V6   temporaries
//	                          V16-V18  red, green, blue
//	                          V15      weights of v and u in green
//	                          V29, V30 weights of u in blue and of v in red
//	                          V31      128
TEXT ·rgbVectors(SB), NOSPLIT, $0-56
	MOVD  red+0(FP), R0
	MOVD  green+8(FP), R1
	MOVD  blue+16(FP), R2
	MOVD  luma+24(FP), R3
	MOVD  cb+32(FP), R4
	MOVD  cr+40(FP), R5
	MOVD  n+48(FP), R6
	MOVD  $26345, R7
	VDUP  R7, V30.H8
	MOVD  $-14942, R7
	VDUP  R7, V29.H8
	MOVD  $18734, R7
	VMOV  R7, V15.H[0]
	MOVD  $-22554, R7
	VMOV  R7, V15.H[1]
	VMOVI $128, V31.B16

vector:
	FMOVQ.P 16(R3), F0
	FMOVQ.P 16(R4), F1
	FMOVQ.P 16(R5), F2
	RGB(VUSUBL_B8, VUADDW_B8, VSQXTUN_B8)
	RGB(VUSUBL2_B16, VUADDW2_B16, VSQXTUN2_B16)
	FMOVQ.P F16, 16(R0)
	FMOVQ.P F17, 16(R1)
	FMOVQ.P F18, 16(R2)
	SUBS    $16, R6, R6
	BNE     vector
	RET

// func sumVectors(sums *uint16, near, far *uint8, n int)
//
// sumVectors computes sums = 3*near + far for n samples, 16 at a time. Its Go twin is sumRowsGo.
//
//	R0      sums              V0, V1  near, far
//	R1, R2  near, far         V2, V3  sums
//	R3      samples left      V31     3
TEXT ·sumVectors(SB), NOSPLIT, $0-32
	MOVD  sums+0(FP), R0
	MOVD  near+8(FP), R1
	MOVD  far+16(FP), R2
	MOVD  n+24(FP), R3
	VMOVI $3, V31.B16

vector:
	FMOVQ.P 16(R1), F0
	FMOVQ.P 16(R2), F1
	VUMULL_B8(31, 0, 2)
	VUMULL2_B16(31, 0, 3)
	VUADDW_B8(1, 2, 2)
	VUADDW2_B16(1, 3, 3)
	FSTPQ.P (F2, F3), 32(R0)
	SUBS    $16, R3, R3
	BNE     vector
	RET

// BETWEEN computes three times near plus far plus a rounding term, as words.
#define BETWEEN(near, far, rounding, out) \
	VADD_H8(rounding, far, out) \
	VMLA_H8(31, near, out)

// func widenVectors(out *uint8, sums *uint16, n int, left, right uint64)
//
// widenVectors writes two samples between each pair of adjacent sums, 16 pairs at a time. It reads
// n+1 sums and writes 2n samples. Its Go twin is widenBetweenGo.
//
//	R0  out           V0, V1    sums a           V29, V30  left and right, the rounding terms
//	R1  sums          V2, V3    sums b           V31       3
//	R2  samples left  V16, V17  left and right samples
TEXT ·widenVectors(SB), NOSPLIT, $0-40
	MOVD out+0(FP), R0
	MOVD sums+8(FP), R1
	MOVD n+16(FP), R2
	MOVD left+24(FP), R3
	MOVD right+32(FP), R4
	VDUP R3, V29.D2
	VDUP R4, V30.D2
	MOVD $3, R5
	VDUP R5, V31.H8

vector:
	FLDPQ.P 32(R1), (F0, F1)
	FMOVQ   -30(R1), F2
	FMOVQ   -14(R1), F3
	BETWEEN(0, 2, 29, 4)
	BETWEEN(1, 3, 29, 5)
	BETWEEN(2, 0, 30, 6)
	BETWEEN(3, 1, 30, 7)
	VSHRN_B8(4, 4, 16)
	VSHRN2_B16(4, 5, 16)
	VSHRN_B8(4, 6, 17)
	VSHRN2_B16(4, 7, 17)
	VST2.P  [V16.B16, V17.B16], 32(R0)
	SUBS    $16, R2, R2
	BNE     vector
	RET
