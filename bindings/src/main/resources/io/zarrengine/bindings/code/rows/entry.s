# Where the functions begin that Java calls: every 8 bytes from the front on (RowCode).

        .intel_syntax noprefix
        .section .note.GNU-stack, "", @progbits
        .section .text.entry, "ax"

        .globl  handlerBefore
        .hidden handlerBefore

        .p2align 3
        jmp     copyNonTemporal
        .p2align 3
        jmp     copyShort
        .p2align 3
        jmp     copyElements
        .p2align 3
        jmp     onSigbus
        .p2align 3
handlerBefore:                          # its address, which Java writes here
        .quad   0
