# Decodes sequences of a block, LZ4 block format "Sequences", for CPUs with AVX-512 VBMI.
#
#   void decodeSequences(Run *run)
#
# decodes usual sequences, and stops before a sequence that C must check: one that is damaged, or comes to the end of
# the block or of the room. At least 64 decoded bytes must be before the first one.
#
# A match mostly repeats bytes decoded just before. Loading them from memory would have to wait until the stores are
# complete, at least 25 cycles from each sequence to the next, because a load cannot be forwarded from several stores.
# The last 64 bytes are therefore kept in a register, and matches are permuted from it.
#
# A store of that register writes the last 64 bytes of a sequence, or the whole sequence and bytes before it, and ends
# where the sequence ends. The loop for far matches writes some bytes more, and stops sooner.
#
# rsi input, rdi output, rdx its begin, r8 limit of the input for reads of 64 bytes, r9 limit of the last 64 bytes of
# output, r10 tables; of a sequence: r11 input, r12 target of its match, rbx literals, then target of its last 64 bytes,
# r14 match, r13 offset, rcx source of the match. zmm16 the last 64 bytes, zmm17 literals, zmm18 the last 64 bytes
# after them, zmm20 the match, zmm21 0 to 63.

        .intel_syntax noprefix
        .section .note.GNU-stack, "", @progbits

        # Run, in lz4.h
        .equ    AT, 0
        .equ    TO, 8
        .equ    BEGIN, 16
        .equ    END, 24
        .equ    TO_END, 32
        .equ    IS_FAR, 40

        # Approximate part that only the last sequence may touch: lz4.h
        .equ    LAST_BYTES, 8
        .equ    LAST_ROOM, 12
        # Room after a sequence for copies of whole registers.
        .equ    FAR_ROOM, 2 * 64
        # on the stack
        .equ    INPUT, 0
        .equ    FAR_TO, 8
        .equ    RUN, 16

        # A token, a length, 64 bytes of literals, and these bytes.
        .equ    READ_AHEAD, 2 + 64 + LAST_BYTES

        .section .rodata
        .p2align 6
numbers: # 0 to 127
        .set    i, 0
        .rept   128
        .byte   i
        .set    i, i + 1
        .endr
        .equ    PERIODS, . - numbers
        # for offsets 0 to 64: the index in the period of each repeated byte
        .equ    PERIOD_BYTES, 192
        .fill   PERIOD_BYTES, 1, 0
        .set    period, 1
        .rept   64
        .set    i, 0
        .rept   PERIOD_BYTES
        .byte   i % period
        .set    i, i + 1
        .endr
        .set    period, period + 1
        .endr
        .equ    STEPS, . - numbers
        # and the bytes of whole periods in 64 bytes
        .byte   0
        .set    period, 1
        .rept   64
        .byte   64 / period * period
        .set    period, period + 1
        .endr

        .text

        # The indices from a position on.
        .macro  indices to, bytes
        vpbroadcastb \to, [r10 + \bytes]
        vpaddb  \to, \to, zmm21
        .endm

        # Adds the following bytes to a length of 15 and a byte of 255.
        .macro  continue_length to, from
        cmp     r11, [rsp + INPUT]
        ja      99f
        movzx   e\from, byte ptr [r11]
        inc     r11
        add     \to, r\from
        cmp     e\from, 255
        .endm

        # Kinds of the loop: the usual one; near the end of the input, where no more literals may be read than there
        # are; and one sequence for the far loop below, which cannot decode it.
        .equ    USUAL, 0
        .equ    LAST, 1
        .equ    ONE, 2

        .macro  sequences kind
        .p2align 5
1:      movzx   eax, byte ptr [rsi]
        movzx   ecx, byte ptr [rsi + 1]
        lea     r11, [rsi + 2]
        mov     ebx, eax
        shr     ebx, 4
        add     ecx, 15
        cmp     eax, 0xF0
        cmovae  ebx, ecx
        sbb     r11, 0
        cmp     ebx, 64
        ja      20f
    .if \kind == LAST
        lea     rcx, [r11 + rbx]
        cmp     rcx, [rsp + INPUT]
        ja      99f
        mov     rcx, -1
        bzhi    rcx, rcx, rbx
        kmovq   k2, rcx
        vmovdqu8 zmm17{k2}{z}, [r11]
    .else
        vmovdqu64 zmm17, [r11]
    .endif
        indices zmm18, rbx
        vpermi2b zmm18, zmm16, zmm17
        add     r11, rbx
        lea     r12, [rdi + rbx]
2:      movzx   r13d, word ptr [r11]
        movzx   ecx, byte ptr [r11 + 2]
        and     eax, 15
        add     r11, 3
        add     ecx, 19
        lea     r14d, [rax + 4]
        cmp     eax, 15
        cmovae  r14d, ecx
        sbb     r11, 0
        mov     rcx, r12
        sub     rcx, r13
        cmp     rcx, rdx
        jb      99f
        test    r13d, r13d
        jz      99f

        # Its first 64 bytes: from the last 64 and the literals, or from memory if it begins before them.
        mov     eax, 64
        cmp     r13d, eax
        cmovb   eax, r13d
        imul    eax, eax, PERIOD_BYTES
        mov     r15, r10
        add     ebx, 64
        sub     rbx, r13
        cmovb   r15, rcx
        sbb     r13, r13
        kmovq   k1, r13
        vpbroadcastb zmm20, ebx
        vpaddb  zmm20, zmm20, [r10 + rax + PERIODS]
        vpermi2b zmm20, zmm16, zmm17
        vmovdqu8 zmm20{k1}, [r15]

        lea     rbx, [r12 + r14 - 64]
        cmp     rbx, rdi
        ja      30f
        cmp     rbx, r9
        ja      99f
        indices zmm16, r14
        vpermi2b zmm16, zmm18, zmm20
        # The whole sequence is in the last 64 bytes, or was written before.
3:      vmovdqu64 [rbx], zmm16
        lea     rdi, [rbx + 64]
        mov     rsi, r11
    .if \kind == LAST
        cmp     rsi, [rsp + INPUT]
        jbe     1b
        jmp     99f
    .else
        cmp     rsi, r8
      .if \kind == ONE
        jbe     50b
        jmp     99f
      .else
        jbe     1b
        jmp     99f
      .endif
    .endif

        # more than 64 literals
20:     cmp     ebx, 15 + 255
        jne     22f
21:     continue_length rbx, cx
        je      21b
22:     lea     r14, [r11 + rbx]
        cmp     r14, [rsp + INPUT]
        ja      99f
        lea     r12, [rdi + rbx]
        lea     rcx, [r12 - 64]
        cmp     rcx, r9
        ja      99f
        vmovdqu64 zmm17, [r11]
        vmovdqu64 [rdi], zmm17
        lea     rbx, [rdi + 64]
        jmp     24f
23:     vmovdqu64 zmm18, [r11]
        vmovdqu64 [rbx], zmm18
        add     rbx, 64
24:     add     r11, 64
        cmp     rbx, rcx
        jb      23b
        vmovdqu64 zmm18, [r14 - 64]
        vmovdqu64 [rcx], zmm18
        vmovdqa64 zmm16, zmm18
        mov     r11, r14
        xor     ebx, ebx
        jmp     2b

        # more than 64 bytes
30:     cmp     r14d, 19 + 255
        jne     32f
31:     continue_length r14, ax
        je      31b
        lea     rbx, [r12 + r14 - 64]
32:     cmp     rbx, r9
        ja      99f
        vmovdqu64 [rdi], zmm17
        cmp     r14, 64
        ja      33f
        indices zmm16, r14
        vpermi2b zmm16, zmm18, zmm20
        jmp     3b

        # a match of more than 64: repeats its first 64 for a short offset, a few periods further each time
33:     vmovdqu64 [r12], zmm20
        mov     r13, r12
        sub     r13, rcx
        cmp     r13, 64
        ja      40f
        movzx   ecx, byte ptr [r10 + r13 + STEPS]
        imul    r13d, r13d, PERIOD_BYTES
        add     r13, r10
        lea     rax, [r12 + rcx]
        cmp     rax, rbx
        cmova   rax, rbx
        vmovdqu64 [rax], zmm20
        lea     rax, [r12 + rcx * 2]
        cmp     rax, rbx
        cmova   rax, rbx
        vmovdqu64 [rax], zmm20
        lea     rax, [rcx + rcx * 2]
        add     r12, rax
        cmp     r14, rax
        ja      36f
        lea     rax, [r14 - 64]
34:     vmovdqu64 zmm16, [r13 + rax + PERIODS]
        vpermb  zmm16, zmm16, zmm20
        jmp     3b
35:     vmovdqu64 [r12], zmm20
        add     r12, rcx
36:     cmp     r12, rbx
        jb      35b
        lea     rax, [rbx + rcx * 2]
        sub     rax, r12
        jmp     34b

40:     vmovdqa64 zmm18, zmm20
        add     rcx, 64
        add     r12, 64
        vmovdqu64 zmm20, [rcx]
        cmp     r12, rbx
        ja      41f
        vmovdqu64 [r12], zmm20
        jmp     40b
41:     sub     rbx, r12
        add     rbx, 64
        indices zmm16, rbx
        vpermi2b zmm16, zmm18, zmm20
        lea     rbx, [r12 + rbx - 64]
        jmp     3b
99:
        .endm

        .globl  decodeSequences
        .hidden decodeSequences
decodeSequences:
        push    rbx
        push    r12
        push    r13
        push    r14
        push    r15
        sub     rsp, 24
        mov     [rsp + RUN], rdi
        mov     rax, [rdi + END]
        lea     r8, [rax - READ_AHEAD]
        sub     rax, LAST_BYTES
        mov     [rsp + INPUT], rax
        mov     r9, [rdi + TO_END]
        sub     r9, 64 + LAST_ROOM
        lea     rax, [r9 - FAR_ROOM]
        mov     [rsp + FAR_TO], rax
        mov     rax, [rdi + IS_FAR]
        mov     rsi, [rdi + AT]
        mov     rdx, [rdi + BEGIN]
        mov     rdi, [rdi + TO]
        lea     r10, [rip + numbers]
        vmovdqa64 zmm21, [r10]
        vmovdqu64 zmm16, [rdi - 64]
        cmp     rsi, r8
        ja      61f
        test    eax, eax
        jnz     50f
        sequences USUAL
        jmp     60f

        # Short ones, mostly from far away: it costs less to load the match, and the CPU predicts the lengths. By 8
        # bytes: if they were stored just before, they are mostly from one store, which can be forwarded.
        .p2align 5
50:     cmp     rdi, [rsp + FAR_TO]
        ja      57f
51:     movzx   eax, byte ptr [rsi]
        mov     ebx, eax
        shr     ebx, 4
        and     eax, 15
        cmp     ebx, 15
        je      56f
        vmovdqu64 xmm17, [rsi + 1]
        vmovdqu64 [rdi], xmm17
        lea     r11, [rsi + rbx]
52:     lea     r12, [rdi + rbx]
        movzx   r13d, word ptr [r11 + 1]
        mov     rcx, r12
        sub     rcx, r13
        cmp     rcx, rdx
        jb      57f
        cmp     r13d, 8
        jb      55f
        mov     rbx, [rcx]
        mov     [r12], rbx
        mov     rbx, [rcx + 8]
        mov     [r12 + 8], rbx
        mov     ebx, [rcx + 16]
        mov     [r12 + 16], ebx
        cmp     eax, 15
        je      54f
53:     lea     rdi, [r12 + rax + 4]
        lea     rsi, [r11 + 3]
        cmp     rsi, r8
        ja      60f
        cmp     rdi, [rsp + FAR_TO]
        jbe     51b
        jmp     57f

54:     movzx   eax, byte ptr [r11 + 3]
        cmp     eax, 64 - 19
        ja      57f
        cmp     r13d, 32
        jb      57f
        vmovdqu64 ymm18, [rcx]
        vmovdqu64 [r12], ymm18
        vmovdqu64 ymm18, [rcx + 32]
        vmovdqu64 [r12 + 32], ymm18
        inc     r11
        add     eax, 15
        jmp     53b

55:     cmp     eax, 15
        je      57f
        test    r13d, r13d
        jz      57f
        imul    r13d, r13d, PERIOD_BYTES
        vmovdqu64 ymm18, [r10 + r13 + PERIODS]
        vpermb  ymm18, ymm18, [rcx]
        vmovdqu64 [r12], ymm18
        jmp     53b

56:     movzx   ecx, byte ptr [rsi + 1]
        cmp     ecx, 64 - 15
        ja      57f
        vmovdqu64 zmm17, [rsi + 2]
        vmovdqu64 [rdi], zmm17
        lea     ebx, [rcx + 15]
        lea     r11, [rsi + rbx + 1]
        jmp     52b

57:     vmovdqu64 zmm16, [rdi - 64]
        sequences ONE
60:     cmp     rsi, r8
        jbe     62f
61:     cmp     rsi, [rsp + INPUT]
        ja      62f
        vmovdqu64 zmm16, [rdi - 64]
        sequences LAST
62:     mov     rax, [rsp + RUN]
        mov     [rax + AT], rsi
        mov     [rax + TO], rdi
        add     rsp, 24
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     rbx
        ret
