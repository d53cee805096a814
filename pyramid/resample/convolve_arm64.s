//go:build !purego

#include "textflag.h"
#include "../../internal/neon/neon.h"

// NEON routines for convolution. Their Go twin is convolveAt, called for each pixel by convolveRow.
// They add in the same order, without fused multiply-add, because pixels must not differ between
// machines.
//
// Each routine computes the weighted sums of n pixels, of which there is at least one:
//
//	sums[i] = Σ x[fx[i]*tapsX+c] * y[fy[i]*tapsY+r] * source[at[i]-corner+r*stride+c]
//
// The common body is in convolve_arm64.h. Each routine defines two macros for it:
//
//	SHIFT                       log2 of the size of a sample in bytes
//	LOAD(from, at, low, high)   loads four samples as float64, two into each of the registers with
//	                            the numbers low and high; at is the lower half of the first

// DOUBLES converts four float32 in low to float64 in low and high.
#define DOUBLES(low, high) VFCVTL2_S4(low, high); VFCVTL_S2(low, low)

// func convolveUint8(sums *float64, source *uint8, at *int32, fx, fy *uint8, n, corner, stride int, x *float64, tapsX int, y *float64, tapsY int)
#define SHIFT 0
#define LOAD(from, at, low, high) FMOVS from, at; VUSHLL_B8(0, low, low); VUSHLL_H4(0, low, low); VUCVTF_S4(low, low); DOUBLES(low, high)
TEXT ·convolveUint8(SB), NOSPLIT, $0-96
#include "convolve_arm64.h"

#undef SHIFT
#undef LOAD

// func convolveUint16(sums *float64, source *uint16, at *int32, fx, fy *uint8, n, corner, stride int, x *float64, tapsX int, y *float64, tapsY int)
#define SHIFT 1
#define LOAD(from, at, low, high) FMOVD from, at; VUSHLL_H4(0, low, low); VUCVTF_S4(low, low); DOUBLES(low, high)
TEXT ·convolveUint16(SB), NOSPLIT, $0-96
#include "convolve_arm64.h"

#undef LOAD

// func convolveInt16(sums *float64, source *int16, at *int32, fx, fy *uint8, n, corner, stride int, x *float64, tapsX int, y *float64, tapsY int)
#define LOAD(from, at, low, high) FMOVD from, at; VSSHLL_H4(0, low, low); VSCVTF_S4(low, low); DOUBLES(low, high)
TEXT ·convolveInt16(SB), NOSPLIT, $0-96
#include "convolve_arm64.h"

#undef SHIFT
#undef LOAD

// func convolveFloat32(sums *float64, source *float32, at *int32, fx, fy *uint8, n, corner, stride int, x *float64, tapsX int, y *float64, tapsY int)
#define SHIFT 2
#define LOAD(from, at, low, high) FMOVQ from, at; DOUBLES(low, high)
TEXT ·convolveFloat32(SB), NOSPLIT, $0-96
#include "convolve_arm64.h"
