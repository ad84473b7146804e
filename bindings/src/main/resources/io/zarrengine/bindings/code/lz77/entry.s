# Where the functions begin that Java calls: every 8 bytes from the front on (NativeLz77).

        .intel_syntax noprefix
        .section .note.GNU-stack, "", @progbits
        .section .text.entry, "ax"

        .p2align 3
        jmp     isSupported
        .p2align 3
        jmp     decodeBlosclz
        .p2align 3
        jmp     decodeSnappy

        .include "bmi2.inc"
