// NEON instructions that Go's assembler lacks, and those that other macros need with numbers of
// registers as parameters. Operands are in Go's order: the destination is the last. They are numbers:
// 3 is V3. A suffix gives the lanes as in Go: S4 is four lanes of 32 bits. After each instruction
// follows what GNU calls it; a test compares the two.
//
// Go does not build anew what includes this file when it changes, so never change what a name means.

// Floats.
#define VFADD_S4(m, n, d)   WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d)) // fadd Vd.4s, Vn.4s, Vm.4s
#define VFSUB_S4(m, n, d)   WORD $(0x4EA0D400 | (m)<<16 | (n)<<5 | (d)) // fsub Vd.4s, Vn.4s, Vm.4s
#define VFMUL_S4(m, n, d)   WORD $(0x6E20DC00 | (m)<<16 | (n)<<5 | (d)) // fmul Vd.4s, Vn.4s, Vm.4s
#define VFMIN_S4(m, n, d)   WORD $(0x4EA0F400 | (m)<<16 | (n)<<5 | (d)) // fmin Vd.4s, Vn.4s, Vm.4s
#define VFMAXNM_S4(m, n, d) WORD $(0x4E20C400 | (m)<<16 | (n)<<5 | (d)) // fmaxnm Vd.4s, Vn.4s, Vm.4s
#define VFCVTNS_S4(n, d)    WORD $(0x4E21A800 | (n)<<5 | (d))           // fcvtns Vd.4s, Vn.4s
#define VSCVTF_S4(n, d)     WORD $(0x4E21D800 | (n)<<5 | (d))           // scvtf Vd.4s, Vn.4s

// Integers.
#define VADD_S4(m, n, d)  WORD $(0x4EA08400 | (m)<<16 | (n)<<5 | (d))      // add Vd.4s, Vn.4s, Vm.4s
#define VSUB_S4(m, n, d)  WORD $(0x6EA08400 | (m)<<16 | (n)<<5 | (d))      // sub Vd.4s, Vn.4s, Vm.4s
#define VSMAX_S4(m, n, d) WORD $(0x4EA06400 | (m)<<16 | (n)<<5 | (d))      // smax Vd.4s, Vn.4s, Vm.4s
#define VSMIN_S4(m, n, d) WORD $(0x4EA06C00 | (m)<<16 | (n)<<5 | (d))      // smin Vd.4s, Vn.4s, Vm.4s
#define VSSHR_S4(k, n, d) WORD $(0x4F000400 | (64-(k))<<16 | (n)<<5 | (d)) // sshr Vd.4s, Vn.4s, #k
#define VSSRA_S4(k, n, d) WORD $(0x4F001400 | (64-(k))<<16 | (n)<<5 | (d)) // ssra Vd.4s, Vn.4s, #k
#define VUSRA_S4(k, n, d) WORD $(0x6F001400 | (64-(k))<<16 | (n)<<5 | (d)) // usra Vd.4s, Vn.4s, #k

// Conversions between sizes. Those that end in 2 read or write the upper half of a register.
#define VSXTL_H4(n, d)     WORD $(0x0F10A400 | (n)<<5 | (d))                // sxtl Vd.4s, Vn.4h
#define VSXTL2_H8(n, d)    WORD $(0x4F10A400 | (n)<<5 | (d))                // sxtl2 Vd.4s, Vn.8h
#define VSHRN_H4(k, n, d)  WORD $(0x0F008400 | (32-(k))<<16 | (n)<<5 | (d)) // shrn Vd.4h, Vn.4s, #k
#define VSHRN2_H8(k, n, d) WORD $(0x4F008400 | (32-(k))<<16 | (n)<<5 | (d)) // shrn2 Vd.8h, Vn.4s, #k
