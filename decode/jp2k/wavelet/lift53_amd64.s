//go:build !purego

#include "textflag.h"

// TWOS sets a vector to twos.
#define TWOS(out) \
	VPCMPEQD out, out, out \
	VPSRLD   $31, out, out \
	VPADDD   out, out, out

// EVEN computes low minus a quarter of the sum of its neighbors, rounded.
#define EVEN(low, before, after, twos, out) \
	VPADDD after, before, out \
	VPADDD twos, out, out     \
	VPSRAD $2, out, out       \
	VPSUBD out, low, out

// across53InAssembly interleaves a row of the 5-3 wavelet. Its Go twin is across53InGo.
//
//	DI   to           Y0, Y1      low samples
//	SI   low          Y2, Y3, Y4  high samples
//	DX   high         Y5, Y6      even samples; odd samples
//	CX   vectors left Y7-Y10      scratch
//	Y15  twos
//
// func across53InAssembly(to, low, high *int32, vectors int)
TEXT ·across53InAssembly(SB), NOSPLIT, $0-32
	MOVQ to+0(FP), DI
	MOVQ low+8(FP), SI
	MOVQ high+16(FP), DX
	MOVQ vectors+24(FP), CX
	TWOS(Y15)

step:
	VMOVDQU (SI), Y0
	VMOVDQU 4(SI), Y1
	VMOVDQU (DX), Y2
	VMOVDQU 4(DX), Y3
	VMOVDQU 8(DX), Y4
	EVEN(Y0, Y2, Y3, Y15, Y5)
	EVEN(Y1, Y3, Y4, Y15, Y6) // the even samples that follow

	VPADDD Y6, Y5, Y6
	VPSRAD $1, Y6, Y6
	VPADDD Y6, Y3, Y6 // odd samples

	VPUNPCKLDQ Y6, Y5, Y7
	VPUNPCKHDQ Y6, Y5, Y8
	VPERM2I128 $0x20, Y8, Y7, Y9
	VPERM2I128 $0x31, Y8, Y7, Y10
	VMOVDQU    Y9, (DI)
	VMOVDQU    Y10, 32(DI)
	ADDQ       $32, SI
	ADDQ       $32, DX
	ADDQ       $64, DI
	DECQ       CX
	JNZ        step
	VZEROUPPER
	RET

// down53InAssembly computes an even and an odd row of the 5-3 wavelet. Its Go twin is down53InGo.
//
//	DI   even     R10  after
//	SI   odd      R11  previous
//	R8   low      R13  byte offset of the last vector
//	R9   before   BX   byte offset of the columns
//	Y0-Y4  scratch     Y15  twos
//
// func down53InAssembly(even, odd, low, before, after, previous *int32, columns int)
TEXT ·down53InAssembly(SB), NOSPLIT, $0-56
	MOVQ even+0(FP), DI
	MOVQ odd+8(FP), SI
	MOVQ low+16(FP), R8
	MOVQ before+24(FP), R9
	MOVQ after+32(FP), R10
	MOVQ previous+40(FP), R11
	MOVQ columns+48(FP), R13
	SUBQ $8, R13
	SHLQ $2, R13
	XORQ BX, BX
	TWOS(Y15)

step:
	VMOVDQU (R8)(BX*1), Y0
	VMOVDQU (R9)(BX*1), Y1
	VMOVDQU (R10)(BX*1), Y2
	EVEN(Y0, Y1, Y2, Y15, Y3)
	VPADDD  (R11)(BX*1), Y3, Y4
	VPSRAD  $1, Y4, Y4
	VPADDD  Y4, Y1, Y4
	VMOVDQU Y3, (DI)(BX*1)
	VMOVDQU Y4, (SI)(BX*1)

	CMPQ    BX, R13
	JEQ     done
	ADDQ    $32, BX
	CMPQ    BX, R13
	CMOVQGT R13, BX
	JMP     step

done:
	VZEROUPPER
	RET
