//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Registers of decodeFastInAssembly and its macros:
//
//	SI   read address
//	R15  start of the destination
//	DI   number of bytes written there
//	R8   window of unread bits
//	R9   number of valid bits in the window
//	R10  decoder, which begins with its tables
//	R11  ones, except at isLength
//	R12  tableBits
//	AX   next entry, or BP in every other step
//	R14  address of the next entry
//	DX   length of the match whose distance is the next entry, otherwise 0
//	BX, CX, R13  temporary
//	X0, X1  chunk of a match, and its shuffle mask
//
// The lowest six bits of an entry are the shift count. Shift instructions ignore the bits above.

// REFILL fills the window to at least 56 bits.
#define REFILL \
	MOVQ  (SI), BX     \
	SHLXQ R9, BX, BX   \
	ORQ   BX, R8       \
	MOVL  $63, CX      \
	SUBL  R9, CX       \
	SHRL  $3, CX       \
	ADDQ  CX, SI       \
	ORL   $56, R9

// DROP removes the bits of an entry from the window. Bits 6 and 7 of the entry must be zero.
#define DROP \
	SHRXQ AX, R8, R8 \
	SUBB  AX, R9

// VALUE sets to to the length or distance of the next entry: its base and the extra bits among the
// dropped ones. It loads fields instead of shifting the entry, because only two shifts fit into a
// cycle.
#define VALUE(dropped, to) \
	MOVBLZX 1(R14), to      \
	SHRXQ   to, dropped, to \
	ADDW    4(R14), to

// STEP consumes the next entry, E, and looks up NEXT, its successor. It does the same whatever the
// entry is, since a branch on that would be mispredicted often: literals copy themselves from the
// entry, a length copies nothing, and a distance copies as many bytes as the length before it says.
// The 16 bytes of a copy are overwritten where they are too many.
//
// The first instructions are those on which the next step waits.
//
// STEP jumps to unusual if the entry is exceptional or a long length, if the distance is too far, or
// if the match overlaps itself. At the start of the destination it takes some lengths for distances
// that are too far.
#define STEP(E, NEXT, unusual) \
	BZHIQ   E, R8, R13             \
	SHRXQ   E, R8, R8              \
	ANDNL   E, R11, BX             \
	BZHIQ   R12, R8, CX            \
	ADDQ    R10, BX                \
	MOVQ    (BX)(CX*8), NEXT       \
	LEAQ    (BX)(CX*8), BX         \
	SUBB    E, R9                  \
	VALUE(R13, CX)                 \
	TESTL   $(const_isExceptional+const_isLongLength), E \
	JNE     unusual                \
	CMPQ    CX, DI                 \
	JHI     unusual                \
	CMPQ    CX, DX                 \
	JLO     unusual                \
	LEAQ    -6(R15)(DI*1), R13     \
	SUBQ    CX, R13                \
	CMPB    2(R14), $0             \
	CMOVQNE R14, R13               \
	MOVOU   6(R13), X0             \
	MOVOU   X0, (R15)(DI*1)        \
	ADDQ    DX, DI                 \
	MOVBLZX 2(R14), DX             \
	ADDQ    DX, DI                 \
	MOVBLZX 7(R14), DX             \
	ANDL    CX, DX                 \
	MOVQ    BX, R14

// func decodeFastInAssembly(f *fastFrame)
//
// decodeFastInAssembly decodes symbols until the end of the block or until a limit is reached. Its Go
// twin is Decoder.decodeFastInGo. The registers are listed at the top of the file.
//
// A refill lasts for two steps: they take at most 24 and 16 bits, for a distance and a length, and
// leave enough for a lookup. A step that is not completed leaves 32, enough for the longest symbol.
TEXT ·decodeFastInAssembly(SB), NOSPLIT, $16-8
	MOVQ f+0(FP), AX
	MOVQ fastFrame_src(AX), SI
	MOVQ fastFrame_lastSrc(AX), BX
	MOVQ BX, lastSrc-8(SP)
	MOVQ fastFrame_dst(AX), R15
	MOVQ fastFrame_n(AX), DI
	MOVQ fastFrame_lastN(AX), BX
	MOVQ BX, lastN-16(SP)
	MOVQ fastFrame_bits(AX), R8
	MOVQ fastFrame_count(AX), R9
	MOVQ fastFrame_decoder(AX), R10
	MOVL $~const_isLength, R11
	MOVL $const_tableBits, R12

symbol:
	CMPQ SI, lastSrc-8(SP)
	JHI  atLimit
	CMPQ DI, lastN-16(SP)
	JHI  atLimit
	REFILL
	XORL  DX, DX
	BZHIQ R12, R8, CX
	LEAQ  (R10)(CX*8), R14
	MOVQ  (R14), AX

steps:
	STEP(AX, BP, undo)
	STEP(BP, AX, undoSecond)
	CMPQ SI, lastSrc-8(SP)
	JHI  stop
	CMPQ DI, lastN-16(SP)
	JHI  stop
	REFILL
	JMP  steps

undoSecond:
	MOVQ BP, AX

undo:
	// Give back the dropped bits, which are in R13.
	SHLXQ AX, R8, R8
	ORQ   R13, R8
	ADDB  AX, R9
	JMP   unusual

stop:
	// If the next entry is that of a distance, the match is still to be copied.
	TESTL DX, DX
	JEQ   atLimit
	REFILL

unusual:
	TESTL $const_isExceptional, AX
	JNE   exceptional
	TESTL DX, DX
	JNE   distance

length:
	MOVBLZX 6(R14), BX // a literal may come before it
	MOVB    BX, (R15)(DI*1)
	MOVBLZX 2(R14), BX
	ADDQ    BX, DI
	BZHIQ   AX, R8, CX
	VALUE(CX, DX)
	DROP
	REFILL
	BZHIQ   R12, R8, CX
	LEAQ    Decoder_distances(R10)(CX*8), R14
	MOVQ    (R14), AX
	TESTL   $const_isExceptional, AX
	JNE     exceptional

distance:
	BZHIQ AX, R8, CX
	VALUE(CX, BX)
	DROP
	CMPQ  BX, DI
	JHI   corrupt

	// Copy DX bytes from BX bytes before.
	LEAQ (R15)(DI*1), R13
	MOVQ R13, CX
	SUBQ BX, CX
	ADDQ DX, DI
	ADDQ R13, DX // end of the match
	CMPQ BX, $16
	JLO  repeat

copyOn:
	MOVOU (CX), X0
	MOVOU X0, (R13)
	ADDQ  $16, CX
	ADDQ  $16, R13
	CMPQ  R13, DX
	JLO   copyOn
	JMP   symbol

repeat:
	// Repeat the last BX bytes to 16 bytes, and store them at steps of whole periods.
	MOVQ    f+0(FP), AX
	MOVQ    fastFrame_patterns(AX), R14
	MOVOU   (CX), X0
	SHLQ    $4, BX
	MOVOU   (R14)(BX*1), X1
	PSHUFB  X1, X0
	SHRQ    $4, BX
	MOVQ    fastFrame_steps(AX), R14
	MOVBLZX (R14)(BX*1), CX

repeatOn:
	MOVOU X0, (R13)
	ADDQ  CX, R13
	CMPQ  R13, DX
	JLO   repeatOn
	JMP   symbol

exceptional:
	MOVL  AX, CX
	ANDL  $63, CX
	SHRXQ CX, R8, R8
	SUBB  CX, R9
	TESTL $const_isSubtable, AX
	JEQ   last
	MOVBLZX 1(R14), CX
	ANDL  $15, CX
	BZHIQ CX, R8, BX
	MOVWLZX 4(R14), CX
	ADDL  BX, CX
	ANDL  $(const_tableSize-1), CX
	TESTL DX, DX
	JNE   longDistance
	LEAQ  (R10)(CX*8), R14
	MOVQ  (R14), AX
	TESTL $const_isExceptional, AX
	JNE   exceptional
	TESTL $const_isLength, AX
	JNE   length
	MOVBLZX 6(R14), BX
	MOVB  BX, (R15)(DI*1)
	INCQ  DI
	DROP
	JMP   symbol

longDistance:
	LEAQ  Decoder_distances(R10)(CX*8), R14
	MOVQ  (R14), AX
	TESTL $const_isExceptional, AX
	JEQ   distance

corrupt:
	MOVL $const_corruptData, BX
	JMP  done

last:
	TESTL $const_isEndBlock, AX
	JEQ   corrupt
	MOVL  $const_blockEnded, BX
	JMP   done

atLimit:
	MOVL $const_limitReached, BX

done:
	MOVQ f+0(FP), AX
	MOVQ SI, fastFrame_src(AX)
	MOVQ DI, fastFrame_n(AX)
	MOVQ R8, fastFrame_bits(AX)
	MOVQ R9, fastFrame_count(AX)
	MOVQ BX, fastFrame_outcome(AX)
	RET
