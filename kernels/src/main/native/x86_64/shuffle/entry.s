# The entry points of the functions that Java calls: every 8 bytes from the front on (MachineCodeShuffle).

        .include "entry.inc"

        entry   isSupported
        entry   unshuffle
        entry   bitsToPlanes
        entry   multipliesMatrices

        .include "bmi2.inc"

        # int multipliesMatrices(void): whether the CPU has GFNI (CPUID leaf 7), without the AVX encoding
multipliesMatrices:
        push    rbx
        leaf7
        mov     eax, ecx
        shr     eax, 8
        and     eax, 1
        pop     rbx
        ret
