//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Registers of decodeFastInAssembly and its macros:
//
//	R0   read address               R9   entry
//	R1   the last one               R10  temporary
//	R2   write address              R11  temporary
//	R3   start of the destination   R12  distance
//	R4   the last write address     R13  read address of a match
//	R5   window of unread bits      R14  length, then the end of the match
//	R6   number of valid bits in    R15  outcome
//	     the window                 R16  frame
//	R7   table of literals          R20  ones
//	R8   table of distances         V0, V1  chunk of a match, and its shuffle mask
//
// The lowest six bits of an entry are the bits to drop, and those of R6 their number. Shifts ignore
// the bits above, so only a refill clears these.

// REFILL fills the window to at least 56 bits.
#define REFILL \
	MOVD (R0), R10     \
	AND  $63, R6       \
	LSL  R6, R10       \
	ORR  R10, R5       \
	EOR  $63, R6, R10  \
	ADD  R10>>3, R0    \
	ORR  $56, R6

// LOOK_UP loads the entry of the next bits.
#define LOOK_UP(table) \
	AND  $const_tableMask, R5, R10 \
	MOVD (table)(R10<<3), R9

// LOOK_UP_LONG drops the bits of a first-level entry and loads the entry of the second level.
#define LOOK_UP_LONG(table) \
	LSR  $const_tableBits, R5          \
	SUB  $const_tableBits, R6          \
	LSR  $8, R9, R11                   \
	LSL  R11, R20, R10                 \
	BIC  R10, R5, R10                  \
	UBFX $32, R9, $16, R11             \
	ADD  R11, R10                      \
	AND  $(const_tableSize-1), R10     \
	MOVD (table)(R10<<3), R9

// DROP removes the bits of an entry from the window.
#define DROP \
	LSR R9, R5 \
	SUB R9, R6

// TEXT_OF writes the literals of an entry, if it has any.
#define TEXT_OF \
	LSR  $48, R9, R10      \
	MOVH R10, (R2)         \
	UBFX $16, R9, $2, R11  \
	ADD  R11, R2

// VALUE sets to to the length or distance of an entry: its base and the extra bits among the
// dropped ones.
#define VALUE(to) \
	LSL  R9, R20, R10      \
	BIC  R10, R5, R10      \
	LSR  $8, R9, R11       \
	LSR  R11, R10          \
	UBFX $32, R9, $16, to  \
	ADD  R10, to

// LITERALS writes the literals of an entry and looks up the next one. It jumps to other if the
// entry is anything else.
#define LITERALS \
	TST $(const_isLength+const_isExceptional), R9 \
	BNE other     \
	TEXT_OF       \
	DROP          \
	LOOK_UP(R7)

// func decodeFastInAssembly(f *fastFrame)
//
// decodeFastInAssembly decodes symbols until the end of the block or until a limit is reached. Its
// Go twin is Decoder.decodeFastInGo, which also says how long a refill lasts. The registers are
// listed at the top of the file.
TEXT ·decodeFastInAssembly(SB), NOSPLIT, $0-8
	MOVD f+0(FP), R16
	MOVD fastFrame_src(R16), R0
	MOVD fastFrame_lastSrc(R16), R1
	MOVD fastFrame_dst(R16), R3
	MOVD fastFrame_n(R16), R2
	MOVD fastFrame_lastN(R16), R4
	MOVD fastFrame_bits(R16), R5
	MOVD fastFrame_count(R16), R6
	MOVD fastFrame_decoder(R16), R7
	ADD  $Decoder_distances, R7, R8
	ADD  $Decoder_literals, R7
	ADD  R3, R2
	ADD  R3, R4
	MOVD $-1, R20

symbol:
	CMP  R1, R0
	BHI  atLimit
	CMP  R4, R2
	BHI  atLimit
	REFILL
	LOOK_UP(R7)
	LITERALS
	LITERALS
	LITERALS
	TST  $(const_isLength+const_isExceptional), R9
	BNE  other

literals:
	TEXT_OF
	DROP
	B    symbol

other:
	TST  $const_isExceptional, R9
	BNE  exceptional

length:
	TEXT_OF // a literal may come before it
	VALUE(R14)
	DROP
	REFILL
	LOOK_UP(R8)
	TST  $const_isExceptional, R9
	BNE  longDistance

distance:
	VALUE(R12)
	DROP
	SUB  R3, R2, R10
	CMP  R12, R10
	BLO  corrupt
	SUB  R12, R2, R13
	ADD  R2, R14
	CMP  $16, R12
	BLO  repeat

copyOn:
	FMOVQ.P 16(R13), F0
	FMOVQ.P F0, 16(R2)
	CMP     R14, R2
	BLO     copyOn
	MOVD    R14, R2
	B       symbol

repeat:
	// Repeat the last bytes to 16 bytes, and store them at steps of whole periods.
	MOVD  fastFrame_patterns(R16), R10
	MOVD  fastFrame_steps(R16), R11
	ADD   R12<<4, R10
	MOVBU (R11)(R12), R11
	FMOVQ (R13), F0
	FMOVQ (R10), F1
	VTBL  V1.B16, [V0.B16], V0.B16

repeatOn:
	FMOVQ F0, (R2)
	ADD   R11, R2
	CMP   R14, R2
	BLO   repeatOn
	MOVD  R14, R2
	B     symbol

exceptional:
	TST  $const_isSubtable, R9
	BEQ  last
	LOOK_UP_LONG(R7)
	TST  $const_isExceptional, R9
	BNE  last
	TST  $const_isLength, R9
	BNE  length
	B    literals

longDistance:
	TST  $const_isSubtable, R9
	BEQ  corrupt
	LOOK_UP_LONG(R8)
	TST  $const_isExceptional, R9
	BEQ  distance

corrupt:
	MOVD $const_corruptData, R15
	B    done

last:
	DROP
	TST  $const_isEndBlock, R9
	BEQ  corrupt
	MOVD $const_blockEnded, R15
	B    done

atLimit:
	MOVD $const_limitReached, R15

done:
	AND  $63, R6
	SUB  R3, R2
	MOVD R0, fastFrame_src(R16)
	MOVD R2, fastFrame_n(R16)
	MOVD R5, fastFrame_bits(R16)
	MOVD R6, fastFrame_count(R16)
	MOVD R15, fastFrame_outcome(R16)
	RET
