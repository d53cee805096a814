//go:build !purego

#include "textflag.h"

#define BEGIN_LOAD \
	MOVQ to+0(FP), DI    \
	MOVQ from+8(FP), SI  \
	MOVQ steps+16(FP), CX

// LOAD_WHOLE makes numbers of whole samples, which the instruction widens to 32 bits.
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

// func loadUint8s(to *float64, from *uint8, steps int)
TEXT ·loadUint8s(SB), NOSPLIT, $0-24
	BEGIN_LOAD

turn:
	LOAD_WHOLE(VPMOVZXBD, $8)
	JNZ turn
	VZEROUPPER
	RET

// func loadInt8s(to *float64, from *int8, steps int)
TEXT ·loadInt8s(SB), NOSPLIT, $0-24
	BEGIN_LOAD

turn:
	LOAD_WHOLE(VPMOVSXBD, $8)
	JNZ turn
	VZEROUPPER
	RET

// func loadUint16s(to *float64, from *uint16, steps int)
TEXT ·loadUint16s(SB), NOSPLIT, $0-24
	BEGIN_LOAD

turn:
	LOAD_WHOLE(VPMOVZXWD, $16)
	JNZ turn
	VZEROUPPER
	RET

// func loadInt16s(to *float64, from *int16, steps int)
TEXT ·loadInt16s(SB), NOSPLIT, $0-24
	BEGIN_LOAD

turn:
	LOAD_WHOLE(VPMOVSXWD, $16)
	JNZ turn
	VZEROUPPER
	RET

// func loadInt32s(to *float64, from *int32, steps int)
TEXT ·loadInt32s(SB), NOSPLIT, $0-24
	BEGIN_LOAD

turn:
	LOAD_WHOLE(VMOVDQU, $32)
	JNZ turn
	VZEROUPPER
	RET

// Beneath the pattern of 2^52 a sample is that much more than it is.

// func loadUint32s(to *float64, from *uint32, steps int)
TEXT ·loadUint32s(SB), NOSPLIT, $0-24
	BEGIN_LOAD
	MOVQ         $0x4330000000000000, AX
	VMOVQ        AX, X15
	VPBROADCASTQ X15, Y15

turn:
	VPMOVZXDQ (SI), Y0
	VPMOVZXDQ 16(SI), Y1
	VORPD     Y15, Y0, Y0
	VORPD     Y15, Y1, Y1
	VSUBPD    Y15, Y0, Y0
	VSUBPD    Y15, Y1, Y1
	STORE_LOADED(Y0, Y1, $32)
	JNZ       turn
	VZEROUPPER
	RET

// func loadFloat32s(to *float64, from *float32, steps int)
TEXT ·loadFloat32s(SB), NOSPLIT, $0-24
	BEGIN_LOAD

turn:
	VCVTPS2PD (SI), Y0
	VCVTPS2PD 16(SI), Y1
	STORE_LOADED(Y0, Y1, $32)
	JNZ       turn
	VZEROUPPER
	RET

// func scaleFloat64s(to *float64, scale, offset float64, steps int)
TEXT ·scaleFloat64s(SB), NOSPLIT, $0-32
	MOVQ         to+0(FP), DI
	VBROADCASTSD scale+8(FP), Y14
	VBROADCASTSD offset+16(FP), Y15
	MOVQ         steps+24(FP), CX

turn:
	VMULPD  (DI), Y14, Y0
	VMULPD  32(DI), Y14, Y1
	VADDPD  Y15, Y0, Y0
	VADDPD  Y15, Y1, Y1
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	ADDQ    $64, DI
	DECQ    CX
	JNZ     turn
	VZEROUPPER
	RET

// BROADCAST fills a register with a number of 32 bits.
#define BROADCAST(bits, low, register) \
	MOVL         bits, AX \
	VMOVD        AX, low  \
	VPBROADCASTD low, register

#define NAN $0x7fc00000
#define INFINITE $0x7f800000
#define POSITIVE $0x7fffffff

// NARROW makes 8 numbers of 32 bits in Y0, with the one pattern for what is no number from Y15.
#define NARROW \
	VCVTPD2PSY  (SI), X0          \
	VCVTPD2PSY  32(SI), X1        \
	VINSERTF128 $1, X1, Y0, Y0    \
	VCMPPS      $3, Y0, Y0, Y1    \
	VBLENDVPS   Y1, Y15, Y0, Y0   \
	VMOVUPS     Y0, (DI)

// func storeFloat32s(to *float32, from *float64, steps int)
TEXT ·storeFloat32s(SB), NOSPLIT, $0-24
	BEGIN_LOAD
	BROADCAST(NAN, X15, Y15)

turn:
	NARROW
	ADDQ $64, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  turn
	VZEROUPPER
	RET

// func storeValidFloat32s(to *float32, from *float64, validity *uint8, steps int)
TEXT ·storeValidFloat32s(SB), NOSPLIT, $0-32
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ validity+16(FP), DX
	MOVQ steps+24(FP), CX
	BROADCAST(NAN, X15, Y15)
	BROADCAST(INFINITE, X14, Y14)
	BROADCAST(POSITIVE, X13, Y13)

turn:
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
	JNZ          turn
	VZEROUPPER
	RET
