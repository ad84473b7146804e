# The entry points of the functions that Java calls: every 8 bytes from the front on (MachineCodeInflate).

        .include "entry.inc"

        entry   isSupported
        entry   stateBytes
        entry   inflate

        .include "bmi2.inc"
