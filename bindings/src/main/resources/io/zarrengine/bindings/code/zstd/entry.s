# Where the functions begin that Java calls: every 8 bytes from the front on (NativeZstd).

        .intel_syntax noprefix
        .section .note.GNU-stack, "", @progbits
        .section .text.entry, "ax"

        .p2align 3
        jmp     isSupported
        .p2align 3
        jmp     stateBytes
        .p2align 3
        jmp     openState
        .p2align 3
        jmp     decodeFrame
        .p2align 3
        jmp     beginFrame
        .p2align 3
        jmp     decodeBlock

        # int isSupported(void): whether the processor has BMI1, BMI2, SSSE3 and SSE4.1 (CPUID leaves 1 and 7)
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
        test    ecx, 1 << 9 | 1 << 19
        jnz     1f
        mov     eax, 7
        xor     ecx, ecx
        cpuid
        not     ebx
        test    ebx, 1 << 3 | 1 << 8
        jnz     1f
        mov     eax, 1
        pop     rbx
        ret
1:      xor     eax, eax
        pop     rbx
        ret
