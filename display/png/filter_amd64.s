//go:build !purego

#include "textflag.h"

// AVX2, 32 bytes at a time.

// func subtractVectors(out, row, prediction *byte, vectors int)
TEXT ·subtractVectors(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DI
	MOVQ row+8(FP), SI
	MOVQ prediction+16(FP), BX
	MOVQ vectors+24(FP), CX
	XORQ AX, AX

vector:
	VMOVDQU (SI)(AX*1), Y0
	VPSUBB  (BX)(AX*1), Y0, Y0
	VMOVDQU Y0, (DI)(AX*1)
	ADDQ    $32, AX
	DECQ    CX
	JNZ     vector
	VZEROUPPER
	RET

// func subtractMeanVectors(out, row, left, up *byte, vectors int)
//
// The mean is rounded down: that rounded up, less one where the sum is odd.
TEXT ·subtractMeanVectors(SB), NOSPLIT, $0-40
	MOVQ out+0(FP), DI
	MOVQ row+8(FP), SI
	MOVQ left+16(FP), BX
	MOVQ up+24(FP), DX
	MOVQ vectors+32(FP), CX
	XORQ AX, AX
	VPCMPEQB Y3, Y3, Y3
	VPABSB   Y3, Y3    // ones

vector:
	VMOVDQU (BX)(AX*1), Y0
	VMOVDQU (DX)(AX*1), Y1
	VPAVGB  Y1, Y0, Y2
	VPXOR   Y1, Y0, Y0
	VPAND   Y3, Y0, Y0
	VPSUBB  Y0, Y2, Y2
	VMOVDQU (SI)(AX*1), Y0
	VPSUBB  Y2, Y0, Y0
	VMOVDQU Y0, (DI)(AX*1)
	ADDQ    $32, AX
	DECQ    CX
	JNZ     vector
	VZEROUPPER
	RET

// func subtractPaethVectors(out, row, left, up, upLeft *byte, vectors int)
//
// How far the prediction a + b - c is from a is the distance from b to c, and the other way round. How far it is from c
// is both distances together where a and b lie on the same side of c, and their difference where they do not.
TEXT ·subtractPaethVectors(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ row+8(FP), SI
	MOVQ left+16(FP), BX
	MOVQ up+24(FP), DX
	MOVQ upLeft+32(FP), R8
	MOVQ vectors+40(FP), CX
	XORQ AX, AX

vector:
	VMOVDQU   (BX)(AX*1), Y0  // a
	VMOVDQU   (DX)(AX*1), Y1  // b
	VMOVDQU   (R8)(AX*1), Y2  // c
	VPMAXUB   Y2, Y1, Y3
	VPMINUB   Y2, Y1, Y4
	VPSUBB    Y4, Y3, Y4      // from a
	VPCMPEQB  Y1, Y3, Y3
	VPMAXUB   Y2, Y0, Y5
	VPMINUB   Y2, Y0, Y6
	VPSUBB    Y6, Y5, Y6      // from b
	VPCMPEQB  Y0, Y5, Y5
	VPXOR     Y5, Y3, Y3      // whether c is between
	VPADDUSB  Y6, Y4, Y5
	VPMAXUB   Y6, Y4, Y7
	VPMINUB   Y6, Y4, Y8
	VPSUBB    Y8, Y7, Y7
	VPBLENDVB Y3, Y7, Y5, Y5  // from c
	VPMINUB   Y5, Y6, Y5
	VPCMPEQB  Y5, Y6, Y6      // b is nearer than c
	VPBLENDVB Y6, Y1, Y2, Y2
	VPMINUB   Y5, Y4, Y5
	VPCMPEQB  Y5, Y4, Y4      // a is nearest
	VPBLENDVB Y4, Y0, Y2, Y2
	VMOVDQU   (SI)(AX*1), Y0
	VPSUBB    Y2, Y0, Y0
	VMOVDQU   Y0, (DI)(AX*1)
	ADDQ      $32, AX
	DECQ      CX
	JNZ       vector
	VZEROUPPER
	RET
