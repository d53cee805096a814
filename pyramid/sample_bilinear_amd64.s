//go:build !purego

#include "textflag.h"

// AVX2, without fused operations, and the very arithmetic of the Go code:
// machines must not differ in the pixels they make.

// ROUNDED makes float64 into int32, the halves upwards.
#define ROUNDED(y, x) VADDPD Y14, y, y; VROUNDPD $1, y, y; VCVTTPD2DQY y, x

// func interpolateFoursUint16(target, top, bottom *uint16, at *int32, fx, fy *uint8, n int)
#define PAIRS(plane, a, b, x, y) VMOVD (plane)(a*2), x; VPINSRD $1, (plane)(b*2), x, x; VPMOVZXWD x, x; VCVTDQ2PD x, y
#define STORE(y, x) ROUNDED(y, x); VPACKUSDW x, x, x; VMOVQ x, (DI)(AX*2)
TEXT ·interpolateFoursUint16(SB), NOSPLIT, $0-56
#include "sample_bilinear_amd64.h"

#undef PAIRS
#undef STORE

// func interpolateFoursInt16(target, top, bottom *int16, at *int32, fx, fy *uint8, n int)
#define PAIRS(plane, a, b, x, y) VMOVD (plane)(a*2), x; VPINSRD $1, (plane)(b*2), x, x; VPMOVSXWD x, x; VCVTDQ2PD x, y
#define STORE(y, x) ROUNDED(y, x); VPACKSSDW x, x, x; VMOVQ x, (DI)(AX*2)
TEXT ·interpolateFoursInt16(SB), NOSPLIT, $0-56
#include "sample_bilinear_amd64.h"

#undef PAIRS
#undef STORE

// func interpolateFoursFloat32(target, top, bottom *float32, at *int32, fx, fy *uint8, n int)
#define PAIRS(plane, a, b, x, y) VMOVSD (plane)(a*4), x; VMOVHPD (plane)(b*4), x, x; VCVTPS2PD x, y
#define STORE(y, x) VCVTPD2PSY y, x; VMOVUPS x, (DI)(AX*4)
TEXT ·interpolateFoursFloat32(SB), NOSPLIT, $0-56
#include "sample_bilinear_amd64.h"
