# Where the functions begin that Java calls: every 8 bytes from the front on (NativeShuffle).

        .intel_syntax noprefix
        .section .note.GNU-stack, "", @progbits
        .section .text.entry, "ax"

        .p2align 3
        jmp     isSupported
        .p2align 3
        jmp     unshuffle
        .p2align 3
        jmp     bitsToPlanes
        .p2align 3
        jmp     multipliesMatrices

        .include "bmi2.inc"

        # int multipliesMatrices(void): whether the processor has GFNI (CPUID leaf 7), without a prefix of AVX
multipliesMatrices:
        push    rbx
        mov     eax, 7
        xor     ecx, ecx
        cpuid
        mov     eax, ecx
        shr     eax, 8
        and     eax, 1
        pop     rbx
        ret
