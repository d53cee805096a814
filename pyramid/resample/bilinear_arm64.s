//go:build !purego

#include "textflag.h"
#include "../../internal/neon/neon.h"

// NEON routines for bilinear interpolation. Their Go twins are interpolateBytes and
// interpolateFrom. Pixels must not differ between machines: sums of integers are exact and rounded
// once, as there, and floats are computed by the same arithmetic, without fused multiply-add.
//
// Each routine interpolates n pixels, a multiple of four, from two rows of samples:
//
//	target[i] = bilinear(top[at[i]], top[at[i]+1], bottom[at[i]], bottom[at[i]+1], fx[i]/256, fy[i]/256)
//
// They use the same registers:
//
//	R0  target          R5      fy
//	R1  top             R6      n, pixels left
//	R2  bottom - top    R7-R10  addresses of four pixels in the top row
//	R3  at              V0-V3   pairs of a sample and its right neighbor
//	R4  fx              V4, V5  weights across and down

// BEGIN loads the parameters.
#define BEGIN \
	MOVD target+0(FP), R0  \
	MOVD top+8(FP), R1     \
	MOVD bottom+16(FP), R2 \
	MOVD at+24(FP), R3     \
	MOVD fx+32(FP), R4     \
	MOVD fy+40(FP), R5     \
	MOVD n+48(FP), R6      \
	SUB  R1, R2, R2

// PAIRS loads the pairs of four pixels, the top ones into t0 to t3 and the bottom ones into b0 to
// b3, which are lanes. shift is log2 of the size of a sample.
#define PAIRS(shift, t0, t1, t2, t3, b0, b1, b2, b3) \
	LDPSW.P 8(R3), (R7, R8)   \
	LDPSW.P 8(R3), (R9, R10)  \
	ADD     R7<<shift, R1, R7 \
	ADD     R8<<shift, R1, R8 \
	ADD     R9<<shift, R1, R9 \
	ADD     R10<<shift, R1, R10 \
	VLD1.P  (R7)(R2), t0  \
	VLD1.P  (R8)(R2), t1  \
	VLD1.P  (R9)(R2), t2  \
	VLD1.P  (R10)(R2), t3 \
	VLD1    (R7), b0      \
	VLD1    (R8), b1      \
	VLD1    (R9), b2      \
	VLD1    (R10), b3

// WEIGHTS loads the bytes of the weights of four pixels. Both halves of V4 and V5 have all of them.
#define WEIGHTS \
	VLD1R.P 4(R4), [V4.S2] \
	VLD1R.P 4(R5), [V5.S2]

// NEXT jumps to the next four pixels, or returns after the last ones.
#define NEXT \
	SUBS $4, R6, R6 \
	BNE  four       \
	RET

// interpolateFoursUint8 sums across to 16 bits, four top and four bottom pixels at once, and then
// down to 32 bits:
//
//	256 left + right x - left x
//
//	V0, V1  left and right bytes    V2  sums across    V3  sums down
//
// func interpolateFoursUint8(target, top, bottom *uint8, at *int32, fx, fy *uint8, n int)
TEXT ·interpolateFoursUint8(SB), NOSPLIT, $0-56
	BEGIN

four:
	PAIRS(0, V0.H[0], V0.H[1], V0.H[2], V0.H[3], V0.H[4], V0.H[5], V0.H[6], V0.H[7])
	WEIGHTS
	VUSHLL $0, V5.B8, V5.H8
	VUZP2  V0.B16, V0.B16, V1.B16
	VUZP1  V0.B16, V0.B16, V0.B16

	VSHLL_B8(0, 2)
	VUMLAL_B8(4, 1, 2)
	VUMLSL_B8(4, 0, 2)

	VUSHLL_H4(8, 2, 3)
	VUMLAL2_H8(5, 2, 3)
	VUMLSL_H4(5, 2, 3)
	VRSHRN_H4(16, 3, 3)
	VXTN_B8(3, 3)
	FMOVS.P F3, 4(R0)
	NEXT

// WORDS sums four pixels of 16 bits across to 24 bits, and then down to 32 bits. The parameters are
// instructions for numbers with or without a sign. The result is in V3.
//
//	V0, V1  left and right samples: four of the top row, four of the bottom row
//	V2, V6  sums across of the top and the bottom row
//	V3      sums down
#define WORDS(SHLL, SHLL2, MLAL, MLAL2, MLSL, MLSL2) \
	PAIRS(1, V0.S[0], V0.S[1], V0.S[2], V0.S[3], V1.S[0], V1.S[1], V1.S[2], V1.S[3]) \
	WEIGHTS                      \
	VUSHLL $0, V4.B8, V4.H8      \
	VUSHLL $0, V5.B8, V5.H8      \
	VUSHLL $0, V5.H4, V5.S4      \
	VUZP1  V1.H8, V0.H8, V3.H8   \
	VUZP2  V1.H8, V0.H8, V1.H8   \
	SHLL(8, 3, 2)                \
	SHLL2(8, 3, 6)               \
	MLAL(4, 1, 2)                \
	MLAL2(4, 1, 6)               \
	MLSL(4, 3, 2)                \
	MLSL2(4, 3, 6)               \
	VSHL   $8, V2.S4, V3.S4      \
	VMLA_S4(5, 6, 3)             \
	VMLS_S4(5, 2, 3)             \
	VRSHRN_H4(16, 3, 3)          \
	FMOVD.P F3, 8(R0)

// func interpolateFoursUint16(target, top, bottom *uint16, at *int32, fx, fy *uint8, n int)
TEXT ·interpolateFoursUint16(SB), NOSPLIT, $0-56
	BEGIN

four:
	WORDS(VUSHLL_H4, VUSHLL2_H8, VUMLAL_H4, VUMLAL2_H8, VUMLSL_H4, VUMLSL2_H8)
	NEXT

// func interpolateFoursInt16(target, top, bottom *int16, at *int32, fx, fy *uint8, n int)
TEXT ·interpolateFoursInt16(SB), NOSPLIT, $0-56
	BEGIN

four:
	WORDS(VSSHLL_H4, VSSHLL2_H8, VSMLAL_H4, VSMLAL2_H8, VSMLSL_H4, VSMLSL2_H8)
	NEXT

// BETWEEN interpolates two pairs of float64: left + (right - left) weight. It overwrites right.
#define BETWEEN(left, right, weight, out) \
	VFSUB_D2(left, right, right)  \
	VFMUL_D2(weight, right, right) \
	VFADD_D2(right, left, out)

// FRACTIONS converts the first two weights in v to float64, divided by 256, in low, and the other
// two in high. V30 and V31 select their bytes.
#define FRACTIONS(v, low, high, lowNumber, highNumber) \
	VTBL V31.B16, [v.B16], high.B16     \
	VTBL V30.B16, [v.B16], low.B16      \
	VUCVTF_D2(8, highNumber, highNumber) \
	VUCVTF_D2(8, lowNumber, lowNumber)

// Selects the bytes 0 and 1, or 2 and 3, as numbers of 64 bits. There are no bytes 255: they give
// 0.
DATA lowBytes<>+0(SB)/8, $0xFFFFFFFFFFFFFF00
DATA lowBytes<>+8(SB)/8, $0xFFFFFFFFFFFFFF01
GLOBL lowBytes<>(SB), RODATA|NOPTR, $16
DATA highBytes<>+0(SB)/8, $0xFFFFFFFFFFFFFF02
DATA highBytes<>+8(SB)/8, $0xFFFFFFFFFFFFFF03
GLOBL highBytes<>(SB), RODATA|NOPTR, $16

// interpolateFoursFloat32 computes in float64, two pixels in a register.
//
//	V4, V6    weights across      V20-V23  bottom samples: left and right, each two times two
//	V5, V7    weights down        V30, V31 lowBytes, highBytes
//	V16-V19   top samples: left and right, each two times two
//
// func interpolateFoursFloat32(target, top, bottom *float32, at *int32, fx, fy *uint8, n int)
TEXT ·interpolateFoursFloat32(SB), NOSPLIT, $0-56
	BEGIN
	MOVD  $lowBytes<>(SB), R7
	MOVD  $highBytes<>(SB), R8
	FMOVQ (R7), F30
	FMOVQ (R8), F31

four:
	PAIRS(2, V0.D[0], V0.D[1], V1.D[0], V1.D[1], V2.D[0], V2.D[1], V3.D[0], V3.D[1])
	WEIGHTS
	FRACTIONS(V4, V4, V6, 4, 6)
	FRACTIONS(V5, V5, V7, 5, 7)
	VUZP1 V1.S4, V0.S4, V16.S4
	VUZP2 V1.S4, V0.S4, V18.S4
	VUZP1 V3.S4, V2.S4, V20.S4
	VUZP2 V3.S4, V2.S4, V22.S4
	VFCVTL2_S4(16, 17)
	VFCVTL2_S4(18, 19)
	VFCVTL2_S4(20, 21)
	VFCVTL2_S4(22, 23)
	VFCVTL_S2(16, 16)
	VFCVTL_S2(18, 18)
	VFCVTL_S2(20, 20)
	VFCVTL_S2(22, 22)

	BETWEEN(16, 18, 4, 16)
	BETWEEN(17, 19, 6, 17)
	BETWEEN(20, 22, 4, 20)
	BETWEEN(21, 23, 6, 21)
	BETWEEN(16, 20, 5, 16)
	BETWEEN(17, 21, 7, 17)
	VFCVTN_S2(16, 16)
	VFCVTN2_S4(17, 16)
	FMOVQ.P F16, 16(R0)
	NEXT
