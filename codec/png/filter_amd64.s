//go:build !purego

#include "textflag.h"

// These routines use AVX2 and process 32 bytes at a time.

// func subtractVectors(out, row, prediction *byte, vectors int)
//
// subtractVectors writes row - prediction. Its Go twin is subtractGo.
//
//	DI   out
//	SI   row
//	BX   prediction
//	CX   remaining vectors
//	AX   index of the next byte
//	Y0   difference
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
// subtractMeanVectors writes row minus the mean of left and up. VPAVGB rounds up, so 1 is
// subtracted where the sum is odd. Its Go twin is subtractMeanGo.
//
//	DI      out
//	SI      row
//	BX, DX  left, up
//	CX      remaining vectors
//	AX      index of the next byte
//	Y0, Y1  left and up, then row and difference
//	Y2      mean
//	Y3      ones
TEXT ·subtractMeanVectors(SB), NOSPLIT, $0-40
	MOVQ out+0(FP), DI
	MOVQ row+8(FP), SI
	MOVQ left+16(FP), BX
	MOVQ up+24(FP), DX
	MOVQ vectors+32(FP), CX
	XORQ AX, AX
	VPCMPEQB Y3, Y3, Y3
	VPABSB   Y3, Y3 // ones

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
// subtractPaethVectors writes row minus the Paeth prediction. The distance of a + b - c from a is
// |b - c|, and its distance from b is |a - c|. Its distance from c is the sum of both if a and b
// lie on the same side of c, and otherwise their difference. Its Go twin is subtractPaethGo.
//
//	DI          out
//	SI          row
//	BX, DX, R8  left, up, upLeft
//	CX          remaining vectors
//	AX          index of the next byte
//	Y0, Y1, Y2  a, b, c; Y2 becomes the prediction
//	Y3          mask of the bytes where c lies between a and b
//	Y4, Y6, Y5  distances from a, b and c
//	Y7, Y8      temporaries
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
	VPSUBB    Y4, Y3, Y4 // distance from a
	VPCMPEQB  Y1, Y3, Y3
	VPMAXUB   Y2, Y0, Y5
	VPMINUB   Y2, Y0, Y6
	VPSUBB    Y6, Y5, Y6 // distance from b
	VPCMPEQB  Y0, Y5, Y5
	VPXOR     Y5, Y3, Y3 // whether c is between
	VPADDUSB  Y6, Y4, Y5
	VPMAXUB   Y6, Y4, Y7
	VPMINUB   Y6, Y4, Y8
	VPSUBB    Y8, Y7, Y7
	VPBLENDVB Y3, Y7, Y5, Y5 // distance from c
	VPMINUB   Y5, Y6, Y5
	VPCMPEQB  Y5, Y6, Y6 // b is nearer than c
	VPBLENDVB Y6, Y1, Y2, Y2
	VPMINUB   Y5, Y4, Y5
	VPCMPEQB  Y5, Y4, Y4 // a is nearest
	VPBLENDVB Y4, Y0, Y2, Y2
	VMOVDQU   (SI)(AX*1), Y0
	VPSUBB    Y2, Y0, Y0
	VMOVDQU   Y0, (DI)(AX*1)
	ADDQ      $32, AX
	DECQ      CX
	JNZ       vector
	VZEROUPPER
	RET
