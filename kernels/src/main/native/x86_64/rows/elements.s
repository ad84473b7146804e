# Copies planes of elements (frame.inc) by elements.c. A missing page there leaves by another way, which finds the stack
# pointer in r15.

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
        call    copyPlanes              # the stack pointer is a multiple of 16, as required
        mov     rsp, r15
        xor     eax, eax
        leave_frame
