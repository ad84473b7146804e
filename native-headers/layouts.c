/*
 * Prints the size of every struct and the offset and size of every field that the Java side relies
 * on, as this machine's C compiler lays them out. BindingLayoutTest compares the generated layouts,
 * and the handwritten ones of LibC, with this output.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <ucontext.h>

#include "cudart/cuda_runtime_api.h"
#include "cufile/cufile.h"
#include "liburing/liburing.h"
#include "libzstd/zstd.h"
#include "nvcomp/nvcomp.h"

#define STRUCT(kind, name) printf("struct %s %zu\n", #name, sizeof(kind name));
#define FIELD(kind, name, field) \
    printf("field %s %s %zu %zu\n", #name, #field, offsetof(kind name, field), \
            sizeof(((kind name *)0)->field));
#define FIELD_OURS FIELD

int main(void) {
    puts("library libc");
#include "libc/layout.inc"
    puts("library liburing");
#include "liburing/layout.inc"
    puts("library libzstd");
#include "libzstd/layout.inc"
    puts("library cudart");
#include "cudart/layout.inc"
    puts("library cufile");
#include "cufile/layout.inc"
    puts("library nvcomp");
#include "nvcomp/layout.inc"
    return 0;
}
