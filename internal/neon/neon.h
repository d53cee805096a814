// NEON instructions that Go's assembler lacks, and those that other macros need with numbers of
// registers as parameters. Operands are in Go's order: the destination is the last. They are
// numbers: 3 is V3. A suffix gives the lanes as in Go: S4 is four lanes of 32 bits. After each
// instruction follows what GNU calls it; a test compares the two.
//
// Go does not build anew what includes this file when it changes, so never change what a name
// means.

// Floats.
#define VFADD_D2(m, n, d)      WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d))           // fadd Vd.2d, Vn.2d, Vm.2d
#define VFSUB_D2(m, n, d)      WORD $(0x4EE0D400 | (m)<<16 | (n)<<5 | (d))           // fsub Vd.2d, Vn.2d, Vm.2d
#define VFMUL_D2(m, n, d)      WORD $(0x6E60DC00 | (m)<<16 | (n)<<5 | (d))           // fmul Vd.2d, Vn.2d, Vm.2d
#define VFMUL_D2_D(i, m, n, d) WORD $(0x4FC09000 | (i)<<11 | (m)<<16 | (n)<<5 | (d)) // fmul Vd.2d, Vn.2d, Vm.d[i]
#define VFADDP_D(n, d)         WORD $(0x7E70D800 | (n)<<5 | (d))                     // faddp Dd, Vn.2d
#define VUCVTF_D2(k, n, d)     WORD $(0x6F00E400 | (128-(k))<<16 | (n)<<5 | (d))     // ucvtf Vd.2d, Vn.2d, #k
#define VUCVTF_S4(n, d)        WORD $(0x6E21D800 | (n)<<5 | (d))                     // ucvtf Vd.4s, Vn.4s
#define VFCVTL_S2(n, d)        WORD $(0x0E617800 | (n)<<5 | (d))                     // fcvtl Vd.2d, Vn.2s
#define VFCVTL2_S4(n, d)       WORD $(0x4E617800 | (n)<<5 | (d))                     // fcvtl2 Vd.2d, Vn.4s
#define VFCVTN_S2(n, d)        WORD $(0x0E616800 | (n)<<5 | (d))                     // fcvtn Vd.2s, Vn.2d
#define VFCVTN2_S4(n, d)       WORD $(0x4E616800 | (n)<<5 | (d))                     // fcvtn2 Vd.4s, Vn.2d
#define VFADD_S4(m, n, d)      WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d))           // fadd Vd.4s, Vn.4s, Vm.4s
#define VFSUB_S4(m, n, d)      WORD $(0x4EA0D400 | (m)<<16 | (n)<<5 | (d))           // fsub Vd.4s, Vn.4s, Vm.4s
#define VFMUL_S4(m, n, d)      WORD $(0x6E20DC00 | (m)<<16 | (n)<<5 | (d))           // fmul Vd.4s, Vn.4s, Vm.4s
#define VFMIN_S4(m, n, d)      WORD $(0x4EA0F400 | (m)<<16 | (n)<<5 | (d))           // fmin Vd.4s, Vn.4s, Vm.4s
#define VFMAXNM_S4(m, n, d)    WORD $(0x4E20C400 | (m)<<16 | (n)<<5 | (d))           // fmaxnm Vd.4s, Vn.4s, Vm.4s
#define VFCVTNS_S4(n, d)       WORD $(0x4E21A800 | (n)<<5 | (d))                     // fcvtns Vd.4s, Vn.4s
#define VSCVTF_S4(n, d)        WORD $(0x4E21D800 | (n)<<5 | (d))                     // scvtf Vd.4s, Vn.4s

// Integers.
#define VADD_S4(m, n, d)     WORD $(0x4EA08400 | (m)<<16 | (n)<<5 | (d))      // add Vd.4s, Vn.4s, Vm.4s
#define VSUB_S4(m, n, d)     WORD $(0x6EA08400 | (m)<<16 | (n)<<5 | (d))      // sub Vd.4s, Vn.4s, Vm.4s
#define VMLA_S4(m, n, d)     WORD $(0x4EA09400 | (m)<<16 | (n)<<5 | (d))      // mla Vd.4s, Vn.4s, Vm.4s
#define VMLS_S4(m, n, d)     WORD $(0x6EA09400 | (m)<<16 | (n)<<5 | (d))      // mls Vd.4s, Vn.4s, Vm.4s
#define VSMAX_S4(m, n, d)    WORD $(0x4EA06400 | (m)<<16 | (n)<<5 | (d))      // smax Vd.4s, Vn.4s, Vm.4s
#define VSMIN_S4(m, n, d)    WORD $(0x4EA06C00 | (m)<<16 | (n)<<5 | (d))      // smin Vd.4s, Vn.4s, Vm.4s
#define VUMAX_S4(m, n, d)    WORD $(0x6EA06400 | (m)<<16 | (n)<<5 | (d))      // umax Vd.4s, Vn.4s, Vm.4s
#define VABS_S4(n, d)        WORD $(0x4EA0B800 | (n)<<5 | (d))                // abs Vd.4s, Vn.4s
#define VUMAXV_S4(n, d)      WORD $(0x6EB0A800 | (n)<<5 | (d))                // umaxv Sd, Vn.4s
#define VSSHR_S4(k, n, d)    WORD $(0x4F000400 | (64-(k))<<16 | (n)<<5 | (d)) // sshr Vd.4s, Vn.4s, #k
#define VSSRA_S4(k, n, d)    WORD $(0x4F001400 | (64-(k))<<16 | (n)<<5 | (d)) // ssra Vd.4s, Vn.4s, #k
#define VUSRA_S4(k, n, d)    WORD $(0x6F001400 | (64-(k))<<16 | (n)<<5 | (d)) // usra Vd.4s, Vn.4s, #k
#define VMUL_H8(m, n, d)     WORD $(0x4E609C00 | (m)<<16 | (n)<<5 | (d))      // mul Vd.8h, Vn.8h, Vm.8h
#define VMLA_H8(m, n, d)     WORD $(0x4E609400 | (m)<<16 | (n)<<5 | (d))      // mla Vd.8h, Vn.8h, Vm.8h
#define VSQDMULH_H8(m, n, d) WORD $(0x4E60B400 | (m)<<16 | (n)<<5 | (d))      // sqdmulh Vd.8h, Vn.8h, Vm.8h
#define VSRSRA_H8(k, n, d)   WORD $(0x4F003400 | (32-(k))<<16 | (n)<<5 | (d)) // srsra Vd.8h, Vn.8h, #k
#define VUSRA_H8(k, n, d)    WORD $(0x6F001400 | (32-(k))<<16 | (n)<<5 | (d)) // usra Vd.8h, Vn.8h, #k
#define VSSHR_H8(k, n, d)    WORD $(0x4F000400 | (32-(k))<<16 | (n)<<5 | (d)) // sshr Vd.8h, Vn.8h, #k
#define VSSRA_H8(k, n, d)    WORD $(0x4F001400 | (32-(k))<<16 | (n)<<5 | (d)) // ssra Vd.8h, Vn.8h, #k
#define VSMAX_H8(m, n, d)    WORD $(0x4E606400 | (m)<<16 | (n)<<5 | (d))      // smax Vd.8h, Vn.8h, Vm.8h
#define VSMIN_H8(m, n, d)    WORD $(0x4E606C00 | (m)<<16 | (n)<<5 | (d))      // smin Vd.8h, Vn.8h, Vm.8h
#define VUMAX_H8(m, n, d)    WORD $(0x6E606400 | (m)<<16 | (n)<<5 | (d))      // umax Vd.8h, Vn.8h, Vm.8h
#define VABS_H8(n, d)        WORD $(0x4E60B800 | (n)<<5 | (d))                // abs Vd.8h, Vn.8h
#define VUMAXV_H8(n, d)      WORD $(0x6E70A800 | (n)<<5 | (d))                // umaxv Hd, Vn.8h
#define VADD_H8(m, n, d)     WORD $(0x4E608400 | (m)<<16 | (n)<<5 | (d))      // add Vd.8h, Vn.8h, Vm.8h
#define VSUB_H8(m, n, d)     WORD $(0x6E608400 | (m)<<16 | (n)<<5 | (d))      // sub Vd.8h, Vn.8h, Vm.8h

// Lanes of two registers.
#define VEXT_B16(k, m, n, d) WORD $(0x6E000000 | (m)<<16 | (k)<<11 | (n)<<5 | (d)) // ext Vd.16b, Vn.16b, Vm.16b, #k

// Conversions between sizes. Those that end in 2 read or write the upper half of a register.
#define VSSHLL_B8(k, n, d)    WORD $(0x0F08A400 | (k)<<16 | (n)<<5 | (d))      // sshll Vd.8h, Vn.8b, #k
#define VSSHLL_H4(k, n, d)    WORD $(0x0F10A400 | (k)<<16 | (n)<<5 | (d))      // sshll Vd.4s, Vn.4h, #k
#define VSSHLL2_H8(k, n, d)   WORD $(0x4F10A400 | (k)<<16 | (n)<<5 | (d))      // sshll2 Vd.4s, Vn.8h, #k
#define VSSHLL2_B16(k, n, d)  WORD $(0x4F08A400 | (k)<<16 | (n)<<5 | (d))      // sshll2 Vd.8h, Vn.16b, #k
#define VUSHLL_H4(k, n, d)    WORD $(0x2F10A400 | (k)<<16 | (n)<<5 | (d))      // ushll Vd.4s, Vn.4h, #k
#define VUSHLL2_H8(k, n, d)   WORD $(0x6F10A400 | (k)<<16 | (n)<<5 | (d))      // ushll2 Vd.4s, Vn.8h, #k
#define VUSHLL_B8(k, n, d)    WORD $(0x2F08A400 | (k)<<16 | (n)<<5 | (d))      // ushll Vd.8h, Vn.8b, #k
#define VSHLL_B8(n, d)        WORD $(0x2E213800 | (n)<<5 | (d))                // shll Vd.8h, Vn.8b, #8
#define VXTN_B8(n, d)         WORD $(0x0E212800 | (n)<<5 | (d))                // xtn Vd.8b, Vn.8h
#define VRSHRN_H4(k, n, d)    WORD $(0x0F008C00 | (32-(k))<<16 | (n)<<5 | (d)) // rshrn Vd.4h, Vn.4s, #k
#define VSHRN_H4(k, n, d)     WORD $(0x0F008400 | (32-(k))<<16 | (n)<<5 | (d)) // shrn Vd.4h, Vn.4s, #k
#define VSHRN2_H8(k, n, d)    WORD $(0x4F008400 | (32-(k))<<16 | (n)<<5 | (d)) // shrn2 Vd.8h, Vn.4s, #k
#define VSHRN_B8(k, n, d)     WORD $(0x0F008400 | (16-(k))<<16 | (n)<<5 | (d)) // shrn Vd.8b, Vn.8h, #k
#define VSHRN2_B16(k, n, d)   WORD $(0x4F008400 | (16-(k))<<16 | (n)<<5 | (d)) // shrn2 Vd.16b, Vn.8h, #k
#define VRSHRN2_H8(k, n, d)   WORD $(0x4F008C00 | (32-(k))<<16 | (n)<<5 | (d)) // rshrn2 Vd.8h, Vn.4s, #k
#define VSQSHRN_B8(k, n, d)   WORD $(0x0F009400 | (16-(k))<<16 | (n)<<5 | (d)) // sqshrn Vd.8b, Vn.8h, #k
#define VSQSHRN2_B16(k, n, d) WORD $(0x4F009400 | (16-(k))<<16 | (n)<<5 | (d)) // sqshrn2 Vd.16b, Vn.8h, #k
#define VSQSHRN_H4(k, n, d)   WORD $(0x0F009400 | (32-(k))<<16 | (n)<<5 | (d)) // sqshrn Vd.4h, Vn.4s, #k
#define VSQSHRN2_H8(k, n, d)  WORD $(0x4F009400 | (32-(k))<<16 | (n)<<5 | (d)) // sqshrn2 Vd.8h, Vn.4s, #k
#define VSQXTUN_B8(n, d)      WORD $(0x2E212800 | (n)<<5 | (d))                // sqxtun Vd.8b, Vn.8h
#define VSQXTUN2_B16(n, d)    WORD $(0x6E212800 | (n)<<5 | (d))                // sqxtun2 Vd.16b, Vn.8h

// Products and sums of twice the size. MLAL and MLSL add products to d or subtract them from it.
#define VUMLAL_B8(m, n, d)   WORD $(0x2E208000 | (m)<<16 | (n)<<5 | (d)) // umlal Vd.8h, Vn.8b, Vm.8b
#define VUMLSL_B8(m, n, d)   WORD $(0x2E20A000 | (m)<<16 | (n)<<5 | (d)) // umlsl Vd.8h, Vn.8b, Vm.8b
#define VUMLAL_H4(m, n, d)   WORD $(0x2E608000 | (m)<<16 | (n)<<5 | (d)) // umlal Vd.4s, Vn.4h, Vm.4h
#define VUMLAL2_H8(m, n, d)  WORD $(0x6E608000 | (m)<<16 | (n)<<5 | (d)) // umlal2 Vd.4s, Vn.8h, Vm.8h
#define VUMLSL_H4(m, n, d)   WORD $(0x2E60A000 | (m)<<16 | (n)<<5 | (d)) // umlsl Vd.4s, Vn.4h, Vm.4h
#define VUMLSL2_H8(m, n, d)  WORD $(0x6E60A000 | (m)<<16 | (n)<<5 | (d)) // umlsl2 Vd.4s, Vn.8h, Vm.8h
#define VSMLAL_H4(m, n, d)   WORD $(0x0E608000 | (m)<<16 | (n)<<5 | (d)) // smlal Vd.4s, Vn.4h, Vm.4h
#define VSMLAL2_H8(m, n, d)  WORD $(0x4E608000 | (m)<<16 | (n)<<5 | (d)) // smlal2 Vd.4s, Vn.8h, Vm.8h
#define VSMLSL_H4(m, n, d)   WORD $(0x0E60A000 | (m)<<16 | (n)<<5 | (d)) // smlsl Vd.4s, Vn.4h, Vm.4h
#define VSMLSL2_H8(m, n, d)  WORD $(0x4E60A000 | (m)<<16 | (n)<<5 | (d)) // smlsl2 Vd.4s, Vn.8h, Vm.8h
#define VUADDW_B8(m, n, d)   WORD $(0x2E201000 | (m)<<16 | (n)<<5 | (d)) // uaddw Vd.8h, Vn.8h, Vm.8b
#define VUADDW2_B16(m, n, d) WORD $(0x6E201000 | (m)<<16 | (n)<<5 | (d)) // uaddw2 Vd.8h, Vn.8h, Vm.16b
#define VUSUBL_B8(m, n, d)   WORD $(0x2E202000 | (m)<<16 | (n)<<5 | (d)) // usubl Vd.8h, Vn.8b, Vm.8b
#define VUSUBL2_B16(m, n, d) WORD $(0x6E202000 | (m)<<16 | (n)<<5 | (d)) // usubl2 Vd.8h, Vn.16b, Vm.16b
#define VUMULL_B8(m, n, d)   WORD $(0x2E20C000 | (m)<<16 | (n)<<5 | (d)) // umull Vd.8h, Vn.8b, Vm.8b
#define VUMULL2_B16(m, n, d) WORD $(0x6E20C000 | (m)<<16 | (n)<<5 | (d)) // umull2 Vd.8h, Vn.16b, Vm.16b
#define VUMLAL2_B16(m, n, d) WORD $(0x6E208000 | (m)<<16 | (n)<<5 | (d)) // umlal2 Vd.8h, Vn.16b, Vm.16b
#define VUADDLP_B16(n, d)    WORD $(0x6E202800 | (n)<<5 | (d))           // uaddlp Vd.8h, Vn.16b
#define VUADALP_B16(n, d)    WORD $(0x6E206800 | (n)<<5 | (d))           // uadalp Vd.8h, Vn.16b
#define VUADALP_H8(n, d)     WORD $(0x6E606800 | (n)<<5 | (d))           // uadalp Vd.4s, Vn.8h

// The same by a lane j of a register c, which is one of the lower sixteen.
#define VSMULL_H4_H(j, c, n, d)  WORD $(0x0F40A000 | ((j)&4)<<9 | ((j)&3)<<20 | (c)<<16 | (n)<<5 | (d)) // smull Vd.4s, Vn.4h, Vc.h[j]
#define VSMULL2_H8_H(j, c, n, d) WORD $(0x4F40A000 | ((j)&4)<<9 | ((j)&3)<<20 | (c)<<16 | (n)<<5 | (d)) // smull2 Vd.4s, Vn.8h, Vc.h[j]
#define VSMLAL_H4_H(j, c, n, d)  WORD $(0x0F402000 | ((j)&4)<<9 | ((j)&3)<<20 | (c)<<16 | (n)<<5 | (d)) // smlal Vd.4s, Vn.4h, Vc.h[j]
#define VSMLAL2_H8_H(j, c, n, d) WORD $(0x4F402000 | ((j)&4)<<9 | ((j)&3)<<20 | (c)<<16 | (n)<<5 | (d)) // smlal2 Vd.4s, Vn.8h, Vc.h[j]
