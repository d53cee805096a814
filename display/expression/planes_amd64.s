//go:build !purego

#include "textflag.h"

// The routines process 8 elements per step. Registers in all of them:
//
//	DI  to, the address of the results
//	SI  from, the address of the samples or values (not in scaleFloat64s)
//	DX  validity (only in storeValidFloat32s)
//	CX  number of remaining steps
//	AX  scratch
//	Y0, Y1  the elements of the step
#define BEGIN_LOAD \
	MOVQ to+0(FP), DI    \
	MOVQ from+8(FP), SI  \
	MOVQ steps+16(FP), CX

// LOAD_WHOLE loads integers, which the instruction widens to 32 bits, and converts them to float64.
#define LOAD_WHOLE(instruction, bytes) \
	instruction  (SI), Y0      \
	VEXTRACTI128 $1, Y0, X1    \
	VCVTDQ2PD    X0, Y0        \
	VCVTDQ2PD    X1, Y1        \
	STORE_LOADED(Y0, Y1, bytes)

#define STORE_LOADED(first, second, bytes) \
	VMOVUPD first, (DI)     \
	VMOVUPD second, 32(DI)  \
	ADDQ    bytes, SI       \
	ADDQ    $64, DI         \
	DECQ    CX

// loadUint8s converts samples to float64. Twin: Samples.Load.
// func loadUint8s(to *float64, from *uint8, steps int)
TEXT ·loadUint8s(SB), NOSPLIT, $0-24
	BEGIN_LOAD

loop:
	LOAD_WHOLE(VPMOVZXBD, $8)
	JNZ loop
	VZEROUPPER
	RET

// loadInt8s converts samples to float64. Twin: Samples.Load.
// func loadInt8s(to *float64, from *int8, steps int)
TEXT ·loadInt8s(SB), NOSPLIT, $0-24
	BEGIN_LOAD

loop:
	LOAD_WHOLE(VPMOVSXBD, $8)
	JNZ loop
	VZEROUPPER
	RET

// loadUint16s converts samples to float64. Twin: Samples.Load.
// func loadUint16s(to *float64, from *uint16, steps int)
TEXT ·loadUint16s(SB), NOSPLIT, $0-24
	BEGIN_LOAD

loop:
	LOAD_WHOLE(VPMOVZXWD, $16)
	JNZ loop
	VZEROUPPER
	RET

// loadInt16s converts samples to float64. Twin: Samples.Load.
// func loadInt16s(to *float64, from *int16, steps int)
TEXT ·loadInt16s(SB), NOSPLIT, $0-24
	BEGIN_LOAD

loop:
	LOAD_WHOLE(VPMOVSXWD, $16)
	JNZ loop
	VZEROUPPER
	RET

// loadInt32s converts samples to float64. Twin: Samples.Load.
// func loadInt32s(to *float64, from *int32, steps int)
TEXT ·loadInt32s(SB), NOSPLIT, $0-24
	BEGIN_LOAD

loop:
	LOAD_WHOLE(VMOVDQU, $32)
	JNZ loop
	VZEROUPPER
	RET

// loadUint32s converts samples to float64. Twin: Samples.Load. A sample in the low bits of the
// float64 2^52 has the value 2^52 plus the sample. Y15 holds 2^52.

// func loadUint32s(to *float64, from *uint32, steps int)
TEXT ·loadUint32s(SB), NOSPLIT, $0-24
	BEGIN_LOAD
	MOVQ         $0x4330000000000000, AX
	VMOVQ        AX, X15
	VPBROADCASTQ X15, Y15

loop:
	VPMOVZXDQ (SI), Y0
	VPMOVZXDQ 16(SI), Y1
	VORPD     Y15, Y0, Y0
	VORPD     Y15, Y1, Y1
	VSUBPD    Y15, Y0, Y0
	VSUBPD    Y15, Y1, Y1
	STORE_LOADED(Y0, Y1, $32)
	JNZ       loop
	VZEROUPPER
	RET

// loadFloat32s converts samples to float64. Twin: Samples.Load.
// func loadFloat32s(to *float64, from *float32, steps int)
TEXT ·loadFloat32s(SB), NOSPLIT, $0-24
	BEGIN_LOAD

loop:
	VCVTPS2PD (SI), Y0
	VCVTPS2PD 16(SI), Y1
	STORE_LOADED(Y0, Y1, $32)
	JNZ       loop
	VZEROUPPER
	RET

// scaleFloat64s computes to = to*scale + offset, each step rounded. Twin: Scaled.Load. Y14 holds
// the scale and Y15 the offset. func scaleFloat64s(to *float64, scale, offset float64, steps int)
TEXT ·scaleFloat64s(SB), NOSPLIT, $0-32
	MOVQ         to+0(FP), DI
	VBROADCASTSD scale+8(FP), Y14
	VBROADCASTSD offset+16(FP), Y15
	MOVQ         steps+24(FP), CX

loop:
	VMULPD  (DI), Y14, Y0
	VMULPD  32(DI), Y14, Y1
	VADDPD  Y15, Y0, Y0
	VADDPD  Y15, Y1, Y1
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	ADDQ    $64, DI
	DECQ    CX
	JNZ     loop
	VZEROUPPER
	RET

// BROADCAST fills a register with a 32-bit number.
#define BROADCAST(bits, low, register) \
	MOVL         bits, AX \
	VMOVD        AX, low  \
	VPBROADCASTD low, register

#define NAN $0x7fc00000
#define INFINITE $0x7f800000
#define POSITIVE $0x7fffffff

// NARROW converts 8 values to float32 in Y0 and stores them. NaNs become the NaN in Y15. It uses
// Y1.
#define NARROW \
	VCVTPD2PSY  (SI), X0          \
	VCVTPD2PSY  32(SI), X1        \
	VINSERTF128 $1, X1, Y0, Y0    \
	VCMPPS      $3, Y0, Y0, Y1    \
	VBLENDVPS   Y1, Y15, Y0, Y0   \
	VMOVUPS     Y0, (DI)

// storeFloat32s stores values as float32. Twin: storeEach. Y15 holds the canonical NaN.
// func storeFloat32s(to *float32, from *float64, steps int)
TEXT ·storeFloat32s(SB), NOSPLIT, $0-24
	BEGIN_LOAD
	BROADCAST(NAN, X15, Y15)

loop:
	NARROW
	ADDQ $64, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

// storeValidFloat32s stores values as float32 and clears the validity of those that are not finite.
// Twin: storeValidEach.
//
//	X0   the mask of finite values, narrowed to bytes
//	X1   scratch, then the validity
//	Y13  all bits except the sign
//	Y14  infinity
//	Y15  the canonical NaN
//
// func storeValidFloat32s(to *float32, from *float64, validity *uint8, steps int)
TEXT ·storeValidFloat32s(SB), NOSPLIT, $0-32
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ validity+16(FP), DX
	MOVQ steps+24(FP), CX
	BROADCAST(NAN, X15, Y15)
	BROADCAST(INFINITE, X14, Y14)
	BROADCAST(POSITIVE, X13, Y13)

loop:
	NARROW
	VANDPS       Y13, Y0, Y0
	VCMPPS       $0x11, Y14, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VPACKSSDW    X1, X0, X0
	VPACKSSWB    X0, X0, X0
	VMOVQ        (DX), X1
	VPAND        X1, X0, X0
	VMOVQ        X0, (DX)
	ADDQ         $64, SI
	ADDQ         $32, DI
	ADDQ         $8, DX
	DECQ         CX
	JNZ          loop
	VZEROUPPER
	RET
