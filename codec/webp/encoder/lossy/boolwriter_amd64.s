//go:build !purego

#include "textflag.h"
#include "go_asm.h"

// These routines use BMI2 and LZCNT. They do not branch on token values. A token depends on the
// result of the previous one, so two writers are interleaved: each works while the other waits.
// Registers that hold an interval hold its width minus one. Registers of both routines:
//
//	SI, DI   end of list A (or the only list) and of list B; writeOneBMI2 holds its writer in DI
//	R8       span of writer A
//	R9       low of writer A
//	R10      count of writer A
//	R11      span of writer B
//	R12      low of writer B
//	R15      count of writer B
//	R13      index of the next token, counted from the end: -n to 0
//	DX       probabilities
//	AX, BX, CX  temporaries
//	outA, outB, outOne  write addresses, on the stack

// BEGIN loads the state and the write address of a writer.
#define BEGIN(w, SPAN, LOW, COUNT, out) \
	MOVLQZX boolWriter_span(w), SPAN        \
	DECL    SPAN                            \
	MOVQ    boolWriter_low(w), LOW          \
	MOVQ    boolWriter_count(w), COUNT      \
	MOVQ    boolWriter_out(w), AX           \
	ADDQ    (boolWriter_out+8)(w), AX       \
	MOVQ    AX, out

// TOKEN encodes one token. It jumps to flush when six bytes are complete.
#define TOKEN(LIST, SPAN, LOW, COUNT, flush) \
	MOVWLZX (LIST)(R13*2), AX  \
	MOVL    AX, BX             \
	SHRL    $1, BX             \
	MOVBLZX (DX)(BX*1), BX     \
	IMULL   SPAN, BX           \
	SHRL    $8, BX             \
	DECL    SPAN               \
	SUBL    BX, SPAN           \
	LEAL    1(BX), CX          \
	ANDL    $1, AX             \
	CMOVLEQ BX, SPAN           \
	NEGQ    AX                 \
	ANDQ    AX, CX             \
	ADDQ    CX, LOW            \
	LEAL    1(SPAN), BX        \
	LZCNTL  BX, CX             \
	ANDL    $7, CX             \
	SHLXL   CX, BX, SPAN       \
	DECL    SPAN               \
	SHLXQ   CX, LOW, LOW       \
	ADDQ    CX, COUNT          \
	CMPQ    COUNT, $48         \
	JGE     flush

// FLUSH writes the upper six bytes and propagates the carry.
#define FLUSH(LOW, COUNT, out, carry, write) \
	LEAQ  -40(COUNT), CX   \
	SHRXQ CX, LOW, BX      \
	BZHIQ CX, LOW, LOW     \
	SUBQ  $48, COUNT       \
	MOVQ  out, AX          \
	MOVQ  AX, CX           \
	BTQ   $48, BX          \
	JCC   write            \
carry:                     \
	DECQ  CX               \
	ADDB  $1, (CX)         \
	JCS   carry            \
write:                     \
	SHLQ  $16, BX          \
	BSWAPQ BX              \
	MOVQ  BX, (AX)         \
	ADDQ  $6, AX           \
	MOVQ  AX, out

// END stores the state of a writer.
#define END(w, SPAN, LOW, COUNT, out) \
	INCL SPAN                         \
	MOVL SPAN, boolWriter_span(w)     \
	MOVQ LOW, boolWriter_low(w)       \
	MOVQ COUNT, boolWriter_count(w)   \
	MOVQ out, AX                      \
	SUBQ boolWriter_out(w), AX        \
	MOVQ AX, (boolWriter_out+8)(w)

// func writePairsBMI2(a, b *boolWriter, listA, listB *byte, n int, p *probabilityTable)
//
// writePairsBMI2 encodes n tokens of each of two lists. Its Go twin is boolWriter.tokensInGo, once
// per list.
TEXT ·writePairsBMI2(SB), NOSPLIT, $16-48
	MOVQ a+0(FP), SI
	BEGIN(SI, R8, R9, R10, outA-8(SP))
	MOVQ b+8(FP), SI
	BEGIN(SI, R11, R12, R15, outB-16(SP))
	MOVQ listA+16(FP), SI
	MOVQ listB+24(FP), DI
	MOVQ n+32(FP), R13
	MOVQ p+40(FP), DX
	LEAQ (SI)(R13*2), SI
	LEAQ (DI)(R13*2), DI
	NEGQ R13
	JZ   end

next:
	TOKEN(SI, R8, R9, R10, flushA)

nextB:
	TOKEN(DI, R11, R12, R15, flushB)

step:
	INCQ R13
	JNZ  next

end:
	MOVQ a+0(FP), SI
	END(SI, R8, R9, R10, outA-8(SP))
	MOVQ b+8(FP), SI
	END(SI, R11, R12, R15, outB-16(SP))
	RET

flushA:
	FLUSH(R9, R10, outA-8(SP), carryA, writeA)
	JMP nextB

flushB:
	FLUSH(R12, R15, outB-16(SP), carryB, writeB)
	JMP step

// func writeOneBMI2(w *boolWriter, list *byte, n int, p *probabilityTable)
//
// writeOneBMI2 encodes n tokens. Its Go twin is boolWriter.tokensInGo.
TEXT ·writeOneBMI2(SB), NOSPLIT, $8-32
	MOVQ w+0(FP), DI
	BEGIN(DI, R8, R9, R10, outOne-8(SP))
	MOVQ list+8(FP), SI
	MOVQ n+16(FP), R13
	MOVQ p+24(FP), DX
	LEAQ (SI)(R13*2), SI
	NEGQ R13
	JZ   endOne

nextOne:
	TOKEN(SI, R8, R9, R10, flushOne)

stepOne:
	INCQ R13
	JNZ  nextOne

endOne:
	END(DI, R8, R9, R10, outOne-8(SP))
	RET

flushOne:
	FLUSH(R9, R10, outOne-8(SP), carryOne, writeOne)
	JMP stepOne
