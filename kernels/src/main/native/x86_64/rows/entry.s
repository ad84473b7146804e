# The entry points of the functions that Java calls: every 8 bytes from the front on (RowCode).

        .include "entry.inc"

        .globl  handlerBefore
        .hidden handlerBefore

        entry   copyNonTemporal
        entry   copyShort
        entry   copyElements
        entry   onSigbus
        .p2align 3
handlerBefore:                          # address of the handler, written by Java
        .quad   0
