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

        .include "bmi2.inc"
