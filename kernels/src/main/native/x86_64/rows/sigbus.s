# Reading a mapped file that was truncated causes a SIGBUS. If it comes from a function here, that function returns 1.
# Any other one goes to the handler that was there before, the JVM's.
#
#   void onSigbus(int signal, siginfo_t *info, ucontext_t *context)
#
# sigaction(2)

        .include "rows/frame.inc"
        .intel_syntax noprefix
        .section .note.GNU-stack, "", @progbits
        .text
        .globl  onSigbus
        .hidden onSigbus, elementsBegin, elementsEnd

        .equ    SI_CODE, 8              # of siginfo_t; positive: from the kernel, not from a process
        .equ    GREG_R15, 96              # uc_mcontext.gregs[REG_R15] of ucontext_t
        .equ    GREG_RSP, 160
        .equ    GREG_RIP, 168

onSigbus:
        cmp     dword ptr [rsi + SI_CODE], 0
        jle     isOther
        mov     rax, [rdx + GREG_RIP]
        .irp    function, copyNonTemporal, copyShort
        lea     rcx, \function\()Reads[rip]
        cmp     rax, rcx
        jb      1f
        lea     rcx, \function\()HasRead[rip]
        cmp     rax, rcx
        jb      isOurs
1:
        .endr
        lea     rcx, elementsBegin[rip]
        cmp     rax, rcx
        jb      isOther
        lea     rcx, elementsEnd[rip]
        cmp     rax, rcx
        jae     isOther
        mov     rcx, [rdx + GREG_R15]   # elements.s
        mov     [rdx + GREG_RSP], rcx
        jmp     isOurs
isOther:
        jmp     handlerBefore[rip]
isOurs:
        lea     rax, pageIsGone[rip]
        mov     [rdx + GREG_RIP], rax
        ret

        # With the registers of the function that read.
pageIsGone:
        sfence
        mov     eax, 1
        leave_frame
