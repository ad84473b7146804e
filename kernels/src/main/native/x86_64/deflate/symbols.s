# Decodes literals and matches, RFC 1951 3.2.3 and 3.2.5, until an end is near.
#
#   void decodeLiterals(Run *, const State *, uint8_t *limit)   looks up literals (1 or 2) and lengths; then distances
#   void decodeMatches(Run *, const State *, uint8_t *limit)    looks up lengths with their distances, in the table of
#                                                               matches
#   void decodeBetween(Run *, const State *, uint8_t *limit)    does so too; and one literal before each match, or none,
#                                                               without a branch for that
#
# A look-up waits for the one before it: mask, load, shift. The bits are shifted left by UP, so that the masked bits are
# an offset in a table of entries of 4 bytes, or 8: a scaled index costs a cycle more. More bits are loaded during a
# look-up: 64 - UP are there then, of which at least 56 - UP are counted. A look-up takes 11, and a match 16 and 22:
# enough for one literal, a match, and the next look-up; for a longer code, more are loaded first.
#
# rbx bits << UP, rcx their number, and UP (in cl), rsi the stream, rdi the target, rbp State, r14 begin of the target,
# eax (rax) the entry found.

        .intel_syntax noprefix
        .section .note.GNU-stack, "", @progbits
        .text

        # State and its entries, in deflate.h
        .equ    LOG, 11
        .equ    MATCHES, 16
        .equ    SYMBOLS, MATCHES + (8 << LOG)
        .equ    LONGER_SYMBOLS, SYMBOLS + (4 << LOG)
        .equ    DISTANCES, SYMBOLS + 4 * 2342
        .equ    DISTANCE_LOG, 9
        .equ    LONGER_BIT, 30
        .equ    END_MARGIN, 24
        # on the stack
        .equ    END, 0
        .equ    RUN, 8
        .equ    LIMIT, 16
        .equ    ABOVE, 24

        # up: shift of the bits, the log of the size of an entry
        .macro  enter   up
        .set    UP, \up
        push    rbx
        push    rbp
        push    r12
        push    r13
        push    r14
        push    r15
        push    UP
        push    rdx
        push    rdi
        mov     rbp, rsi
        mov     rax, rdi
        mov     rsi, [rax]
        mov     r15, [rax + 8]
        sub     r15, END_MARGIN
        push    r15
        mov     rbx, [rax + 16]
        shl     rbx, UP
        mov     rcx, [rax + 24]
        add     ecx, UP
        mov     rdi, [rax + 32]
        mov     r14, [rax + 40]
        refill
        .endm

        .macro  refill
        mov     r15, [rsi]
        shlx    r15, r15, rcx
        or      rbx, r15
        movzx   r15d, cl
        shr     r15d, 3
        add     rsi, 7
        sub     rsi, r15
        or      ecx, 56
        .endm

        .macro  look    entry, whole
        mov     \entry, ebx
        and     \entry, ((1 << LOG) - 1) << UP
        .if     UP == 2
        mov     \entry, [rbp + \whole + SYMBOLS]
        .else
        mov     \whole, [rbp + \whole + MATCHES]
        .endif
        .endm

        # one or two literals of eax
        .macro  literals
        shrx    rbx, rbx, rax
        sub     ecx, eax
        shr     eax, 8
        mov     [rdi], ax
        shr     eax, 16
        add     rdi, rax
        look    eax, rax
        .endm

        # continues at the loop's begin, unless an end is near
        .macro  again
        cmp     rsi, [rsp + END]
        jae     leave
        cmp     rdi, [rsp + LIMIT]
        jb      1b
        jmp     leave
        .endm

        # the length of edx, and its distance, whose bits are there; looks up the next symbol
        .macro  match
        mov     r9, rbx
        mov     r8d, edx
        shr     r8d, 8
        shrx    rbx, rbx, r8
        sub     ecx, r8d
        mov     eax, ebx
        and     eax, ((1 << DISTANCE_LOG) - 1) << UP
        .if     UP == 3
        shr     eax, 1
        .endif
        mov     eax, [rbp + rax + DISTANCES]
        shr     r9, UP
        bzhi    r9, r9, r8
        shr     edx, 16
        shrx    r9, r9, rdx
        shr     edx, 6
        add     r9, rdx         # the length
        mov     r10, rbx
        shr     r10, UP
        test    eax, eax
        js      undo
        shrx    rbx, rbx, rax
        sub     ecx, eax
        look    r11d, r11
        bzhi    r10, r10, rax
        mov     edx, eax
        shr     edx, 8
        shrx    r10, r10, rdx
        shr     eax, 16
        add     r10, rax        # the distance
        copy
        .endm

        # the match of rdx, a length with its distance; looks up the next symbol
        .macro  found
        mov     r10, rbx
        mov     r8d, edx
        shr     r8d, 8
        shrx    rbx, rbx, r8
        sub     ecx, r8d
        look    r11d, r11
        shr     r10, UP
        bzhi    r10, r10, r8
        mov     r8d, edx
        shr     r8d, 16
        shrx    r10, r10, r8
        mov     r9d, edx
        shr     r9d, 22         # the length
        shr     rdx, 32
        add     r10, rdx        # the distance
        copy
        .endm

        # copies r9 bytes from r10 before; continues with the entry in r11
        .macro  copy
        mov     r8, rdi
        sub     r8, r10
        cmp     r8, r14
        jb      undo
        # 16 bytes, which repeat if the distance is shorter
        movdqu  xmm0, [r8]
        mov     edx, 16
        cmp     r10d, edx
        cmovb   edx, r10d
        shl     edx, 4
        lea     rax, [rip + patterns]
        pshufb  xmm0, [rax + rdx]
        movdqu  [rdi], xmm0
        cmp     r9d, 16
        ja      7f
        add     rdi, r9
        mov     rax, r11
        again
7:      add     r9, rdi
        cmp     r10d, 16
        jb      9f
8:      movdqu  xmm0, [r8 + 16]
        movdqu  [rdi + 16], xmm0
        movdqu  xmm0, [r8 + 32]
        movdqu  [rdi + 32], xmm0
        add     rdi, 32
        add     r8, 32
        lea     rdx, [rdi + 16]
        cmp     rdx, r9
        jb      8b
        mov     rdi, r9
        mov     rax, r11
        again
9:      lea     rax, [rip + steps]
        movzx   edx, byte ptr [rax + r10]
        lea     r8, [r9 - 16]
10:     movdqu  [rdi + rdx], xmm0
        lea     rdi, [rdi + 2 * rdx]
        movdqu  [rdi], xmm0
        cmp     rdi, r8
        jb      10b
        mov     rdi, r9
        mov     rax, r11
        again
        .endm

        # edx is no usual entry: looks up a longer code
        .macro  longer  match
        bt      edx, LONGER_BIT
        jnc     leave
        refill
        mov     r12, rbx
        mov     r13d, ecx
        shr     rbx, LOG
        sub     ecx, LOG
        mov     r8d, edx
        shr     r8d, 16
        and     r8d, 7
        mov     r9, rbx
        shr     r9, UP
        bzhi    r9d, r9d, r8d
        shr     edx, 19
        and     edx, 0x7ff
        add     edx, r9d
        mov     edx, [rbp + rdx * 4 + LONGER_SYMBOLS]
        test    edx, edx
        js      undo
        test    dl, dl
        jz      \match
        mov     eax, edx
        literals
        again
        .endm

        .globl  decodeLiterals
decodeLiterals:
        enter   2
        look    eax, rax
        .p2align 5
1:      refill
        test    al, al
        jz      3f
        literals
        test    al, al
        jz      3f
        literals
        test    al, al
        jz      2f
        literals
        again
2:      refill
3:      mov     edx, eax
        mov     r12, rbx
        mov     r13d, ecx
        test    edx, edx
        js      5f
4:      match
5:      longer  4b

        .globl  decodeMatches
        .p2align 4
decodeMatches:
        enter   3
        look    eax, rax
        .p2align 5
1:      refill
        test    al, al
        jz      3f
        literals
        test    al, al
        jz      3f
        literals
        again
3:      mov     rdx, rax
        mov     r12, rbx
        mov     r13d, ecx
        shr     rax, 32
        jz      6f
        found
6:      test    edx, edx
        js      5f
4:      match
5:      longer  4b

        .globl  decodeBetween
        .p2align 4
decodeBetween:
        enter   3
        look    eax, rax
        jmp     1f
        .p2align 5
2:      mov     eax, edx
        cmp     rsi, [rsp + END]
        jae     leave
        cmp     rdi, [rsp + LIMIT]
        jae     leave
1:      refill
        mov     [rdi], ah
        shrx    rbx, rbx, rax
        sub     ecx, eax
        cmp     al, 1           # sets the carry flag if there is none
        sbb     rdi, -1
        look    edx, rdx
        mov     r12, rbx
        mov     r13d, ecx
        mov     rax, rdx
        shr     rax, 32
        jz      6f
        found
6:      test    dl, dl
        jnz     2b
        test    edx, edx
        js      5f
4:      match
5:      longer  4b

        # C decodes the symbol that was begun.
undo:   mov     rbx, r12
        mov     ecx, r13d
leave:  mov     rax, [rsp + RUN]
        mov     r8, [rsp + ABOVE]
        movzx   ecx, cl
        sub     ecx, r8d
        mov     edx, ecx
        shr     edx, 3
        sub     rsi, rdx
        and     ecx, 7
        shrx    rbx, rbx, r8
        mov     [rax], rsi
        mov     [rax + 16], rbx
        mov     [rax + 24], rcx
        mov     [rax + 32], rdi
        add     rsp, 32
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     rbp
        pop     rbx
        ret

        # patterns by their period, and the distance back to the last whole period within 16 bytes
        .p2align 4
patterns:
        .fill   16, 1, 0
        .set    period, 1
        .rept   16
        .set    i, 0
        .rept   16
        .byte   i % period
        .set    i, i + 1
        .endr
        .set    period, period + 1
        .endr
steps:  .byte   0, 16, 16, 15, 16, 15, 12, 14, 16, 9, 10, 11, 12, 13, 14, 15
