# Copies planes of elements (frame.inc): elements.c does. A page that is gone there is one more way out of it, which
# finds in r15 where the stack was.

        .include "rows/frame.inc"
        .intel_syntax noprefix
        .section .note.GNU-stack, "", @progbits
        .text
        .globl  copyElements
        .hidden copyElements, copyPlanes

copyElements:
        enter_frame
        mov     r15, rsp
        push    qword ptr [r15 + SOURCE_PLANE]
        push    qword ptr [r15 + TARGET_PLANE]
        push    qword ptr [r15 + PLANES]
        call    copyPlanes              # the stack pointer is a multiple of 16, as it wants
        mov     rsp, r15
        xor     eax, eax
        leave_frame
