# The entry points of the functions that Java calls: every 8 bytes from the front on (MachineCodeLz4).

        .include "entry.inc"

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
        push    rbx
        xor     eax, eax
        cpuid
        cmp     eax, 7
        jb      1f
        mov     eax, 1
        cpuid
        test    ecx, OSXSAVE
        jz      1f
        xor     ecx, ecx
        xgetbv
        not     eax
        test    eax, STATES
        jnz     1f
        mov     eax, 7
        xor     ecx, ecx
        cpuid
        not     ebx
        test    ebx, EXTENSIONS
        jnz     1f
        test    ecx, VBMI
        jz      1f
        mov     eax, 1
        pop     rbx
        ret
1:      xor     eax, eax
        pop     rbx
        ret
