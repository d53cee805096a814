//go:build !purego

#include "textflag.h"

// AVX2 routines for bilinear interpolation. Their Go twin is interpolateFrom. They use the same
// arithmetic, without fused multiply-add, because pixels must not differ between machines.
//
// Each routine interpolates n pixels, a multiple of four, from two rows of samples:
//
//	target[i] = bilinear(top[at[i]], top[at[i]+1], bottom[at[i]], bottom[at[i]+1], fx[i]/256, fy[i]/256)
//
// The common body is in bilinear_amd64.h. Each routine defines two macros for it:
//
//	PAIRS(plane, a, b, x, y)  loads the samples at a, a+1, b and b+1 of plane, as float64, into y (x is its lower half)
//	STORE(y, x)               converts the four float64 in y to samples and stores them at target[AX]

// ROUNDED converts the four float64 in y to int32 in x. It rounds half up; Y14 holds 1/2.
#define ROUNDED(y, x) VADDPD Y14, y, y; VROUNDPD $1, y, y; VCVTTPD2DQY y, x

// func interpolateFoursUint16(target, top, bottom *uint16, at *int32, fx, fy *uint8, n int)
#define PAIRS(plane, a, b, x, y) VMOVD (plane)(a*2), x; VPINSRD $1, (plane)(b*2), x, x; VPMOVZXWD x, x; VCVTDQ2PD x, y
#define STORE(y, x) ROUNDED(y, x); VPACKUSDW x, x, x; VMOVQ x, (DI)(AX*2)
TEXT ·interpolateFoursUint16(SB), NOSPLIT, $0-56
#include "bilinear_amd64.h"

#undef PAIRS
#undef STORE

// func interpolateFoursInt16(target, top, bottom *int16, at *int32, fx, fy *uint8, n int)
#define PAIRS(plane, a, b, x, y) VMOVD (plane)(a*2), x; VPINSRD $1, (plane)(b*2), x, x; VPMOVSXWD x, x; VCVTDQ2PD x, y
#define STORE(y, x) ROUNDED(y, x); VPACKSSDW x, x, x; VMOVQ x, (DI)(AX*2)
TEXT ·interpolateFoursInt16(SB), NOSPLIT, $0-56
#include "bilinear_amd64.h"

#undef PAIRS
#undef STORE

// func interpolateFoursFloat32(target, top, bottom *float32, at *int32, fx, fy *uint8, n int)
#define PAIRS(plane, a, b, x, y) VMOVSD (plane)(a*4), x; VMOVHPD (plane)(b*4), x, x; VCVTPS2PD x, y
#define STORE(y, x) VCVTPD2PSY y, x; VMOVUPS x, (DI)(AX*4)
TEXT ·interpolateFoursFloat32(SB), NOSPLIT, $0-56
#include "bilinear_amd64.h"
