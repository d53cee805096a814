// The macros of the passes in assembly. A pass goes through one block or through two, in turns of one
// coefficient. A symbol waits for the one before it in its block, so two blocks take less than twice
// the time of one.
//
// Each block has a lane: a part of the stack at the offset L, and four registers:
//
//	T  what is left of the group, in the form of its masks
//	A  coder.width
//	C  coder.code, with a mark of 1 after the bits that were read ahead: they are too few once the lower
//	   half is 0
//	P  address of the first of the group's slots in field.around
//
// Both lanes share
//
//	CX   the bit of the coefficient in the group's masks
//	SI   the context of the symbol
//	R14  the decoded symbol
//	DX, DI, BP, R8  scratch

// The part of a lane begins with the contexts.
#define STATE(L) (L)(SP)(SI*8)
#define LPS(L) (L+6)(SP)(SI*8)  // the upper 16 bits of STATE
#define POSITION(L) (L+160)(SP) // coder.position
#define PLAIN(L) (L+168)(SP)    // address of coder.plain, and its length
#define LENGTH(L) (L+176)(SP)
#define FRAME(L) (L+184)(SP)
#define ZERO(L) (L+192)(SP)   // the table of significance contexts
#define GROUP(L) (L+200)(SP)  // address of the group
#define LEFT(L) (L+208)(SP)   // groups that are left in its stripe
#define VALUES(L) (L+216)(SP) // address of the values of slots, less four times that of field.around

// What these are of the group depends on the pass: in a significance pass what was found, what was to be
// coded at first, and what may be found; in a refinement pass what was refined before, and what was not but
// has significant neighbors; in a cleanup pass the quiet columns.
#define MASK(L) (L+224)(SP)
#define BESIDES(L) (L+232)(SP)
#define OPEN(L) (L+240)(SP)

// These are of the coefficient: its bit, the symbol whether it is significant, its signContext.
#define BIT(L) (L+248)(SP)
#define FOUND(L) (L+256)(SP)
#define SIGN(L) (L+264)(SP)
#define MARK(L) (L+265)(SP)

// These are copies of fields of the frame.
#define WRITTEN(L) (L+272)(SP)
#define BELOW(L) (L+288)(SP)
#define ABOVE(L) (L+320)(SP)
#define TELLS(L) (L+352)(SP)

// LANE is the offset of the second lane.
#define LANE 384

// LINK and UNLINK load and store two contexts, with the offsets in their states as addresses in
// linkedTransitions, which begins at X1.
#define LINK(L, at) \
	MOVOU (coder_contexts+at)(SI), X0 \
	PADDQ X1, X0                      \
	MOVOU X0, (L+at)(SP)

#define UNLINK(L, at) \
	MOVOU (L+at)(SP), X0              \
	PSUBQ X1, X0                      \
	MOVOU X0, (coder_contexts+at)(SI)

// COPY copies 16 bytes of the frame in DI to the lane.
#define COPY(from, to) \
	MOVOU from, X0 \
	MOVOU X0, to

// ENTER loads a lane from the frame in DI, so that its group is the one before the first.
#define ENTER(L, T, A, C, P) \
	MOVQ  DI, FRAME(L)                    \
	MOVQ  passFrame_coder(DI), SI         \
	MOVQ  passFrame_linked(DI), X1        \
	PUNPCKLQDQ X1, X1                     \
	LINK(L, 0)                            \
	LINK(L, 16)                           \
	LINK(L, 32)                           \
	LINK(L, 48)                           \
	LINK(L, 64)                           \
	LINK(L, 80)                           \
	LINK(L, 96)                           \
	LINK(L, 112)                          \
	LINK(L, 128)                          \
	LINK(L, 144)                          \
	MOVQ  coder_position(SI), DX          \
	MOVQ  DX, POSITION(L)                 \
	MOVQ  coder_plain(SI), DX             \
	MOVQ  DX, PLAIN(L)                    \
	MOVQ  (coder_plain+8)(SI), DX         \
	MOVQ  DX, LENGTH(L)                   \
	MOVQ  coder_width(SI), A              \
	MOVQ  coder_code(SI), C               \
	MOVL  $(const_widthShift-1), DX       \
	SUBQ  coder_ahead(SI), DX             \
	BTSQ  DX, C                           \
	MOVQ  passFrame_zero(DI), DX          \
	MOVQ  DX, ZERO(L)                     \
	MOVQ  passFrame_groups(DI), DX        \
	SUBQ  $group__size, DX                \
	MOVQ  DX, GROUP(L)                    \
	MOVQ  passFrame_width(DI), DX         \
	INCQ  DX                              \
	MOVQ  DX, LEFT(L)                     \
	COPY(passFrame_written(DI), WRITTEN(L)) \
	COPY((passFrame_below+0)(DI), BELOW(L)) \
	COPY((passFrame_below+16)(DI), BELOW(L+16)) \
	COPY((passFrame_above+0)(DI), ABOVE(L)) \
	COPY((passFrame_above+16)(DI), ABOVE(L+16)) \
	COPY((passFrame_tells+0)(DI), TELLS(L)) \
	COPY((passFrame_tells+16)(DI), TELLS(L+16)) \
	MOVQ  passFrame_around(DI), P         \
	LEAQ  (P*4), DX                       \
	MOVQ  passFrame_values(DI), SI        \
	SUBQ  DX, SI                          \
	MOVQ  SI, VALUES(L)                   \
	SUBQ  $const_groupSlots, P            \
	MOVQ  $0, MASK(L)                     \
	MOVQ  $0, OPEN(L)                     \
	MOVQ  $0, BESIDES(L)                  \
	XORL  T, T

// LEAVE stores what a lane has changed.
#define LEAVE(L, A, C) \
	MOVQ  FRAME(L), DI                    \
	MOVQ  passFrame_coder(DI), SI         \
	MOVQ  passFrame_linked(DI), X1        \
	PUNPCKLQDQ X1, X1                     \
	UNLINK(L, 0)                          \
	UNLINK(L, 16)                         \
	UNLINK(L, 32)                         \
	UNLINK(L, 48)                         \
	UNLINK(L, 64)                         \
	UNLINK(L, 80)                         \
	UNLINK(L, 96)                         \
	UNLINK(L, 112)                        \
	UNLINK(L, 128)                        \
	UNLINK(L, 144)                        \
	TZCNTQ C, DX                          \
	BTRQ  DX, C                           \
	NEGQ  DX                              \
	ADDQ  $(const_widthShift-1), DX       \
	MOVQ  DX, coder_ahead(SI)             \
	MOVQ  POSITION(L), DX                 \
	MOVQ  DX, coder_position(SI)          \
	MOVQ  A, coder_width(SI)              \
	MOVQ  C, coder_code(SI)

// NEXT_GROUP goes to the next group, or jumps to done if there is none. It loads the address of the
// group into DI.
#define NEXT_GROUP(L, P, group, done) \
	ADDQ $const_groupSlots, P             \
	ADDQ $group__size, GROUP(L)           \
	DECQ LEFT(L)                          \
	JNE  group                            \
	MOVQ FRAME(L), DI                     \
	ADDQ passFrame_toStripe(DI), P        \
	ADDQ $(2*group__size), GROUP(L)       \
	MOVQ passFrame_width(DI), DX          \
	MOVQ DX, LEFT(L)                      \
	DECQ passFrame_stripes(DI)            \
	JEQ  done                             \
group: \
	MOVQ GROUP(L), DI

// BESIDE sets own to what is significant in the group at an address, and to to what is significant to
// the left or right of each coefficient. Its Go twin is field.beside.
#define BESIDE(at, own, to, scratch) \
	MOVQ group_significant(at), own                   \
	MOVQ own, to                                      \
	SHLQ $const_stripeRows, to                        \
	MOVQ own, scratch                                 \
	SHRQ $const_stripeRows, scratch                   \
	ORQ  scratch, to                                  \
	MOVQ (group_significant-group__size)(at), scratch \
	SHRQ $const_lastColumn, scratch                   \
	ORQ  scratch, to                                  \
	MOVQ (group_significant+group__size)(at), scratch \
	SHLQ $const_lastColumn, scratch                   \
	ORQ  scratch, to

// WITH_NEIGHBORS sets DX to what has significant neighbors in the group at DI, and SI to what is
// significant. It uses CX, BP, R8 and R14. Its Go twin is field.withNeighbors.
#define WITH_NEIGHBORS(L) \
	MOVQ  FRAME(L), CX                  \
	MOVQ  DI, R14                       \
	SUBQ  passFrame_groupStride(CX), R14 \
	BESIDE(R14, BP, DX, R8)             \ // above
	ORQ   BP, DX                        \
	SHRQ  $const_lastRow, DX            \
	MOVQ  $const_firstRows, R8          \
	ANDQ  R8, DX                        \
	MOVQ  DI, R14                       \
	ADDQ  passFrame_groupStride(CX), R14 \
	BESIDE(R14, BP, SI, R8)             \ // below
	ORQ   BP, SI                        \
	SHLQ  $const_lastRow, SI            \
	ANDQ  passFrame_fromBelow(CX), SI   \
	ORQ   SI, DX                        \
	BESIDE(DI, SI, BP, R8)              \
	ORQ   BP, DX                        \
	ORQ   SI, BP                        \
	MOVQ  BP, R14                       \
	SHLQ  $1, R14                       \
	MOVQ  $const_firstRows, R8          \
	ANDNQ R14, R8, R14                  \
	ORQ   R14, DX                       \
	SHRQ  $1, BP                        \
	SHLQ  $const_lastRow, R8            \
	ANDNQ BP, R8, BP                    \
	ORQ   BP, DX

// ZERO_CONTEXT sets SI to the significance context of the coefficient.
#define ZERO_CONTEXT(L, P) \
	MOVQ    ZERO(L), DI     \
	MOVBLZX (P)(CX*1), DX   \
	MOVBLZX (DI)(DX*1), SI

// NEIGHBORS sets SI, BP and R8 to the addresses in field.around of the coefficient and of those below
// and above.
#define NEIGHBORS(L, P) \
	MOVL CX, DX                \
	ANDL $const_lastRow, DX    \
	LEAQ (P)(CX*1), SI         \
	MOVQ BELOW(L)(DX*8), BP    \
	ADDQ SI, BP                \
	MOVQ ABOVE(L)(DX*8), R8    \
	ADDQ SI, R8

// SIGN_CONTEXT sets DI to the entry of signContexts for the coefficient of NEIGHBORS. It uses DX and
// R14. Its Go twin is scan.straight.
#define SIGN_CONTEXT(L) \
	MOVBLZX (SI), DX              \
	ANDL    $const_straights, DX  \
	MOVQ    VALUES(L), DI         \
	MOVL    $(1<<31-1), R14       \ // less than the values of negative coefficients
	CMPL    R14, (DI)(BP*4)       \
	ADCL    DX, DX                \
	CMPL    R14, 16(DI)(SI*4)     \
	ADCL    DX, DX                \
	CMPL    R14, -16(DI)(SI*4)    \
	ADCL    DX, DX                \
	CMPL    R14, (DI)(R8*4)       \
	ADCL    DX, DX                \
	LEAQ    ·signContexts(SB), DI \
	MOVWLZX (DI)(DX*2), DI

// TELL tells the neighbors of the coefficient of NEIGHBORS that it is significant if R14 is 1. It does
// not wait for the sign, since the contexts that follow wait for it. It uses DX, and leaves CX as the
// row. Its Go twin is field.markSignificant.
#define TELL(L) \
	ORB  R14, (BP)             \ // north
	ANDL $const_lastRow, CX    \
	MOVQ TELLS(L)(CX*8), DX    \
	ANDL R14, DX               \
	ADDL R14, R14              \
	ORB  R14, 4(SI)            \ // west
	ADDL R14, R14              \
	ORB  R14, -4(SI)           \ // east
	SHLL $2, R14               \
	ORB  R14, 4(BP)            \ // northWest
	ADDL R14, R14              \
	ORB  R14, -4(BP)           \ // northEast
	SHLL $3, DX                \
	ORB  DX, (R8)              \ // south
	SHLL $3, DX                \
	ORB  DX, 4(R8)             \ // southWest
	ADDL DX, DX                \
	ORB  DX, -4(R8)            // southEast

// BECOME writes the value of the coefficient BIT. R14 holds the symbol of the sign in the context SIGN.
// Its Go twin is scan.become.
#define BECOME(L, P) \
	MOVBLZX MARK(L), DX           \
	XORL DX, R14                  \ // bit 0: negative; bit 1: significant
	MOVL WRITTEN(L)(R14*4), DX    \
	MOVQ BIT(L), CX               \
	MOVQ VALUES(L), R8            \
	LEAQ (R8)(P*4), R8            \
	MOVL DX, (R8)(CX*4)

// A significance pass codes a coefficient in three steps, and two blocks take turns at each step. Whether
// a coefficient becomes significant is as good as random, so that there is no branch: a sign is always
// decoded, if there is none in a context that changes nothing.

// SIGNIFICANCE decodes whether a coefficient becomes significant. If so, more is left.
#define SIGNIFICANCE(L, T, A, C, P, endGroup, coefficient, refill, refilled) \
	TESTQ  T, T                      \
	JEQ    endGroup                  \
coefficient: \
	TZCNTQ T, CX                     \
	BLSRQ  T, T                      \
	MOVQ   CX, BIT(L)                \
	ZERO_CONTEXT(L, P)               \
	DECODE(L, A, C, refill, refilled) \
	MOVQ   R14, FOUND(L)             \
	SHLXQ  CX, R14, DX               \
	ORQ    DX, MASK(L)               \
	NEGQ   R14                       \
	LEAQ   ·following(SB), DX        \
	ANDQ   (DX)(CX*8), R14           \
	ANDQ   OPEN(L), R14              \
	ORQ    R14, T

// POSSIBLE_SIGN finds the context of the sign, and tells the neighbors what was found.
#define POSSIBLE_SIGN(L, P) \
	MOVQ    BIT(L), CX               \
	NEIGHBORS(L, P)                  \
	SIGN_CONTEXT(L)                  \
	MOVL    $const_idleContext, DX   \
	MOVQ    FOUND(L), R14            \
	TESTL   R14, R14                 \
	CMOVLEQ DX, DI                   \
	MOVQ    DI, SIGN(L)              \
	TELL(L)

// SIGN_OR_NONE decodes the sign, and writes the value of the coefficient.
#define SIGN_OR_NONE(L, A, C, P, refill, refilled) \
	MOVBLZX SIGN(L), SI           \
	DECODE(L, A, C, refill, refilled) \
	BECOME(L, P)

// SIGNIFICANCE_REST is the out-of-line part of a significance pass. What was to be coded at first was
// visited, and so was what follows something that was found.
#define SIGNIFICANCE_REST(L, T, A, C, P, endGroup, group, coefficient, done, refill, ones, refilled, refillSign, onesSign, refilledSign) \
endGroup: \
	MOVQ  GROUP(L), DI               \
	MOVQ  MASK(L), DX                \
	ORQ   DX, group_significant(DI)  \
	MOVQ  DX, SI                     \
	SHLQ  $const_stripeRows, SI      \ // in the same row
	MOVQ  $const_firstRows, R8       \
	ANDNQ DX, R8, BP                 \
	SHLQ  $const_lastRow, BP         \
	ORQ   BP, SI                     \ // in the row above
	SHLQ  $const_lastRow, R8         \
	ANDNQ DX, R8, DX                 \
	ADDQ  DX, DX                     \
	ORQ   DX, SI                     \ // below
	SHLQ  $const_stripeRows, DX      \
	ORQ   DX, SI                     \ // in the row below
	ANDQ  OPEN(L), SI                \
	ORQ   BESIDES(L), SI             \
	MOVQ  SI, group_visited(DI)      \
	NEXT_GROUP(L, P, group, done)    \
	WITH_NEIGHBORS(L)                \
	ANDNQ group_inside(DI), SI, SI   \
	MOVQ  SI, OPEN(L)                \
	ANDQ  SI, DX                     \
	MOVQ  DX, T                      \
	MOVQ  DX, BESIDES(L)             \
	MOVQ  $0, MASK(L)                \
	TESTQ T, T                       \
	JEQ   endGroup                   \
	JMP   coefficient                \
	REFILL(L, C, refill, ones, refilled) \
	REFILL(L, C, refillSign, onesSign, refilledSign)

// REFINEMENT codes a coefficient of a refinement pass. Its Go twin is refinementPass. The value
// grows after a 1 and shrinks after a 0.
#define REFINEMENT(L, T, A, C, P, endGroup, coefficient, refill, refilled) \
	TESTQ  T, T                      \
	JEQ    endGroup                  \
coefficient: \
	TZCNTQ T, CX                     \
	BLSRQ  T, T                      \
	SHRXQ  CX, MASK(L), SI           \
	SHRXQ  CX, BESIDES(L), DX         \
	ANDL   $1, SI                    \
	ANDL   $1, DX                    \
	LEAL   const_magnitudeContext(DX)(SI*2), SI \
	DECODE(L, A, C, refill, refilled) \
	MOVL   WRITTEN(L)(R14*4), R14   \
	MOVQ   VALUES(L), DX             \
	LEAQ   (DX)(P*4), DX             \
	ADDL   R14, (DX)(CX*4)

// REFINEMENT_REST is the out-of-line part of REFINEMENT.
#define REFINEMENT_REST(L, T, A, C, P, endGroup, group, coefficient, done, refill, ones, refilled) \
endGroup: \
	NEXT_GROUP(L, P, group, done)    \
	MOVQ  group_significant(DI), T   \
	MOVQ  group_visited(DI), DX      \
	ANDNQ T, DX, T                   \
	JEQ   endGroup                   \
	WITH_NEIGHBORS(L)                \
	MOVQ  group_refined(DI), R8      \
	MOVQ  R8, MASK(L)                \
	ANDNQ DX, R8, DX                 \
	MOVQ  DX, BESIDES(L)              \
	ORQ   T, R8                      \
	MOVQ  R8, group_refined(DI)      \
	JMP   coefficient                \
	REFILL(L, C, refill, ones, refilled)

// CLEANUP codes a coefficient of a cleanup pass. Its Go twin is cleanupPass.
#define CLEANUP(L, T, A, C, P, endGroup, coefficient, quiet, found, next, refill, refilled) \
	TESTQ  T, T                      \
	JEQ    endGroup                  \
coefficient: \
	TZCNTQ T, CX                     \
	BLSRQ  T, T                      \
	MOVQ   MASK(L), DX               \
	BTQ    CX, DX                    \
	JCS    quiet                     \
	ZERO_CONTEXT(L, P)               \
	DECODE(L, A, C, refill, refilled) \
	TESTL  R14, R14                  \
	JNE    found                     \
next:

// QUIET decodes whether a quiet column remains quiet. It usually does, and the interval usually remains
// wide enough, so that has a short path. If not, two symbols give the row of the first significant
// coefficient, and the rows below it are left.
#define QUIET(L, T, A, C, run, found, next, refillRun, refilledRun, refillHigh, refilledHigh, refillLow, refilledLow) \
	MOVL  $const_runContext, SI      \
	MOVQ  STATE(L), DX               \
	MOVQ  DX, DI                     \
	SHRQ  $const_widthShift, DX      \
	SHLQ  $const_widthShift, DX      \
	CMPQ  C, DX                      \
	JCS   run                        \
	MOVQ  A, R8                      \
	SUBQ  DX, R8                     \
	JPL   run                        \
	TESTL $1, DI                     \
	JNE   run                        \
	MOVQ  R8, A                      \
	SUBQ  DX, C                      \
	JMP   next                       \
run: \
	DECODE(L, A, C, refillRun, refilledRun) \
	TESTL R14, R14                   \
	JEQ   next                       \
	MOVL  $const_columnMask, DX      \
	SHLXQ CX, DX, DX                 \
	ORQ   DX, T                      \
	MOVL  $const_uniformContext, SI  \
	DECODE(L, A, C, refillHigh, refilledHigh) \
	LEAL  (CX)(R14*2), CX            \
	DECODE(L, A, C, refillLow, refilledLow) \
	ADDL  R14, CX                    \
	MOVQ  $-2, DX                    \
	SHLXQ CX, DX, DX                 \
	ANDQ  DX, T                      \
	JMP   found

// CLEANUP_REST is the out-of-line part of CLEANUP, but for the label of QUIET.
#define CLEANUP_REST(L, T, A, C, P, endGroup, group, coefficient, found, next, done, refill, ones, refilled, refillSign, onesSign, refilledSign) \
endGroup: \
	NEXT_GROUP(L, P, group, done)    \
	WITH_NEIGHBORS(L)                \
	ORQ   SI, DX                     \
	MOVQ  group_inside(DI), T        \
	MOVQ  T, R8                      \
	NOTQ  R8                         \
	ORQ   R8, DX                     \
	MOVQ  DX, R8                     \
	SHRQ  $1, R8                     \
	ORQ   R8, DX                     \
	MOVQ  DX, R8                     \
	SHRQ  $2, R8                     \
	ORQ   R8, DX                     \
	MOVQ  $const_firstRows, R8       \
	ANDNQ R8, DX, R8                 \
	MOVQ  R8, MASK(L)                \
	ANDNQ T, SI, T                   \
	MOVQ  group_visited(DI), DX      \
	ANDNQ T, DX, T                   \
	MOVQ  $0, group_visited(DI)      \
	LEAQ  (R8)(R8*1), DX             \ // the first row stands for a quiet column
	SHLQ  $const_stripeRows, R8      \
	SUBQ  DX, R8                     \
	ANDNQ T, R8, T                   \
	JEQ   endGroup                   \
	JMP   coefficient                \
found: \
	MOVQ  CX, BIT(L)                 \
	MOVQ  GROUP(L), DI               \
	MOVL  $1, DX                     \
	SHLXQ CX, DX, DX                 \
	ORQ   DX, group_significant(DI)  \
	NEIGHBORS(L, P)                  \
	SIGN_CONTEXT(L)                  \
	MOVQ  DI, SIGN(L)                \
	MOVL  $1, R14                    \
	TELL(L)                          \
	SIGN_OR_NONE(L, A, C, P, refillSign, refilledSign) \
	ANDL  $const_columnBits, CX      \ // the next column is no longer quiet
	MOVL  $1, DX                     \
	SHLXQ CX, DX, DX                 \
	SHLQ  $const_stripeRows, DX      \
	ANDQ  MASK(L), DX                \
	XORQ  DX, MASK(L)                \
	MOVQ  DX, SI                     \
	SHLQ  $const_stripeRows, SI      \
	SUBQ  DX, SI                     \
	ORQ   SI, T                      \
	JMP   next                       \
	REFILL(L, C, refill, ones, refilled) \
	REFILL(L, C, refillSign, onesSign, refilledSign)
