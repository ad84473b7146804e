# Copies planes of rows (frame.inc) by ordinary stores, for rows of up to some KiB: two registers that may overlap for
# up to 32 bytes, a loop for longer ones. row_bytes and rows are not 0. SSE2 alone.
#
# Prefetches the source a page ahead, because the CPU itself prefetches within a page. If rows are far apart, few bytes
# there are wanted: it then prefetches the next row.

        .include "rows/frame.inc"
        .intel_syntax noprefix
        .section .note.GNU-stack, "", @progbits
        .text
        .equ    AHEAD, 4096
        .globl  copyShort, copyShortReads, copyShortHasRead
        .hidden copyShort, copyShortReads, copyShortHasRead

        # Rows of a plane, one after the other: their first bytes at rax and r10; r11 rows left.
        .macro  plane   copy_row:vararg
1:      test    rbp, rbp
        jz      done
        mov     rax, rdi
        mov     r10, rsi
        mov     r11, rcx
2:      \copy_row
        add     rax, r8
        add     r10, r9
        dec     r11
        jnz     2b
        add     rdi, [rsp + TARGET_PLANE]
        add     rsi, [rsp + SOURCE_PLANE]
        dec     rbp
        jmp     1b
        .endm

        .macro  fetch_ahead
        prefetcht0 [r10 + r15]
        .endm

        .macro  copy_1
        fetch_ahead
        mov     bl, [r10]
        mov     [rax], bl
        .endm

        # The first size bytes and the last ones, which may overlap.
        .macro  copy_two size, first, last
        fetch_ahead
        mov     \first, [r10]
        mov     \last, [r10 + rdx - \size]
        mov     [rax], \first
        mov     [rax + rdx - \size], \last
        .endm

        .macro  copy_16
        fetch_ahead
        movups  xmm0, [r10]
        movups  [rax], xmm0
        .endm

        .macro  copy_to_32
        fetch_ahead
        movups  xmm0, [r10]
        movups  xmm1, [r10 + rdx - 16]
        movups  [rax], xmm0
        movups  [rax + rdx - 16], xmm1
        .endm

        # 32 bytes at a time, and the last 32, which may overlap them.
        .macro  copy_long
        movups  xmm2, [r10 + rdx - 32]
        movups  xmm3, [r10 + rdx - 16]
        lea     r13, [r10 + r15]
        xor     ebx, ebx
3:      prefetcht0 [r13 + rbx]
        movups  xmm0, [r10 + rbx]
        movups  xmm1, [r10 + rbx + 16]
        movups  [rax + rbx], xmm0
        movups  [rax + rbx + 16], xmm1
        add     rbx, 32
        cmp     rbx, r12
        jb      3b
        movups  [rax + rdx - 32], xmm2
        movups  [rax + rdx - 16], xmm3
        .endm

copyShort:
        enter_frame
copyShortReads:
        mov     rbp, [rsp + PLANES]     # left
        mov     eax, 64                 # a line
        cmp     rdx, rax
        cmova   rax, rdx
        shl     rax, 2
        mov     r15d, AHEAD
        cmp     r9, rax                 # a negative one is large here
        cmova   r15, r9
        cmp     rdx, 32
        ja      long_rows
        cmp     rdx, 16
        ja      to_32
        je      of_16
        cmp     rdx, 8
        jae     to_15
        cmp     rdx, 4
        jae     to_7
        cmp     rdx, 2
        jae     to_3
        plane   copy_1
to_3:   plane   copy_two 2, bx, r12w
to_7:   plane   copy_two 4, ebx, r12d
to_15:  plane   copy_two 8, rbx, r12
of_16:  plane   copy_16
to_32:  plane   copy_to_32
long_rows:
        lea     r12, [rdx - 32]
        plane   copy_long
done:
copyShortHasRead:
        xor     eax, eax
        leave_frame
