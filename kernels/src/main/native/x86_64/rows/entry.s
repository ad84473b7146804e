# Where the functions begin that Java calls: every 8 bytes from the front on (RowCode).

        .include "entry.inc"

        .globl  handlerBefore
        .hidden handlerBefore

        entry   copyNonTemporal
        entry   copyShort
        entry   copyElements
        entry   onSigbus
        .p2align 3
handlerBefore:                          # its address, which Java writes here
        .quad   0
