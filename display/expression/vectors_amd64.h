// BX counts the bytes of the operands and of the result, which lie at SI, DX, R8 and DI.
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

// BROADCAST fills a register with a number of 64 bits.
#define BROADCAST(bits, low, register) \
	MOVQ         bits, AX  \
	VMOVQ        AX, low   \
	VPBROADCASTQ low, register

#define ONE $0x3ff0000000000000

// The loops, of which turn is the label.

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
