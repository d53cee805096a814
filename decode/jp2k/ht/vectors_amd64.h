// Constants of 32 bytes.

#define DWORDS(name, a, b, c, d, e, f, g, h) \
	DATA name<>+0(SB)/4, $a  \
	DATA name<>+4(SB)/4, $b  \
	DATA name<>+8(SB)/4, $c  \
	DATA name<>+12(SB)/4, $d \
	DATA name<>+16(SB)/4, $e \
	DATA name<>+20(SB)/4, $f \
	DATA name<>+24(SB)/4, $g \
	DATA name<>+28(SB)/4, $h \
	GLOBL name<>(SB), RODATA|NOPTR, $32

#define ALL(name, value) DWORDS(name, value, value, value, value, value, value, value, value)
