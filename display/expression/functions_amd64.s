//go:build !purego

#include "textflag.h"

// The functions process 4 elements per step. Registers in all of them:
//
//	DI  to, the address of the results
//	SI  a, the address of the first operand
//	DX  b, the address of the second operand
//	R9  constants, each repeated four times
//	CX  number of steps
//	BX  number of completed steps
//	AX  scratch
#define SPLIT_BIAS (0*32)(R9)
#define BIAS (1*32)(R9)
#define TWO_52 (2*32)(R9)
#define TWO_52_BIAS (3*32)(R9)
#define ONE (4*32)(R9)
#define TWO (5*32)(R9)
#define HALF (6*32)(R9)
#define LN2_LOW (7*32)(R9)
#define LN2_HIGH (8*32)(R9)
#define SMALLEST (19*32)(R9)
#define LARGEST (20*32)(R9)
#define LN10_HIGH (21*32)(R9)
#define LN10_LOW (22*32)(R9)
#define INVERSE_LN2 (23*32)(R9)
#define MAX_EXPONENT (36*32)(R9)
#define POSITIVE (37*32)(R9)
#define EXPONENT_BIAS (38*32)(R9)
#define MAX_MULTIPLIED (39*32)(R9)
#define LOG_TERM(n) ((9+n)*32)(R9)
#define EXP_TERM(n) ((24+n)*32)(R9)

#define BEGIN \
	MOVQ to+0(FP), DI         \
	MOVQ a+8(FP), SI          \
	MOVQ b+16(FP), DX         \
	MOVQ constants+24(FP), R9 \
	MOVQ steps+32(FP), CX     \
	XORQ BX, BX

#define NEXT \
	ADDQ $32, DI \
	ADDQ $32, SI \
	ADDQ $32, DX \
	INCQ BX      \
	CMPQ BX, CX

#define END \
	MOVQ BX, done+40(FP) \
	VZEROUPPER           \
	RET

// ALL compares a mask with the mask that is set for all elements. It sets the zero flag if equal.
#define ALL(mask) \
	VMOVMSKPD mask, AX \
	CMPL      AX, $15

// NORMAL sets mask for elements that are positive, finite and not subnormal.
#define NORMAL(x, mask, scratch) \
	VCMPPD $0x1d, SMALLEST, x, mask    \
	VCMPPD $0x12, LARGEST, x, scratch  \
	VANDPD scratch, mask, mask

// SMALL sets mask for elements whose exponential is normal.
#define SMALL(x, mask) \
	VANDPD POSITIVE, x, mask               \
	VCMPPD $0x12, MAX_EXPONENT, mask, mask

// TERMS adds the next two terms of a series: even ones to Y7 and odd ones to Y8, in powers of Y6.
#define TERMS(even, odd) \
	VMULPD Y6, Y7, Y7   \
	VADDPD even, Y7, Y7 \
	VMULPD Y6, Y8, Y8   \
	VADDPD odd, Y8, Y8

// LOGARITHM replaces Y0 by its logarithm, with the low part in Y1. It is the twin of logarithmParts
// and uses Y2 to Y8.
#define LOGARITHM \
	VPADDQ  SPLIT_BIAS, Y0, Y1   \
	VPSRLQ  $52, Y1, Y1          \
	VPSLLQ  $52, Y1, Y2          \
	VPSUBQ  Y2, Y0, Y2           \
	VPADDQ  BIAS, Y2, Y2         \
	VORPD   TWO_52, Y1, Y1       \
	VSUBPD  TWO_52_BIAS, Y1, Y1  \
	VSUBPD  ONE, Y2, Y2          \
	VADDPD  TWO, Y2, Y3          \
	VDIVPD  Y3, Y2, Y3           \
	VMULPD  Y3, Y3, Y4           \
	VMULPD  HALF, Y2, Y5         \
	VMULPD  Y2, Y5, Y5           \
	VMULPD  Y4, Y4, Y6           \
	VMOVUPD LOG_TERM(8), Y7      \
	VMOVUPD LOG_TERM(9), Y8      \
	TERMS(LOG_TERM(6), LOG_TERM(7)) \
	TERMS(LOG_TERM(4), LOG_TERM(5)) \
	TERMS(LOG_TERM(2), LOG_TERM(3)) \
	TERMS(LOG_TERM(0), LOG_TERM(1)) \
	VMULPD  Y4, Y8, Y8           \
	VADDPD  Y8, Y7, Y7           \
	VMULPD  Y4, Y7, Y7           \
	VADDPD  Y5, Y7, Y7           \
	VMULPD  Y3, Y7, Y7           \
	VMULPD  LN2_LOW, Y1, Y8      \
	VADDPD  Y8, Y7, Y7           \
	VSUBPD  Y5, Y7, Y7           \
	VMULPD  LN2_HIGH, Y1, Y1     \
	VADDPD  Y2, Y1, Y3           \
	VSUBPD  Y1, Y3, Y4           \
	VSUBPD  Y4, Y2, Y4           \
	VADDPD  Y7, Y4, Y4           \
	VADDPD  Y4, Y3, Y0           \
	VSUBPD  Y3, Y0, Y1           \
	VSUBPD  Y1, Y4, Y1

// EXPONENTIAL replaces Y0 by its exponential. It is the twin of exponential and uses Y1 to Y8.
#define EXPONENTIAL \
	VMULPD     INVERSE_LN2, Y0, Y1   \
	VROUNDPD   $8, Y1, Y1            \
	VMULPD     LN2_HIGH, Y1, Y2      \
	VSUBPD     Y2, Y0, Y2            \
	VMULPD     LN2_LOW, Y1, Y3       \
	VSUBPD     Y3, Y2, Y4            \
	VSUBPD     Y4, Y2, Y5            \
	VSUBPD     Y3, Y5, Y5            \
	VMULPD     Y4, Y4, Y6            \
	VMOVUPD    EXP_TERM(10), Y7      \
	VMOVUPD    EXP_TERM(11), Y8      \
	TERMS(EXP_TERM(8), EXP_TERM(9))  \
	TERMS(EXP_TERM(6), EXP_TERM(7))  \
	TERMS(EXP_TERM(4), EXP_TERM(5))  \
	TERMS(EXP_TERM(2), EXP_TERM(3))  \
	TERMS(EXP_TERM(0), EXP_TERM(1))  \
	VMULPD     Y4, Y8, Y8            \
	VADDPD     Y8, Y7, Y7            \
	VMULPD     Y6, Y7, Y7            \
	VADDPD     Y7, Y5, Y5            \
	VADDPD     Y5, Y4, Y4            \
	VADDPD     ONE, Y4, Y4           \
	VCVTPD2DQY Y1, X1                \
	VPMOVSXDQ  X1, Y1                \
	VPADDQ     EXPONENT_BIAS, Y1, Y1 \
	VPSLLQ     $52, Y1, Y1           \
	VMULPD     Y1, Y4, Y0

// exponentials computes to = e^a. Twin: exponential.
//
//	Y0        a, then the result
//	Y1 to Y8  scratch
//
// func exponentials(to, a, b *float64, constants *functionConstants, steps int) (done int)
TEXT ·exponentials(SB), NOSPLIT, $0-48
	BEGIN

loop:
	VMOVUPD (SI), Y0
	SMALL(Y0, Y1)
	ALL(Y1)
	JNE     end
	EXPONENTIAL
	VMOVUPD Y0, (DI)
	NEXT
	JNE     loop

end:
	END

// logarithms computes to = ln a. Twin: logarithm.
//
//	Y0        a, then the result
//	Y1 to Y8  scratch
//
// func logarithms(to, a, b *float64, constants *functionConstants, steps int) (done int)
TEXT ·logarithms(SB), NOSPLIT, $0-48
	BEGIN

loop:
	VMOVUPD (SI), Y0
	NORMAL(Y0, Y1, Y2)
	ALL(Y1)
	JNE     end
	LOGARITHM
	VMOVUPD Y0, (DI)
	NEXT
	JNE     loop

end:
	END

// logarithms10 computes to = log10 a. Twin: logarithm10.
//
//	Y0        a, then the high part of ln a, then the result
//	Y1        the low part of ln a
//	Y2        the rounded product of the high parts
//	Y3        the high part of 1/ln 10
//	Y4        the rounding error of that product
//	Y5 to Y8  scratch
//
// func logarithms10(to, a, b *float64, constants *functionConstants, steps int) (done int)
TEXT ·logarithms10(SB), NOSPLIT, $0-48
	BEGIN

loop:
	VMOVUPD     (SI), Y0
	NORMAL(Y0, Y1, Y2)
	ALL(Y1)
	JNE         end
	LOGARITHM
	VMOVUPD     LN10_HIGH, Y3
	VMULPD      Y3, Y0, Y2    // rounded product
	VMOVAPD     Y0, Y4
	VFMSUB213PD Y2, Y3, Y4    // its rounding error
	VMULPD      LN10_LOW, Y0, Y0
	VMULPD      Y3, Y1, Y1
	VADDPD      Y1, Y0, Y0
	VADDPD      Y0, Y4, Y4
	VADDPD      Y4, Y2, Y0
	VMOVUPD     Y0, (DI)
	NEXT
	JNE         loop

end:
	END

// powers computes to = a^b. Twin: power.
//
//	Y0         a, then the high part of ln a, then the result
//	Y1         masks, then the low part of ln a, then scratch
//	Y2 to Y8   scratch
//	Y9         b
//	Y10        the rounded product of b and ln a
//	Y11        the rounding error of that product
//
// func powers(to, a, b *float64, constants *functionConstants, steps int) (done int)
TEXT ·powers(SB), NOSPLIT, $0-48
	BEGIN

loop:
	VMOVUPD     (SI), Y0
	VMOVUPD     (DX), Y9
	NORMAL(Y0, Y1, Y2)
	VADDPD      Y9, Y9, Y2
	VROUNDPD    $11, Y2, Y3
	VCMPPD      $4, Y3, Y2, Y2               // the exponent is not a multiple of 1/2,
	VANDPD      POSITIVE, Y9, Y3
	VCMPPD      $0x1e, MAX_MULTIPLIED, Y3, Y3 // or it is large
	VORPD       Y3, Y2, Y2
	VANDPD      Y2, Y1, Y1
	ALL(Y1)
	JNE         end
	LOGARITHM
	VMULPD      Y9, Y0, Y10  // rounded product
	VFMSUB213PD Y10, Y9, Y0  // its rounding error
	VMULPD      Y9, Y1, Y1
	VADDPD      Y1, Y0, Y11
	SMALL(Y10, Y1)
	ALL(Y1)
	JNE         end
	VMOVAPD     Y10, Y0
	EXPONENTIAL
	VMULPD      Y11, Y0, Y1
	VADDPD      Y1, Y0, Y0
	VMOVUPD     Y0, (DI)
	NEXT
	JNE         loop

end:
	END
