//go:build !purego

#include "textflag.h"

// These routines use SSSE3. To compute prefix sums within a vector, they add the vector to itself,
// shifted by one pixel, by two, by four and so on. They then add the last pixel of the previous
// vector, repeated over the vector. The shuffle that repeats it is the same for all vectors, even
// if they start within a pixel.
//
// The routine accumulateBxS processes samples of B bytes and pixels of S samples. Their Go twin is
// accumulateInGo. Registers of all routines:
//
//	DI   to
//	SI   differences
//	CX   remaining vectors
//	X0   differences, then sums
//	X1   shifted copy
//	X2   last pixel of the previous vector, repeated
//	X3   shuffle that repeats the last pixel

// LAST_PIXEL defines a shuffle that repeats the last bytes of a vector.
#define LAST_PIXEL(name, low, high) \
	DATA name<>+0(SB)/8, $low  \
	DATA name<>+8(SB)/8, $high \
	GLOBL name<>(SB), RODATA|NOPTR, $16

LAST_PIXEL(last1, 0x0F0F0F0F0F0F0F0F, 0x0F0F0F0F0F0F0F0F)
LAST_PIXEL(last2, 0x0F0E0F0E0F0E0F0E, 0x0F0E0F0E0F0E0F0E)
LAST_PIXEL(last3, 0x0E0D0F0E0D0F0E0D, 0x0D0F0E0D0F0E0D0F)
LAST_PIXEL(last4, 0x0F0E0D0C0F0E0D0C, 0x0F0E0D0C0F0E0D0C)
LAST_PIXEL(last6, 0x0B0A0F0E0D0C0B0A, 0x0D0C0B0A0F0E0D0C)
LAST_PIXEL(last8, 0x0F0E0D0C0B0A0908, 0x0F0E0D0C0B0A0908)
LAST_PIXEL(last12, 0x0B0A090807060504, 0x070605040F0E0D0C)
LAST_PIXEL(last16, 0x0706050403020100, 0x0F0E0D0C0B0A0908)

#define BEGIN(lastPixel) \
	MOVQ  to+0(FP), DI           \
	MOVQ  differences+8(FP), SI  \
	MOVQ  vectors+16(FP), CX     \
	MOVOU lastPixel<>(SB), X3    \
	PXOR  X2, X2                 \
step:                            \
	MOVOU (SI), X0

#define SHIFT_ADD(bytes, ADD) \
	MOVO  X0, X1     \
	PSLLO $bytes, X1 \
	ADD   X1, X0

#define END(ADD) \
	ADD    X2, X0   \
	MOVO   X0, X2   \
	PSHUFB X3, X2   \
	MOVOU  X0, (DI) \
	ADDQ   $16, SI  \
	ADDQ   $16, DI  \
	DECQ   CX       \
	JNZ    step     \
	RET

// func accumulate1x1(to, differences unsafe.Pointer, vectors int)
TEXT ·accumulate1x1(SB), NOSPLIT, $0-24
	BEGIN(last1)
	SHIFT_ADD(1, PADDB)
	SHIFT_ADD(2, PADDB)
	SHIFT_ADD(4, PADDB)
	SHIFT_ADD(8, PADDB)
	END(PADDB)

// func accumulate1x2(to, differences unsafe.Pointer, vectors int)
TEXT ·accumulate1x2(SB), NOSPLIT, $0-24
	BEGIN(last2)
	SHIFT_ADD(2, PADDB)
	SHIFT_ADD(4, PADDB)
	SHIFT_ADD(8, PADDB)
	END(PADDB)

// func accumulate1x3(to, differences unsafe.Pointer, vectors int)
TEXT ·accumulate1x3(SB), NOSPLIT, $0-24
	BEGIN(last3)
	SHIFT_ADD(3, PADDB)
	SHIFT_ADD(6, PADDB)
	SHIFT_ADD(12, PADDB)
	END(PADDB)

// func accumulate1x4(to, differences unsafe.Pointer, vectors int)
TEXT ·accumulate1x4(SB), NOSPLIT, $0-24
	BEGIN(last4)
	SHIFT_ADD(4, PADDB)
	SHIFT_ADD(8, PADDB)
	END(PADDB)

// func accumulate2x1(to, differences unsafe.Pointer, vectors int)
TEXT ·accumulate2x1(SB), NOSPLIT, $0-24
	BEGIN(last2)
	SHIFT_ADD(2, PADDW)
	SHIFT_ADD(4, PADDW)
	SHIFT_ADD(8, PADDW)
	END(PADDW)

// func accumulate2x2(to, differences unsafe.Pointer, vectors int)
TEXT ·accumulate2x2(SB), NOSPLIT, $0-24
	BEGIN(last4)
	SHIFT_ADD(4, PADDW)
	SHIFT_ADD(8, PADDW)
	END(PADDW)

// func accumulate2x3(to, differences unsafe.Pointer, vectors int)
TEXT ·accumulate2x3(SB), NOSPLIT, $0-24
	BEGIN(last6)
	SHIFT_ADD(6, PADDW)
	SHIFT_ADD(12, PADDW)
	END(PADDW)

// func accumulate2x4(to, differences unsafe.Pointer, vectors int)
TEXT ·accumulate2x4(SB), NOSPLIT, $0-24
	BEGIN(last8)
	SHIFT_ADD(8, PADDW)
	END(PADDW)

// func accumulate4x1(to, differences unsafe.Pointer, vectors int)
TEXT ·accumulate4x1(SB), NOSPLIT, $0-24
	BEGIN(last4)
	SHIFT_ADD(4, PADDL)
	SHIFT_ADD(8, PADDL)
	END(PADDL)

// func accumulate4x2(to, differences unsafe.Pointer, vectors int)
TEXT ·accumulate4x2(SB), NOSPLIT, $0-24
	BEGIN(last8)
	SHIFT_ADD(8, PADDL)
	END(PADDL)

// func accumulate4x3(to, differences unsafe.Pointer, vectors int)
TEXT ·accumulate4x3(SB), NOSPLIT, $0-24
	BEGIN(last12)
	SHIFT_ADD(12, PADDL)
	END(PADDL)

// func accumulate4x4(to, differences unsafe.Pointer, vectors int)
TEXT ·accumulate4x4(SB), NOSPLIT, $0-24
	BEGIN(last16)
	END(PADDL)

// func accumulate8x1(to, differences unsafe.Pointer, vectors int)
TEXT ·accumulate8x1(SB), NOSPLIT, $0-24
	BEGIN(last8)
	SHIFT_ADD(8, PADDQ)
	END(PADDQ)

// func accumulate8x2(to, differences unsafe.Pointer, vectors int)
TEXT ·accumulate8x2(SB), NOSPLIT, $0-24
	BEGIN(last16)
	END(PADDQ)
