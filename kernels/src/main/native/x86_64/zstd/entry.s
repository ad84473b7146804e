# The entry points of the functions that Java calls: every 8 bytes from the front on (MachineCodeZstd).

        .include "entry.inc"

        entry   isSupported
        entry   stateBytes
        entry   openState
        entry   decodeFrame
        entry   beginFrame
        entry   decodeBlock

        .include "bmi2.inc"
