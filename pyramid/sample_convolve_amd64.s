//go:build !purego

#include "textflag.h"

// AVX2, without fused operations, and the very order of additions of the Go
// code: machines must not differ in the pixels they make.

// func convolveUint8(sums *float64, source *uint8, at *int32, fx, fy *uint8, n, corner, stride int, x *float64, tapsX int, y *float64, tapsY int)
#define SHIFT 0
#define LOAD(from, x, y) VPMOVZXBD from, x; VCVTDQ2PD x, y
TEXT ·convolveUint8(SB), NOSPLIT, $0-96
#include "sample_convolve_amd64.h"

#undef SHIFT
#undef LOAD

// func convolveUint16(sums *float64, source *uint16, at *int32, fx, fy *uint8, n, corner, stride int, x *float64, tapsX int, y *float64, tapsY int)
#define SHIFT 1
#define LOAD(from, x, y) VPMOVZXWD from, x; VCVTDQ2PD x, y
TEXT ·convolveUint16(SB), NOSPLIT, $0-96
#include "sample_convolve_amd64.h"

#undef LOAD

// func convolveInt16(sums *float64, source *int16, at *int32, fx, fy *uint8, n, corner, stride int, x *float64, tapsX int, y *float64, tapsY int)
#define LOAD(from, x, y) VPMOVSXWD from, x; VCVTDQ2PD x, y
TEXT ·convolveInt16(SB), NOSPLIT, $0-96
#include "sample_convolve_amd64.h"

#undef SHIFT
#undef LOAD

// func convolveFloat32(sums *float64, source *float32, at *int32, fx, fy *uint8, n, corner, stride int, x *float64, tapsX int, y *float64, tapsY int)
#define SHIFT 2
#define LOAD(from, x, y) VCVTPS2PD from, y
TEXT ·convolveFloat32(SB), NOSPLIT, $0-96
#include "sample_convolve_amd64.h"
