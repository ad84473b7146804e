# Copies planes of rows (frame.inc). Writes lines of the target, 64 bytes at a multiple of 64, that a row covers past
# the caches by non-temporal stores, and the rest before and after them by ordinary ones. SSE2 alone.

        .include "rows/frame.inc"
        .intel_syntax noprefix
        .section .note.GNU-stack, "", @progbits
        .text
        .globl  copyNonTemporal, copyNonTemporalReads, copyNonTemporalHasRead
        .hidden copyNonTemporal, copyNonTemporalReads, copyNonTemporalHasRead

        # ebx bytes, 0 to 63, from r10 to rax; both end up after them.
        .macro  copy_part
        .irp    bytes, 1, 2, 4, 8
        test    bl, \bytes
        jz      1f
        .if     \bytes == 1
        mov     r12b, [r10]
        mov     [rax], r12b
        .elseif \bytes == 2
        mov     r12w, [r10]
        mov     [rax], r12w
        .elseif \bytes == 4
        mov     r12d, [r10]
        mov     [rax], r12d
        .else
        mov     r12, [r10]
        mov     [rax], r12
        .endif
        add     r10, \bytes
        add     rax, \bytes
1:
        .endr
        test    bl, 16
        jz      1f
        movups  xmm0, [r10]
        movups  [rax], xmm0
        add     r10, 16
        add     rax, 16
1:      test    bl, 32
        jz      1f
        movups  xmm0, [r10]
        movups  xmm1, [r10 + 16]
        movups  [rax], xmm0
        movups  [rax + 16], xmm1
        add     r10, 32
        add     rax, 32
1:
        .endm

copyNonTemporal:
        enter_frame
copyNonTemporalReads:
        mov     rbp, [rsp + PLANES]     # left
next_plane:
        test    rbp, rbp
        jz      done
        mov     r13, rdi
        mov     r14, rsi
        mov     r15, rcx                # rows left
next_row:
        test    r15, r15
        jz      plane_ends
        mov     rax, r13
        mov     r10, r14
        mov     r11, rdx                # bytes left
        mov     rbx, rax                # up to the next line
        neg     rbx
        and     ebx, 63
        cmp     rbx, r11
        cmova   rbx, r11
        sub     r11, rbx
        test    ebx, ebx
        jz      lines
        copy_part
lines:
        sub     r11, 64
        jb      rest
line:
        movups  xmm0, [r10]
        movups  xmm1, [r10 + 16]
        movups  xmm2, [r10 + 32]
        movups  xmm3, [r10 + 48]
        movntps [rax], xmm0
        movntps [rax + 16], xmm1
        movntps [rax + 32], xmm2
        movntps [rax + 48], xmm3
        add     r10, 64
        add     rax, 64
        sub     r11, 64
        jae     line
rest:
        mov     rbx, r11
        add     rbx, 64
        jz      row_ends
        copy_part
row_ends:
        add     r13, r8
        add     r14, r9
        dec     r15
        jmp     next_row
plane_ends:
        add     rdi, [rsp + TARGET_PLANE]
        add     rsi, [rsp + SOURCE_PLANE]
        dec     rbp
        jmp     next_plane
done:
copyNonTemporalHasRead:
        sfence                          # before other threads learn of the rows
        xor     eax, eax
        leave_frame
