# Executes sequences, RFC 8878 3.1.1.3.2 and 3.1.1.4: reads each from the bitstream, then copies its literals and its
# match. This is half of the time of decoding, so it is optimized for the usual case: a sequence without extra bits for
# its lengths, of up to 16 literals and a match of up to 32 bytes, takes no mispredicted branch.
#
#   int executeMany(State *state, Run *run, uint64_t sequences)
#
# executes a number of sequences, 1 or more, without the block's last one, which has no next states. Returns 0 if one
# is damaged. Four functions: with extra bits of lengths, or with offsets that are repeated or shorter than 16, read
# without a branch, if the tables predict many of them.
#
# rbx state, r15 the bitstream - 7, r14 unread bits, r8 offset's state, r9 match's, r10 literals', r12 target, r13
# literals, ebp sequences left, xmm0 repeated offsets: three numbers of 32 bits.

        .intel_syntax noprefix
        .section .note.GNU-stack, "", @progbits
        .text

        # State, in zstd.h
        .equ    LITERALS_TABLE, 0
        .equ    MATCH_TABLE, 4096
        .equ    OFFSET_TABLE, 8192
        .equ    LITERALS_TOTAL, 10240
        .equ    MATCH_TOTAL, 10752
        .equ    OFFSET_TOTAL, 11264
        .equ    SHUFFLES, 11520
        .equ    PATTERNS, 11616
        .equ    STEPS, 11888
        # Entry
        .equ    BASE, 0
        .equ    NEXT, 4
        .equ    EXTRA, 6
        .equ    BITS, 7
        # on the stack
        .equ    RUN, 0
        .equ    BEGIN, 8
        .equ    LITERAL_END, 16
        .equ    LIMIT, 24
        .equ    KEPT, 32

        .macro  load_run run
        mov     r15, [\run]
        sub     r15, 7
        mov     r14, [\run + 8]
        mov     r10, [\run + 16]
        mov     r9, [\run + 24]
        mov     r8, [\run + 32]
        mov     r12, [\run + 40]
        mov     r13, [\run + 48]
        movdqu  xmm0, [\run + 88]
        .endm

        .macro  save_run run
        mov     [\run + 8], r14
        mov     [\run + 16], r10
        mov     [\run + 24], r9
        mov     [\run + 32], r8
        mov     [\run + 40], r12
        mov     [\run + 48], r13
        movdqu  [\run + 88], xmm0
        .endm

        # Reads a sequence: ecx bits in all, rdx 64 bits of the stream, of which r11 are below the next one. Its value
        # of an offset to ecx, match to esi, literals to edi; the next three states.
        .macro  read    extra_bits
        sub     r14, rcx
        mov     rax, r11
        sub     rax, rcx
        movzx   ecx, byte ptr [rbx + r8 * 8 + OFFSET_TABLE + EXTRA]
        sub     r11, rcx
        shrx    rsi, rdx, r11
        bzhi    ecx, esi, ecx
        add     ecx, [rbx + r8 * 8 + OFFSET_TABLE + BASE]
        movzx   esi, byte ptr [rbx + r8 * 8 + OFFSET_TABLE + BITS]
        movzx   r8d, word ptr [rbx + r8 * 8 + OFFSET_TABLE + NEXT]
        shrx    rdi, rdx, rax
        add     rax, rsi
        bzhi    edi, edi, esi
        add     r8d, edi
    .if \extra_bits
        movzx   edi, byte ptr [rbx + r9 * 8 + MATCH_TABLE + EXTRA]
        sub     r11, rdi
        shrx    rsi, rdx, r11
        bzhi    esi, esi, edi
        add     esi, [rbx + r9 * 8 + MATCH_TABLE + BASE]
        mov     [rsp + KEPT], rsi
    .else
        mov     r11d, [rbx + r9 * 8 + MATCH_TABLE + BASE]
    .endif
        movzx   edi, byte ptr [rbx + r9 * 8 + MATCH_TABLE + BITS]
        movzx   r9d, word ptr [rbx + r9 * 8 + MATCH_TABLE + NEXT]
        shrx    rsi, rdx, rax
        add     rax, rdi
        bzhi    esi, esi, edi
        add     r9d, esi
    .if \extra_bits
        movzx   esi, byte ptr [rbx + r10 * 8 + LITERALS_TABLE + EXTRA]
        sub     r11, rsi
        shrx    rdi, rdx, r11
        bzhi    edi, edi, esi
        add     edi, [rbx + r10 * 8 + LITERALS_TABLE + BASE]
    .else
        mov     edi, [rbx + r10 * 8 + LITERALS_TABLE + BASE]
    .endif
        movzx   esi, byte ptr [rbx + r10 * 8 + LITERALS_TABLE + BITS]
        movzx   r10d, word ptr [rbx + r10 * 8 + LITERALS_TABLE + NEXT]
        shrx    rdx, rdx, rax
        bzhi    edx, edx, esi
        add     r10d, edx
    .if \extra_bits
        mov     rsi, [rsp + KEPT]
    .else
        mov     esi, r11d
    .endif
        .endm

        # Offset eax becomes the first of the repeated ones, the others move up.
        .macro  remember
        movd    xmm1, eax
        pslldq  xmm0, 4
        movss   xmm0, xmm1
        .endm

        .macro  execute name, extra_bits, repeats
        .globl  \name
        .hidden \name
\name:
        push    rbx
        push    rbp
        push    r12
        push    r13
        push    r14
        push    r15
        sub     rsp, 40
        mov     [rsp + RUN], rsi
        mov     rax, [rsi + 56]
        mov     [rsp + BEGIN], rax
        mov     rax, [rsi + 72]
        mov     [rsp + LITERAL_END], rax
        mov     rax, [rsi + 80]
        mov     [rsp + LIMIT], rax
        mov     rbx, rdi
        mov     ebp, edx
        load_run rsi

        .p2align 5
1:      mov     rax, r14
        shr     rax, 3
        movzx   ecx, byte ptr [rbx + r10 + LITERALS_TOTAL]
        movzx   esi, byte ptr [rbx + r9 + MATCH_TOTAL]
        mov     rdx, [r15 + rax]
        movzx   edi, byte ptr [rbx + r8 + OFFSET_TOTAL]
        add     ecx, esi
        add     ecx, edi
    .if \extra_bits
        and     ecx, 127
    .endif
        mov     r11, r14
        or      r11, 56                 # 56 + (r14 & 7), in the 6 bits that shifts use
        cmp     r12, [rsp + LIMIT]
        ja      one\@
        cmp     r14, 64
        jl      one\@
        cmp     ecx, 56                 # the fewest bits of a load
    .if \extra_bits
        ja      one\@
    .else
        ja      5f
    .endif
        read    \extra_bits

2:      lea     eax, [rcx - 3]
    .if \repeats
        pinsrd  xmm0, eax, 3            # the new offset
        cmp     edi, 1
        mov     edx, ecx
        adc     edx, 0
        mov     eax, 5
        cmp     ecx, 3
        cmova   edx, eax
        cmp     edx, 4
        je      7f
        shl     edx, 4
        pshufb  xmm0, [rbx + rdx + SHUFFLES]
        movd    eax, xmm0
    .else
        cmp     ecx, 3
        jbe     6f
        remember
    .endif

3:      movdqu  xmm2, [r13]             # eax is the offset
        movdqu  [r12], xmm2
        cmp     edi, 16
        ja      8f
4:      add     r13, rdi
        add     r12, rdi
        cmp     r13, [rsp + LITERAL_END]
        ja      damaged\@
        mov     rdx, r12
        sub     rdx, rax
        cmp     rdx, [rsp + BEGIN]
        jb      far\@
    .if \repeats
        mov     ecx, 16
        cmp     eax, 16
        cmovb   ecx, eax
        movzx   r11d, byte ptr [rbx + rcx + STEPS]
        shl     ecx, 4
        movdqu  xmm2, [rdx]
        pshufb  xmm2, [rbx + rcx + PATTERNS]
        movdqu  [r12], xmm2
        sub     rdx, r11
    .else
        cmp     eax, 16
        jb      near\@
        movdqu  xmm2, [rdx]
        movdqu  [r12], xmm2
    .endif
rest\@: movdqu  xmm3, [rdx + 16]
        movdqu  [r12 + 16], xmm3
        cmp     esi, 32
        ja      9f
        add     r12, rsi
        dec     ebp
        jnz     1b
        jmp     done\@

    .if \extra_bits == 0
5:      and     ecx, 127                # Lengths have extra bits, or there are too many bits in all.
        cmp     ecx, 56
        ja      one\@
        read    1
        jmp     2b
    .endif

6:      cmp     edi, 1                  # 3.1.1.5: one less if there are no literals
        adc     ecx, 0
        movd    eax, xmm0
        cmp     ecx, 2
        jb      3b
        je      second\@
        cmp     ecx, 4
        je      7f
        pshufd  xmm0, xmm0, 0xd2        # 2 0 1 3
        movd    eax, xmm0
        jmp     3b
second\@:
        pshufd  xmm0, xmm0, 0xe1        # 1 0 2 3
        movd    eax, xmm0
        jmp     3b
7:      movd    eax, xmm0
        dec     eax
        jz      damaged\@
        remember
        jmp     3b

8:      lea     rdx, [r12 + rdi]        # Many literals: checks the room and their number
        add     rdx, rsi
        cmp     rdx, [rsp + LIMIT]
        ja      long\@
        lea     rdx, [r13 + rdi]
        cmp     rdx, [rsp + LITERAL_END]
        ja      damaged\@
        mov     ecx, 16
81:     movdqu  xmm2, [r13 + rcx]
        movdqu  [r12 + rcx], xmm2
        add     ecx, 16
        cmp     ecx, edi
        jb      81b
        jmp     4b

    .if \repeats == 0
near\@: movzx   r11d, byte ptr [rbx + rax + STEPS]
        mov     ecx, eax
        shl     ecx, 4
        movdqu  xmm2, [rdx]
        pshufb  xmm2, [rbx + rcx + PATTERNS]
        movdqu  [r12], xmm2
        sub     rdx, r11
        jmp     rest\@
    .endif

9:      lea     rcx, [r12 + rsi]        # A long match
        cmp     rcx, [rsp + LIMIT]
        ja      far\@
        mov     edi, 32
91:     movdqu  xmm2, [rdx + rdi]
        movdqu  [r12 + rdi], xmm2
        add     edi, 16
        cmp     edi, esi
        jb      91b
        mov     r12, rcx
        dec     ebp
        jnz     1b
        jmp     done\@

far\@:  xor     edi, edi                # Its literals are copied already.
long\@: mov     edx, edi
        mov     ecx, esi
        mov     esi, eax
        mov     rdi, [rsp + RUN]
        save_run rdi
        call    copySequence
        jmp     called\@
one\@:  mov     rsi, [rsp + RUN]        # Near the end of the bits, or of the room, or many bits
        save_run rsi
        mov     rdi, rbx
        xor     edx, edx
        call    executeOne
called\@:
        test    eax, eax
        jz      end\@
        mov     rsi, [rsp + RUN]
        load_run rsi
        dec     ebp
        jnz     1b

done\@: mov     rsi, [rsp + RUN]
        save_run rsi
        mov     eax, 1
        jmp     end\@
damaged\@:
        xor     eax, eax
end\@:  add     rsp, 40
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     rbp
        pop     rbx
        ret
        .endm

        execute executeMany, 0, 0
        execute executeManyWithRepeats, 0, 1
        execute executeManyWithExtraBits, 1, 0
        execute executeManyWithBoth, 1, 1
