# The entry points of the functions that Java calls: every 8 bytes from the front on (MachineCodeLz77).

        .include "entry.inc"

        entry   isSupported
        entry   decodeBlosclz
        entry   decodeSnappy

        .include "bmi2.inc"
