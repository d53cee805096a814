// The routines process 8 elements per step. Registers in all of them:
//
//	DI  to, the address of the results
//	SI  a, the address of the first operand
//	DX  b, the address of the second operand
//	R8  c, the address of the third operand
//	CX  number of remaining steps
//	BX  offset of the step, in bytes
//	AX  scratch
//	Y0, Y1  the elements of a, then the results
//	Y2, Y3  the elements of b, if LOAD_B is used
//	Y15     a constant, in some routines
#define BEGIN \
	MOVQ to+0(FP), DI     \
	MOVQ a+8(FP), SI      \
	MOVQ b+16(FP), DX     \
	MOVQ c+24(FP), R8     \
	MOVQ steps+32(FP), CX \
	XORQ BX, BX

#define LOAD_A \
	VMOVUPD (SI)(BX*1), Y0   \
	VMOVUPD 32(SI)(BX*1), Y1

#define LOAD_B \
	VMOVUPD (DX)(BX*1), Y2   \
	VMOVUPD 32(DX)(BX*1), Y3

#define STORE(first, second) \
	VMOVUPD first, (DI)(BX*1)    \
	VMOVUPD second, 32(DI)(BX*1) \
	ADDQ    $64, BX              \
	DECQ    CX

// BROADCAST fills a register with a 64-bit number.
#define BROADCAST(bits, low, register) \
	MOVQ         bits, AX  \
	VMOVQ        AX, low   \
	VPBROADCASTQ low, register

#define ONE $0x3ff0000000000000

// The bodies of the loops.

#define BINARY(instruction) \
	LOAD_A                                \
	instruction (DX)(BX*1), Y0, Y0        \
	instruction 32(DX)(BX*1), Y1, Y1      \
	STORE(Y0, Y1)

#define COMPARISON(predicate) \
	LOAD_A                                \
	VCMPPD predicate, (DX)(BX*1), Y0, Y0   \
	VCMPPD predicate, 32(DX)(BX*1), Y1, Y1 \
	VANDPD Y15, Y0, Y0                     \
	VANDPD Y15, Y1, Y1                     \
	STORE(Y0, Y1)

#define WITH_MASK(instruction) \
	LOAD_A                      \
	instruction Y15, Y0, Y0     \
	instruction Y15, Y1, Y1     \
	STORE(Y0, Y1)

#define ROUNDING(mode) \
	LOAD_A                  \
	VROUNDPD mode, Y0, Y0   \
	VROUNDPD mode, Y1, Y1   \
	STORE(Y0, Y1)

#define DOWN $9
#define UP $10
#define TO_EVEN $8
