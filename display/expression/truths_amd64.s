//go:build !purego

#include "textflag.h"
#include "vectors_amd64.h"

// lessVectors computes to = a < b. Twin: lessEach. Y15 holds 1.
// func lessVectors(to, a, b, c *float64, steps int)
TEXT ·lessVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

loop:
	COMPARISON($0x11)
	JNZ loop
	VZEROUPPER
	RET

// lessOrEqualVectors computes to = a <= b. Twin: lessOrEqualEach. Y15 holds 1.
// func lessOrEqualVectors(to, a, b, c *float64, steps int)
TEXT ·lessOrEqualVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

loop:
	COMPARISON($0x12)
	JNZ loop
	VZEROUPPER
	RET

// equalVectors computes to = a == b. Twin: isEqual. Y15 holds 1.
// func equalVectors(to, a, b, c *float64, steps int)
TEXT ·equalVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

loop:
	COMPARISON($0)
	JNZ loop
	VZEROUPPER
	RET

// notEqualVectors computes to = a != b. Twin: isNotEqual. Y15 holds 1.
// func notEqualVectors(to, a, b, c *float64, steps int)
TEXT ·notEqualVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

loop:
	COMPARISON($4)
	JNZ loop
	VZEROUPPER
	RET

// andVectors computes to = a & b for booleans. Twin: andEach.
// func andVectors(to, a, b, c *float64, steps int)
TEXT ·andVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	BINARY(VANDPD)
	JNZ loop
	VZEROUPPER
	RET

// orVectors computes to = a | b for booleans. Twin: orEach.
// func orVectors(to, a, b, c *float64, steps int)
TEXT ·orVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	BINARY(VORPD)
	JNZ loop
	VZEROUPPER
	RET

// notVectors computes to = 1 - a for booleans. Twin: isFalse. Y15 holds 1.
// func notVectors(to, a, b, c *float64, steps int)
TEXT ·notVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

loop:
	WITH_MASK(VXORPD)
	JNZ loop
	VZEROUPPER
	RET

// chooseVectors computes to = b where a is true, and c elsewhere. Twin: chooseEach. It moves the
// highest bit of the pattern of 1 to the sign, by which VBLENDVPD selects.
//
//	Y0, Y1  a, shifted
//	Y2, Y3  c, then the result
//

// func chooseVectors(to, a, b, c *float64, steps int)
TEXT ·chooseVectors(SB), NOSPLIT, $0-40
	BEGIN

loop:
	LOAD_A
	VPSLLQ    $2, Y0, Y0
	VPSLLQ    $2, Y1, Y1
	VMOVUPD   (R8)(BX*1), Y2
	VMOVUPD   32(R8)(BX*1), Y3
	VBLENDVPD Y0, (DX)(BX*1), Y2, Y2
	VBLENDVPD Y1, 32(DX)(BX*1), Y3, Y3
	STORE(Y2, Y3)
	JNZ       loop
	VZEROUPPER
	RET

// isNaNVectors computes to = 1 where a is NaN, and 0 elsewhere. Twin: isNaNValue. Y15 holds 1.
// func isNaNVectors(to, a, b, c *float64, steps int)
TEXT ·isNaNVectors(SB), NOSPLIT, $0-40
	BEGIN
	BROADCAST(ONE, X15, Y15)

loop:
	LOAD_A
	VCMPPD $3, Y0, Y0, Y0
	VCMPPD $3, Y1, Y1, Y1
	VANDPD Y15, Y0, Y0
	VANDPD Y15, Y1, Y1
	STORE(Y0, Y1)
	JNZ    loop
	VZEROUPPER
	RET
