//go:build !purego

#include "textflag.h"

// All routines need at least the numbers of one step. The last step may overlap the one before it.
// They use the same registers:
//
//	DI   to
//	SI   from
//	BX   index of the first number of the step
//	R13  index of the first number of the last step
//	Y0-Y7  scratch
//	Y15  the factor (scale), or the mask of the lower halves (PACK)

// BEGIN loads the parameters.
#define BEGIN(perStep) \
	MOVQ to+0(FP), DI      \
	MOVQ from+8(FP), SI    \
	MOVQ count+16(FP), R13 \
	SUBQ $perStep, R13     \
	XORQ BX, BX

// NEXT jumps to the next step, or to done after the last one.
#define NEXT(perStep) \
	CMPQ    BX, R13      \
	JEQ     done         \
	ADDQ    $perStep, BX \
	CMPQ    BX, R13      \
	CMOVQGT R13, BX      \
	JMP     step

// HALVE shifts to the right by one. The sign is added before, which rounds towards zero.
#define HALVE(x, sign) \
	VPSRLD $31, x, sign \
	VPADDD sign, x, x   \
	VPSRAD $1, x, x

// PACK packs the lower halves of two vectors. Y15 is the mask of these bits.
#define PACK(low, high) \
	VPAND     Y15, low, low    \
	VPAND     Y15, high, high  \
	VPACKUSDW high, low, low   \
	VPERMQ    $0xD8, low, low

// widenInAssembly converts int16 to int32. Its Go twin is rows.placeInGo, with a factor of 1.
//
// func widenInAssembly(to, from unsafe.Pointer, count int)
TEXT ·widenInAssembly(SB), NOSPLIT, $0-24
	BEGIN(8)

step:
	VPMOVSXWD (SI)(BX*2), Y0
	VMOVDQU   Y0, (DI)(BX*4)
	NEXT(8)

done:
	VZEROUPPER
	RET

// widen8To16InAssembly converts int8 to int16. Its Go twin is rows.placeInGo, with a factor of 1.
//
// func widen8To16InAssembly(to, from unsafe.Pointer, count int)
TEXT ·widen8To16InAssembly(SB), NOSPLIT, $0-24
	BEGIN(16)

step:
	VPMOVSXBW (SI)(BX*1), Y0
	VMOVDQU   Y0, (DI)(BX*2)
	NEXT(16)

done:
	VZEROUPPER
	RET

// widen8To32InAssembly converts int8 to int32. Its Go twin is rows.placeInGo, with a factor of 1.
//
// func widen8To32InAssembly(to, from unsafe.Pointer, count int)
TEXT ·widen8To32InAssembly(SB), NOSPLIT, $0-24
	BEGIN(8)

step:
	VPMOVSXBD (SI)(BX*1), Y0
	VMOVDQU   Y0, (DI)(BX*4)
	NEXT(8)

done:
	VZEROUPPER
	RET

// scale8InAssembly converts int8 to float32 and scales. Its Go twin is rows.placeInGo.
//
// func scale8InAssembly(to, from unsafe.Pointer, count int, one float32)
TEXT ·scale8InAssembly(SB), NOSPLIT, $0-28
	BEGIN(8)
	VBROADCASTSS one+24(FP), Y15

step:
	VPMOVSXBD (SI)(BX*1), Y0
	VCVTDQ2PS Y0, Y0
	VMULPS    Y15, Y0, Y0
	VMOVUPS   Y0, (DI)(BX*4)
	NEXT(8)

done:
	VZEROUPPER
	RET

// scale16InAssembly converts int16 to float32 and scales. Its Go twin is rows.placeInGo.
//
// func scale16InAssembly(to, from unsafe.Pointer, count int, one float32)
TEXT ·scale16InAssembly(SB), NOSPLIT, $0-28
	BEGIN(8)
	VBROADCASTSS one+24(FP), Y15

step:
	VPMOVSXWD (SI)(BX*2), Y0
	VCVTDQ2PS Y0, Y0
	VMULPS    Y15, Y0, Y0
	VMOVUPS   Y0, (DI)(BX*4)
	NEXT(8)

done:
	VZEROUPPER
	RET

// scale32InAssembly converts int32 to float32 and scales. Its Go twin is rows.placeInGo.
//
// func scale32InAssembly(to, from unsafe.Pointer, count int, one float32)
TEXT ·scale32InAssembly(SB), NOSPLIT, $0-28
	BEGIN(8)
	VBROADCASTSS one+24(FP), Y15

step:
	VCVTDQ2PS (SI)(BX*4), Y0
	VMULPS    Y15, Y0, Y0
	VMOVUPS   Y0, (DI)(BX*4)
	NEXT(8)

done:
	VZEROUPPER
	RET

// halve32InAssembly halves int32. Its Go twin is halveInGo.
//
// func halve32InAssembly(to, from unsafe.Pointer, count int)
TEXT ·halve32InAssembly(SB), NOSPLIT, $0-24
	BEGIN(8)

step:
	VMOVDQU (SI)(BX*4), Y0
	HALVE(Y0, Y1)
	VMOVDQU Y0, (DI)(BX*4)
	NEXT(8)

done:
	VZEROUPPER
	RET

// halve16InAssembly halves int32 into int16. Its Go twin is halveInGo.
//
// func halve16InAssembly(to, from unsafe.Pointer, count int)
TEXT ·halve16InAssembly(SB), NOSPLIT, $0-24
	BEGIN(16)
	VPCMPEQD Y15, Y15, Y15
	VPSRLD   $16, Y15, Y15

step:
	VMOVDQU (SI)(BX*4), Y0
	VMOVDQU 32(SI)(BX*4), Y1
	HALVE(Y0, Y2)
	HALVE(Y1, Y3)
	PACK(Y0, Y1)
	VMOVDQU Y0, (DI)(BX*2)
	NEXT(16)

done:
	VZEROUPPER
	RET

// halveShortsInAssembly halves int16. Its Go twin is halveInGo. The sign is added before the shift, which
// rounds towards zero.
//
// func halveShortsInAssembly(to, from unsafe.Pointer, count int)
TEXT ·halveShortsInAssembly(SB), NOSPLIT, $0-24
	BEGIN(16)

step:
	VMOVDQU (SI)(BX*2), Y0
	VPSRLW  $15, Y0, Y1
	VPADDW  Y1, Y0, Y0
	VPSRAW  $1, Y0, Y0
	VMOVDQU Y0, (DI)(BX*2)
	NEXT(16)

done:
	VZEROUPPER
	RET

// halveShorts8InAssembly halves int16 into int8. Its Go twin is halveInGo. Y15 is the mask of the lower bytes.
//
// func halveShorts8InAssembly(to, from unsafe.Pointer, count int)
TEXT ·halveShorts8InAssembly(SB), NOSPLIT, $0-24
	BEGIN(32)
	VPCMPEQW Y15, Y15, Y15
	VPSRLW   $8, Y15, Y15

step:
	VMOVDQU   (SI)(BX*2), Y0
	VMOVDQU   32(SI)(BX*2), Y1
	VPSRLW    $15, Y0, Y2
	VPSRLW    $15, Y1, Y3
	VPADDW    Y2, Y0, Y0
	VPADDW    Y3, Y1, Y1
	VPSRAW    $1, Y0, Y0
	VPSRAW    $1, Y1, Y1
	VPAND     Y15, Y0, Y0
	VPAND     Y15, Y1, Y1
	VPACKUSWB Y1, Y0, Y0
	VPERMQ    $0xD8, Y0, Y0
	VMOVDQU   Y0, (DI)(BX*1)
	NEXT(32)

done:
	VZEROUPPER
	RET

// narrowShortsInAssembly converts int16 to int8. Its Go twin is narrowInGo. Y15 is the mask of the lower bytes.
//
// func narrowShortsInAssembly(to, from unsafe.Pointer, count int)
TEXT ·narrowShortsInAssembly(SB), NOSPLIT, $0-24
	BEGIN(32)
	VPCMPEQW Y15, Y15, Y15
	VPSRLW   $8, Y15, Y15

step:
	VPAND     (SI)(BX*2), Y15, Y0
	VPAND     32(SI)(BX*2), Y15, Y1
	VPACKUSWB Y1, Y0, Y0
	VPERMQ    $0xD8, Y0, Y0
	VMOVDQU   Y0, (DI)(BX*1)
	NEXT(32)

done:
	VZEROUPPER
	RET

// inOrder restores the order of what was packed twice, in which halves of vectors take turns.
DATA inOrder<>+0(SB)/8, $0x0000000400000000
DATA inOrder<>+8(SB)/8, $0x0000000500000001
DATA inOrder<>+16(SB)/8, $0x0000000600000002
DATA inOrder<>+24(SB)/8, $0x0000000700000003
GLOBL inOrder<>(SB), RODATA|NOPTR, $32

// narrow8InAssembly converts int32 to int8. Its Go twin is narrowInGo. Y14 is inOrder, Y15 the mask of the
// lowest bytes.
//
// func narrow8InAssembly(to, from unsafe.Pointer, count int)
TEXT ·narrow8InAssembly(SB), NOSPLIT, $0-24
	BEGIN(32)
	VMOVDQU  inOrder<>(SB), Y14
	VPCMPEQD Y15, Y15, Y15
	VPSRLD   $24, Y15, Y15

step:
	VPAND     (SI)(BX*4), Y15, Y0
	VPAND     32(SI)(BX*4), Y15, Y1
	VPAND     64(SI)(BX*4), Y15, Y2
	VPAND     96(SI)(BX*4), Y15, Y3
	VPACKUSDW Y1, Y0, Y0
	VPACKUSDW Y3, Y2, Y2
	VPACKUSWB Y2, Y0, Y0
	VPERMD    Y0, Y14, Y0
	VMOVDQU   Y0, (DI)(BX*1)
	NEXT(32)

done:
	VZEROUPPER
	RET

// halve8InAssembly halves int32 into int8. Its Go twin is halveInGo. Y14 is inOrder, Y15 the mask of the lowest
// bytes.
//
// func halve8InAssembly(to, from unsafe.Pointer, count int)
TEXT ·halve8InAssembly(SB), NOSPLIT, $0-24
	BEGIN(32)
	VMOVDQU  inOrder<>(SB), Y14
	VPCMPEQD Y15, Y15, Y15
	VPSRLD   $24, Y15, Y15

step:
	VMOVDQU   (SI)(BX*4), Y0
	VMOVDQU   32(SI)(BX*4), Y1
	VMOVDQU   64(SI)(BX*4), Y2
	VMOVDQU   96(SI)(BX*4), Y3
	HALVE(Y0, Y4)
	HALVE(Y1, Y5)
	HALVE(Y2, Y6)
	HALVE(Y3, Y7)
	VPAND     Y15, Y0, Y0
	VPAND     Y15, Y1, Y1
	VPAND     Y15, Y2, Y2
	VPAND     Y15, Y3, Y3
	VPACKUSDW Y1, Y0, Y0
	VPACKUSDW Y3, Y2, Y2
	VPACKUSWB Y2, Y0, Y0
	VPERMD    Y0, Y14, Y0
	VMOVDQU   Y0, (DI)(BX*1)
	NEXT(32)

done:
	VZEROUPPER
	RET

// narrow16InAssembly converts int32 to int16. Its Go twin is narrowInGo.
//
// func narrow16InAssembly(to, from unsafe.Pointer, count int)
TEXT ·narrow16InAssembly(SB), NOSPLIT, $0-24
	BEGIN(16)
	VPCMPEQD Y15, Y15, Y15
	VPSRLD   $16, Y15, Y15

step:
	VMOVDQU (SI)(BX*4), Y0
	VMOVDQU 32(SI)(BX*4), Y1
	PACK(Y0, Y1)
	VMOVDQU Y0, (DI)(BX*2)
	NEXT(16)

done:
	VZEROUPPER
	RET

// maxMagnitude32InAssembly returns the largest magnitude of int32, which Y0 and Y1 collect as unsigned int32. Its Go
// twin is maxMagnitudeInGo.
//
// func maxMagnitude32InAssembly(from unsafe.Pointer, count int) int
TEXT ·maxMagnitude32InAssembly(SB), NOSPLIT, $0-24
	MOVQ  from+0(FP), SI
	MOVQ  count+8(FP), R13
	SUBQ  $16, R13
	XORQ  BX, BX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1

step:
	VPABSD  (SI)(BX*4), Y2
	VPABSD  32(SI)(BX*4), Y3
	VPMAXUD Y2, Y0, Y0
	VPMAXUD Y3, Y1, Y1
	NEXT(16)

done:
	VPMAXUD      Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPMAXUD      X1, X0, X0
	VPSRLDQ      $8, X0, X1
	VPMAXUD      X1, X0, X0
	VPSRLDQ      $4, X0, X1
	VPMAXUD      X1, X0, X0
	VMOVD        X0, AX
	MOVQ         AX, ret+16(FP)
	VZEROUPPER
	RET

// maxMagnitude16InAssembly returns the largest magnitude of int16, which Y0 collects as unsigned int16. Its Go
// twin is maxMagnitudeInGo.
//
// func maxMagnitude16InAssembly(from unsafe.Pointer, count int) int
TEXT ·maxMagnitude16InAssembly(SB), NOSPLIT, $0-24
	MOVQ  from+0(FP), SI
	MOVQ  count+8(FP), R13
	SUBQ  $16, R13
	XORQ  BX, BX
	VPXOR Y0, Y0, Y0

step:
	VPABSW  (SI)(BX*2), Y1
	VPMAXUW Y1, Y0, Y0
	NEXT(16)

done:
	VEXTRACTI128 $1, Y0, X1
	VPMAXUW      X1, X0, X0
	VPSRLDQ      $8, X0, X1
	VPMAXUW      X1, X0, X0
	VPSRLDQ      $4, X0, X1
	VPMAXUW      X1, X0, X0
	VPSRLDQ      $2, X0, X1
	VPMAXUW      X1, X0, X0
	VPEXTRW      $0, X0, AX
	MOVQ         AX, ret+16(FP)
	VZEROUPPER
	RET
