# The entry points of the functions that Java calls: every 8 bytes from the front on (MachineCodeTransform).

        .include "entry.inc"
        .include "support.inc"

        entry   isSupported
        entry   transformRows

        # int isSupported(void): whether the CPU has AVX2 and F16C (CPUID leaves 1 and 7), and the system keeps their
        # registers (XCR0)
        .text
isSupported:
        begin_leaf1
        not     ecx
        test    ecx, 1 << 27 | 1 << 28 | 1 << 29 # OSXSAVE, AVX, F16C
        jnz     1f
        unsaved
        test    eax, 1 << 1 | 1 << 2
        jnz     1f
        leaf7
        test    ebx, 1 << 5
        jz      1f
        end_support
