# The entry points of the functions that Java calls: every 8 bytes from the front on (MachineCodeLz4).

        .include "entry.inc"
        .include "support.inc"

        entry   isSupported
        entry   stateBytes
        entry   decodeBlock

        # int isSupported(void): whether the CPU has BMI1, BMI2, AVX-512 F, BW, VL and VBMI (CPUID leaf 7), and the
        # system saves their registers (XCR0)
        .text
        .equ    OSXSAVE, 1 << 27
        .equ    STATES, 0xE6
        .equ    EXTENSIONS, 1 << 3 | 1 << 8 | 1 << 16 | 1 << 30 | 1 << 31
        .equ    VBMI, 1 << 1
isSupported:
        begin_leaf1
        test    ecx, OSXSAVE
        jz      1f
        unsaved
        test    eax, STATES
        jnz     1f
        leaf7
        not     ebx
        test    ebx, EXTENSIONS
        jnz     1f
        test    ecx, VBMI
        jz      1f
        end_support
