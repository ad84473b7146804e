# The entry point of the function that Java calls (MachineCodeBlosc).

        .include "entry.inc"

        entry   placeChunk
