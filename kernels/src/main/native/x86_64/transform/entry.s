# The entry points of the functions that Java calls: every 8 bytes from the front on (MachineCodeTransform).

        .include "entry.inc"

        entry   isSupported
        entry   transformRows

        # int isSupported(void): whether the CPU has AVX2 and F16C (CPUID leaves 1 and 7), and the system keeps their
        # registers (XCR0)
        .text
isSupported:
        push    rbx
        xor     eax, eax
        cpuid
        cmp     eax, 7
        jb      1f
        mov     eax, 1
        cpuid
        not     ecx
        test    ecx, 1 << 27 | 1 << 28 | 1 << 29 # OSXSAVE, AVX, F16C
        jnz     1f
        xor     ecx, ecx
        xgetbv
        not     eax
        test    eax, 1 << 1 | 1 << 2
        jnz     1f
        mov     eax, 7
        xor     ecx, ecx
        cpuid
        test    ebx, 1 << 5
        jz      1f
        mov     eax, 1
        pop     rbx
        ret
1:      xor     eax, eax
        pop     rbx
        ret
