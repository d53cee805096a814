//go:build !purego

#include "textflag.h"

// AVX2 routines for convolution. Their Go twin is convolveAt, called for each pixel by convolveRow.
// They add in the same order, without fused multiply-add, because pixels must not differ between
// machines.
//
// Each routine computes the weighted sums of n pixels:
//
//	sums[i] = Σ x[fx[i]*tapsX+c] * y[fy[i]*tapsY+r] * source[at[i]-corner+r*stride+c]
//
// The common body is in convolve_amd64.h. Each routine defines two macros for it:
//
//	SHIFT             log2 of the size of a sample in bytes
//	LOAD(from, x, y)  loads four samples as float64 into y (x is its lower half)

// func convolveUint8(sums *float64, source *uint8, at *int32, fx, fy *uint8, n, corner, stride int, x *float64, tapsX int, y *float64, tapsY int)
#define SHIFT 0
#define LOAD(from, x, y) VPMOVZXBD from, x; VCVTDQ2PD x, y
TEXT ·convolveUint8(SB), NOSPLIT, $0-96
#include "convolve_amd64.h"

#undef SHIFT
#undef LOAD

// func convolveUint16(sums *float64, source *uint16, at *int32, fx, fy *uint8, n, corner, stride int, x *float64, tapsX int, y *float64, tapsY int)
#define SHIFT 1
#define LOAD(from, x, y) VPMOVZXWD from, x; VCVTDQ2PD x, y
TEXT ·convolveUint16(SB), NOSPLIT, $0-96
#include "convolve_amd64.h"

#undef LOAD

// func convolveInt16(sums *float64, source *int16, at *int32, fx, fy *uint8, n, corner, stride int, x *float64, tapsX int, y *float64, tapsY int)
#define LOAD(from, x, y) VPMOVSXWD from, x; VCVTDQ2PD x, y
TEXT ·convolveInt16(SB), NOSPLIT, $0-96
#include "convolve_amd64.h"

#undef SHIFT
#undef LOAD

// func convolveFloat32(sums *float64, source *float32, at *int32, fx, fy *uint8, n, corner, stride int, x *float64, tapsX int, y *float64, tapsY int)
#define SHIFT 2
#define LOAD(from, x, y) VCVTPS2PD from, y
TEXT ·convolveFloat32(SB), NOSPLIT, $0-96
#include "convolve_amd64.h"
