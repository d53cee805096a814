// The body of the routines in bilinear_amd64.s, which define PAIRS and STORE. Each iteration
// interpolates four pixels. It loads them in the order 0, 2 and 1, 3, because unpacking then restores
// the order 0 to 3.
//
//	AX       index of the first pixel of the iteration
//	BX       bottom
//	CX       n
//	DX       at
//	DI       target
//	SI       top
//	R8-R11   at of the four pixels
//	R12      fx
//	R13      fy
//	Y0-Y3    loaded pairs of samples; Y0 is also the result
//	Y4, Y5   fx/256 and fy/256
//	Y6, Y7   top left and top right samples
//	Y8, Y9   bottom left and bottom right samples
//	Y14      1/2 in each lane, for ROUNDED
//	Y15      1/256 in each lane

	MOVQ target+0(FP), DI
	MOVQ top+8(FP), SI
	MOVQ bottom+16(FP), BX
	MOVQ at+24(FP), DX
	MOVQ fx+32(FP), R12
	MOVQ fy+40(FP), R13
	MOVQ n+48(FP), CX

	MOVQ $0x3F70000000000000, AX // 1/256
	MOVQ AX, X15
	VBROADCASTSD X15, Y15
	MOVQ $0x3FE0000000000000, AX // 1/2
	MOVQ AX, X14
	VBROADCASTSD X14, Y14
	XORQ AX, AX

four:
	CMPQ    AX, CX
	JGE     done
	MOVLQSX 0(DX)(AX*4), R8
	MOVLQSX 4(DX)(AX*4), R9
	MOVLQSX 8(DX)(AX*4), R10
	MOVLQSX 12(DX)(AX*4), R11
	PAIRS(SI, R8, R10, X0, Y0)
	PAIRS(SI, R9, R11, X1, Y1)
	PAIRS(BX, R8, R10, X2, Y2)
	PAIRS(BX, R9, R11, X3, Y3)
	VUNPCKLPD Y1, Y0, Y6 // top left
	VUNPCKHPD Y1, Y0, Y7 // top right
	VUNPCKLPD Y3, Y2, Y8
	VUNPCKHPD Y3, Y2, Y9

	VPMOVZXBD (R12)(AX*1), X4
	VPMOVZXBD (R13)(AX*1), X5
	VCVTDQ2PD X4, Y4
	VCVTDQ2PD X5, Y5
	VMULPD    Y15, Y4, Y4
	VMULPD    Y15, Y5, Y5

	VSUBPD Y6, Y7, Y7
	VSUBPD Y8, Y9, Y9
	VMULPD Y4, Y7, Y7
	VMULPD Y4, Y9, Y9
	VADDPD Y7, Y6, Y6
	VADDPD Y9, Y8, Y8
	VSUBPD Y6, Y8, Y8
	VMULPD Y5, Y8, Y8
	VADDPD Y8, Y6, Y0
	STORE(Y0, X0)
	ADDQ   $4, AX
	JMP    four

done:
	VZEROUPPER
	RET
