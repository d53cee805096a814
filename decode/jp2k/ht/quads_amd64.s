//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "vectors_amd64.h"

ALL(lowerLeft, 0x20)
ALL(lowerRight, 0x80)
ALL(lowerBoth, 0xA0)
ALL(upperHalves, 0xFFFF0000)

// What an entry gives to the context of the quad on its right, and how many bytes this is in the table:
// there are 2 to the codewordBits of four bytes for each context.
#define LEFT (const_leftContext<<const_contextBit)
#define LEFT_BYTES const_leftContext<<9

// LOOK_UP looks up the codeword of a quad. The context from above, as an offset in the table, is
// loaded from up. left, which is overwritten, says what the quad on the left gives to the context. It is
// known last, so both parts of the table are prepared:
//
//   - entry is the part if left gives nothing. If there is nothing from above either, and the next event
//     is 0, that is the part for no codeword.
//   - R15 is the part if left gives something.
//
// The event is used up if there is no context.
#define LOOK_UP(up, left, entry) \
	MOVL    up, R11                     \
	LEAQ    (R12)(R11*1), entry         \
	MOVL    R10, R15                    \
	ANDL    $1, R15                     \
	ORL     R11, R15                    \
	CMOVQEQ R13, entry                  \
	LEAQ    LEFT_BYTES(R12)(R11*1), R15 \
	ANDL    $LEFT, left                 \
	CMOVQNE R15, entry                  \
	XORL    R15, R15                    \
	ORL     R11, left                   \
	SETEQ   R15                         \
	SHRXQ   R15, R10, R10               \
	MOVL    BX, R11                     \
	ANDL    $const_codewordMask, R11    \
	MOVL    (entry)(R11*4), entry

// REFILL appends whole bytes to the bits.
#define REFILL \
	MOVQ  (R9), R15    \
	SHLXQ R8, R15, R15 \
	ORQ   R15, BX      \
	MOVL  R8, R15      \
	XORL  $63, R15     \
	SHRL  $3, R15      \
	ADDQ  R15, R9      \
	ORL   $56, R8

// LOOK_UP_U looks up the entry of both u in R11.
#define LOOK_UP_U \
	MOVL AX, R11                   \
	ANDL $(1<<const_hasUBit), R11  \
	ADDQ R14, R11                  \
	MOVL DX, R15                   \
	ANDL $(1<<const_hasUBit), R15  \
	LEAQ (R11)(R15*2), R11         \
	MOVL BX, R15                   \
	ANDL $(const_firstHasU-1), R15 \
	MOVQ (R11)(R15*8), R11

// COUNT subtracts what a pair takes from the number of bits.
#define COUNT \
	LEAL (AX)(DX*1), BP        \
	ADDL R11, BP               \
	ANDL $const_lengthMask, BP \
	SUBL BP, R8

// JOIN joins the quads and both u into a pair in AX. R15 are the suffixes. Its Go twin is withU.
#define JOIN \
	SHRL  $const_quadBit, AX              \
	MOVL  DX, BP                          \
	SHRL  $const_quadBit, BP              \
	SHLQ  $32, BP                         \
	ORQ   BP, AX                          \
	RORXQ $const_suffixLengthBit, R11, BP \
	ANDQ  upperHalves<>(SB), R11          \
	ORQ   R11, AX                         \
	BZHIQ BP, R15, R11                    \
	SHLQ  $const_upperBit, R11            \
	ADDQ  R11, AX                         \
	SHRXQ BP, R15, R15                    \
	SHRL  $8, BP                          \
	BZHIQ BP, R15, R15                    \
	SHLQ  $(32+const_upperBit), R15       \
	ADDQ  R15, AX

// PAIR decodes a pair of quads. From the bits of one codeword to those of the next one, there are only
// a mask, a lookup and a shift, one after the other. All else can run beside them.
#define PAIR(first, second) \
	LOOK_UP(first(SP), DX, AX)        \
	REFILL                            \
	SHRXQ AX, BX, BX                  \
	MOVL  AX, BP                      \
	LOOK_UP(second(SP), BP, DX)       \
	SHRXQ DX, BX, BX                  \
	LOOK_UP_U                         \
	MOVL  R11, R15                    \
	SHRL  $const_prefixLengthBit, R15 \
	SHRXQ R15, BX, R15                \
	SHRXQ R11, BX, BX                 \
	COUNT                             \
	JOIN                              \
	MOVQ  AX, first(SI)

// wholePairsBMI2 decodes pairs of quads, four a step.
//
//	SI   pairs                       R12  table of codewords
//	DI   pairs above                 R13  its part for no codeword
//	CX   pairs left                  R14  table of u
//	BX   next bits of VLC            AX   entry of the first quad
//	R8   how many bits               DX   entry of the second quad
//	R9   where more bits are         R11, R15, BP  scratch
//	R10  next events                 Y3   pairs above, one step before
//
// func wholePairsBMI2(pairs, above *uint64, count int, cursor *pairCursor)
TEXT ·wholePairsBMI2(SB), NOSPLIT, $32-32
	MOVQ pairs+0(FP), SI
	MOVQ above+8(FP), DI
	MOVQ count+16(FP), CX
	MOVQ cursor+24(FP), AX
	MOVQ ·otherRowsLookup(SB), R12
	LEAQ (const_noCodeword*4)(R12), R13
	MOVQ ·pairLookup(SB), R14

	MOVQ  pairCursor_position(AX), DX
	MOVQ  DX, R9
	SHRQ  $3, R9
	ADDQ  pairCursor_vlc(AX), R9
	MOVQ  (R9), BX
	ANDL  $7, DX
	SHRXQ DX, BX, BX
	MOVL  $56, R8
	SUBL  DX, R8
	ADDQ  $7, R9
	XORL  DX, DX
	VPXOR Y3, Y3, Y3

fourPairs:
	// The contexts from above: the lower samples of the quads above, on the left and on the right.
	VMOVDQU    (DI), Y0
	VPERM2I128 $0x21, Y0, Y3, Y1
	VPALIGNR   $12, Y1, Y0, Y1
	VPAND      lowerRight<>(SB), Y1, Y1
	VMOVDQU    4(DI), Y2
	VPAND      lowerLeft<>(SB), Y2, Y2
	VMOVDQU    Y0, Y3
	VPAND      lowerBoth<>(SB), Y0, Y0
	VPSLLD     $2, Y1, Y1
	VPSLLD     $4, Y0, Y0
	VPSLLD     $6, Y2, Y2
	VPOR       Y1, Y0, Y0
	VPOR       Y2, Y0, Y0
	VMOVDQU    Y0, (SP)

	// The next events, below a bit that tells how many are used up.
	MOVQ  cursor+24(FP), BP
	MOVQ  pairCursor_event(BP), R11
	MOVQ  pairCursor_events(BP), R15
	MOVQ  R11, AX
	SHRQ  $3, AX
	MOVQ  (R15)(AX*1), R10
	ANDL  $7, R11
	SHRXQ R11, R10, R10
	BTSQ  $63, R10

	// Without a context and an event, all are empty.
	VPXOR     Y1, Y1, Y1
	VPCMPEQD  Y1, Y0, Y0
	VPMOVMSKB Y0, AX
	NOTL      AX
	MOVBLZX   R10, R11
	ORL       R11, AX
	MOVL      DX, R11
	ANDL      $LEFT, R11
	ORL       R11, AX
	JNE       pairs
	CMPQ      CX, $4
	JLT       pairs
	VMOVDQU   Y1, (SI)
	SHRQ      $8, R10
	SUBQ      $4, CX
	JMP       next

pairs:
	PAIR(0, 4)
	DECQ CX
	JEQ  next
	PAIR(8, 12)
	DECQ CX
	JEQ  next
	PAIR(16, 20)
	DECQ CX
	JEQ  next
	PAIR(24, 28)
	DECQ CX

next:
	BSRQ  R10, R10
	XORQ  $63, R10
	MOVQ  cursor+24(FP), BP
	ADDQ  R10, pairCursor_event(BP)
	ADDQ  $32, SI
	ADDQ  $32, DI
	TESTQ CX, CX
	JNE   fourPairs

	SHRL $(const_contextBit-const_codewordBits), DX
	ANDL $(7<<const_codewordBits), DX
	MOVL DX, pairCursor_left(BP)
	SUBQ pairCursor_vlc(BP), R9
	SHLQ $3, R9
	SUBQ R8, R9
	MOVQ R9, pairCursor_position(BP)
	VZEROUPPER
	RET
