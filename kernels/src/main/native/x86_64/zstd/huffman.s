# Decodes four streams of Huffman codes in parallel, RFC 8878 4.2.2: a look-up waits for the one before it in its
# stream, so the four hide each other's latency. A round is 4 look-ups in each; the word after the last one is loaded
# during that look-up. With 11 bits per look-up, at most 18 + 3 * 11 bits of 64 are read by then.
#
#   void decodeSymbols(Streams *streams)    one symbol per look-up
#   void decodePairs(Streams *streams)      one or two: stores both, and moves on by one or two
#
# The caller makes sure that no stream comes to its end, nor its part of the target.
#
# r8 to r11 words, r12 to r15 their addresses.

        .intel_syntax noprefix
        .section .note.GNU-stack, "", @progbits
        .text

        # Streams, in zstd.h
        .equ    AT, 32
        .equ    OUT, 64
        .equ    TABLE, 96
        .equ    ROUNDS, 104
        # on the stack
        .equ    LEFT, 0
        .equ    STREAMS, 8

        .macro  enter
        push    rbx
        push    rbp
        push    r12
        push    r13
        push    r14
        push    r15
        push    rdi
        push    [rdi + ROUNDS]
        mov     r8, [rdi]
        mov     r9, [rdi + 8]
        mov     r10, [rdi + 16]
        mov     r11, [rdi + 24]
        mov     r12, [rdi + AT]
        mov     r13, [rdi + AT + 8]
        mov     r14, [rdi + AT + 16]
        mov     r15, [rdi + AT + 24]
        .endm

        .macro  leave   streams
        mov     [\streams], r8
        mov     [\streams + 8], r9
        mov     [\streams + 16], r10
        mov     [\streams + 24], r11
        mov     [\streams + AT], r12
        mov     [\streams + AT + 8], r13
        mov     [\streams + AT + 16], r14
        mov     [\streams + AT + 24], r15
        add     rsp, 16
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     rbp
        pop     rbx
        ret
        .endm

        # Goes back by the bytes read of a word, and loads the next one; shifts out the bits read of its first byte.
        # Leaves their number in ecx; uses the word's own register before it is loaded.
        .macro  reload  word, at
        tzcnt   rcx, \word
        mov     \word, rcx
        shr     \word, 3
        sub     \at, \word
        mov     \word, [\at]
        or      \word, 1
        and     ecx, 7
        shlx    \word, \word, rcx
        .endm

        # One symbol of each stream, at targets with a distance of rsi.
        .macro  symbols n
        mov     rax, r8
        mov     rcx, r9
        mov     rdx, r10
        shr     rax, 53
        shr     rcx, 53
        shr     rdx, 53
        movzx   eax, word ptr [rbp + rax * 2]
        movzx   ecx, word ptr [rbp + rcx * 2]
        movzx   edx, word ptr [rbp + rdx * 2]
        shlx    r8, r8, rax
        shlx    r9, r9, rcx
        shlx    r10, r10, rdx
        mov     [rdi + \n], ah
        mov     rax, r11
        shr     rax, 53
        mov     [rdi + rsi + \n], ch
        mov     [rdi + rsi * 2 + \n], dh
        movzx   eax, word ptr [rbp + rax * 2]
        shlx    r11, r11, rax
        mov     [rdi + rbx + \n], ah
        .endm

        .macro  last_symbol word, at, to:vararg
        mov     rax, \word
        shr     rax, 53
        reload  \word, \at
        movzx   eax, word ptr [rbp + rax * 2]
        mov     [\to], ah
        shlx    \word, \word, rax
        .endm

        .globl  decodeSymbols
        .hidden decodeSymbols
decodeSymbols:
        enter
        mov     rbp, [rdi + TABLE]
        mov     rsi, [rdi + OUT + 8]
        mov     rdi, [rdi + OUT]
        sub     rsi, rdi
        lea     rbx, [rsi + rsi * 2]
        .p2align 5
1:      symbols 0
        symbols 1
        symbols 2
        last_symbol r8, r12, rdi + 3
        last_symbol r9, r13, rdi + rsi + 3
        last_symbol r10, r14, rdi + rsi * 2 + 3
        last_symbol r11, r15, rdi + rbx + 3
        add     rdi, 4
        dec     qword ptr [rsp + LEFT]
        jnz     1b
        mov     rax, [rsp + STREAMS]
        mov     [rax + OUT], rdi
        add     rdi, rsi
        mov     [rax + OUT + 8], rdi
        add     rdi, rsi
        mov     [rax + OUT + 16], rdi
        add     rdi, rsi
        mov     [rax + OUT + 24], rdi
        leave   rax

        # The entry of a look-up: bits, two symbols, and their number.
        .macro  store_pair to
        movzx   ecx, byte ptr [rdx + rax * 4 + 3]
        movzx   eax, word ptr [rdx + rax * 4 + 1]
        mov     [\to], ax
        add     \to, rcx
        .endm

        .macro  pair    word, to
        mov     rax, \word
        shr     rax, 53
        movzx   ecx, byte ptr [rdx + rax * 4]
        shlx    \word, \word, rcx
        store_pair \to
        .endm

        .macro  last_pair word, at, to
        mov     rax, \word
        shr     rax, 53
        reload  \word, \at
        movzx   ecx, byte ptr [rdx + rax * 4]
        shlx    \word, \word, rcx
        store_pair \to
        .endm

        .globl  decodePairs
        .hidden decodePairs
decodePairs:
        enter
        mov     rdx, [rdi + TABLE]
        mov     rsi, [rdi + OUT + 8]
        mov     rbx, [rdi + OUT + 16]
        mov     rbp, [rdi + OUT + 24]
        mov     rdi, [rdi + OUT]
        .p2align 5
1:      .rept   3
        pair    r8, rdi
        pair    r9, rsi
        pair    r10, rbx
        pair    r11, rbp
        .endr
        last_pair r8, r12, rdi
        last_pair r9, r13, rsi
        last_pair r10, r14, rbx
        last_pair r11, r15, rbp
        dec     qword ptr [rsp + LEFT]
        jnz     1b
        mov     rax, [rsp + STREAMS]
        mov     [rax + OUT], rdi
        mov     [rax + OUT + 8], rsi
        mov     [rax + OUT + 16], rbx
        mov     [rax + OUT + 24], rbp
        leave   rax
