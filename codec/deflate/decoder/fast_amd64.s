//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Registers of decodeFastBMI2 and its macros:
//
//	SI   read address
//	R12  last read address at which an iteration may start
//	DI   write address
//	R13  last write address at which an iteration may start
//	R15  start of the destination
//	R8   window of unread bits
//	R9   number of valid bits in the window
//	R10  literal table
//	R11  distance table
//	R14  temporary
//	AX   table entry
//	DX   match length, then the end of the match
//	BX   match distance, and temporary
//	CX   temporary
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

// LOOKUP sets AX to the literal entry for the bottom of the window.
#define LOOKUP \
	MOVL R8, CX          \
	ANDL $2047, CX       \
	MOVL (R10)(CX*4), AX

// DROP removes the bits of an entry from the window. Bits 6 and 7 of the entry must be zero.
#define DROP \
	SHRXQ AX, R8, R8 \
	SUBB  AX, R9

// LITERALS writes a literal or a pair, and looks up the next entry.
#define LITERALS \
	MOVL  AX, BX    \
	MOVL  AX, DX    \
	SHRL  $16, BX   \
	SHRL  $12, DX   \
	DROP            \
	ANDL  $3, DX    \
	LOOKUP          \
	MOVW  BX, (DI)  \
	ADDQ  DX, DI

// func decodeFastBMI2(f *fastFrame)
//
// decodeFastBMI2 decodes symbols until the end of the block or until a limit is reached. Its Go
// twin is Decoder.decodeFastInGo. The registers are listed at the top of the file.
TEXT ·decodeFastBMI2(SB), NOSPLIT, $0-8
	MOVQ f+0(FP), AX
	MOVQ fastFrame_src(AX), SI
	MOVQ fastFrame_lastSrc(AX), R12
	MOVQ fastFrame_dst(AX), DI
	MOVQ fastFrame_lastDst(AX), R13
	MOVQ fastFrame_dstStart(AX), R15
	MOVQ fastFrame_bits(AX), R8
	MOVQ fastFrame_count(AX), R9
	MOVQ fastFrame_literals(AX), R10
	MOVQ fastFrame_distances(AX), R11

iteration:
	CMPQ SI, R12
	JHI  atLimit
	CMPQ DI, R13
	JHI  atLimit
	REFILL
	LOOKUP

	TESTL $0x3000, AX
	JZ    notLiteral
	LITERALS
	TESTL $0x3000, AX
	JZ    notLiteral
	LITERALS
	TESTL $0x3000, AX
	JZ    notLiteral
	LITERALS
	TESTL $0x3000, AX
	JNZ   iteration

notLiteral:
	TESTL $0x4000, AX
	JNZ   exceptional

length:
	MOVL  AX, DX
	MOVL  AX, CX
	SHRL  $16, DX
	SHRL  $8, CX
	BZHIQ AX, R8, BX
	SHRXQ CX, BX, BX
	ADDQ  BX, DX
	DROP
	REFILL

	MOVL  R8, CX
	ANDL  $255, CX
	MOVL  (R11)(CX*4), AX
	TESTL $0x4000, AX
	JNZ   longDistance

distance:
	MOVL  AX, BX
	MOVL  AX, CX
	SHRL  $16, BX
	SHRL  $8, CX
	BZHIQ AX, R8, R14
	SHRXQ CX, R14, R14
	ADDQ  R14, BX
	DROP

	// Copy DX bytes from BX bytes before DI.
	MOVQ  DI, R14
	SUBQ  R15, R14
	CMPQ  BX, R14
	JHI   corrupt
	MOVQ  DI, CX
	SUBQ  BX, CX
	ADDQ  DI, DX // end of the match
	CMPQ  BX, $16
	JLO   repeat
	MOVOU (CX), X0
	MOVOU X0, (DI)
	ADDQ  $16, DI
	CMPQ  DI, DX
	JHS   copied

copyOn:
	ADDQ  $16, CX
	MOVOU (CX), X0
	MOVOU X0, (DI)
	ADDQ  $16, DI
	CMPQ  DI, DX
	JLO   copyOn

copied:
	MOVQ DX, DI
	JMP  iteration

repeat:
	// Repeat the last BX bytes to 16 bytes, and store them at steps of whole periods.
	MOVQ   f+0(FP), AX
	MOVQ   fastFrame_patterns(AX), R14
	MOVOU  (CX), X0
	SHLQ   $4, BX
	MOVOU  (R14)(BX*1), X1
	PSHUFB X1, X0
	SHRQ   $4, BX
	MOVQ   fastFrame_steps(AX), R14
	MOVBLZX (R14)(BX*1), CX

repeatOn:
	MOVOU X0, (DI)
	ADDQ  CX, DI
	CMPQ  DI, DX
	JLO   repeatOn
	MOVQ  DX, DI
	JMP   iteration

exceptional:
	TESTL $0x80, AX
	JZ    last
	SHRQ  $11, R8
	SUBB  $11, R9
	MOVL  AX, CX
	SHRL  $8, CX
	ANDL  $15, CX
	BZHIQ CX, R8, BX
	SHRL  $16, AX
	ADDL  BX, AX
	ANDL  $4095, AX
	MOVL  (R10)(AX*4), AX
	TESTL $0x3000, AX
	JZ    longOther
	MOVL  AX, BX
	SHRL  $16, BX
	MOVB  BX, (DI)
	INCQ  DI
	DROP
	JMP   iteration

longOther:
	TESTL $0x4000, AX
	JZ    length

last:
	// The end of the block, or an invalid code.
	MOVL  AX, CX
	ANDL  $63, CX
	SHRXQ CX, R8, R8
	SUBB  CX, R9
	MOVL  $2, BX
	TESTL $0x40, AX
	JZ    done
	MOVL  $1, BX
	JMP   done

longDistance:
	TESTL $0x80, AX
	JZ    corrupt
	SHRQ  $8, R8
	SUBB  $8, R9
	MOVL  AX, CX
	SHRL  $8, CX
	ANDL  $15, CX
	BZHIQ CX, R8, BX
	SHRL  $16, AX
	ADDL  BX, AX
	ANDL  $1023, AX
	MOVL  (R11)(AX*4), AX
	TESTL $0x4000, AX
	JZ    distance

corrupt:
	MOVL $2, BX
	JMP  done

atLimit:
	XORL BX, BX

done:
	MOVQ f+0(FP), AX
	MOVQ SI, fastFrame_src(AX)
	MOVQ DI, fastFrame_dst(AX)
	MOVQ R8, fastFrame_bits(AX)
	MOVQ R9, fastFrame_count(AX)
	MOVQ BX, fastFrame_outcome(AX)
	RET
