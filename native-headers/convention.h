/*
 * How the headers in this folder are written, so that one text serves two readers.
 *
 * jextract reads a header alone: structs, constants and functions are declared under their own names.
 *
 * check.sh reads it after the vendor's header, with ZE_CHECK defined. Then
 *   - a function is declared a second time: a prototype that differs is a compile error;
 *   - a struct gets the prefix ours_, and layout.inc compares it with the vendor's, field by field;
 *   - a constant becomes a static assertion.
 */
#ifndef ZARR_ENGINE_CONVENTION_H
#define ZARR_ENGINE_CONVENTION_H

#include <stddef.h>
#include <stdint.h>

#ifdef ZE_CHECK
#define ZE_NAME(name) ours_##name
#define ZE_CONSTANT(name, value) _Static_assert((name) == (value), #name " has another value")
#define ZE_ENUMERATOR(name, value) ZE_CONSTANT(name, value);
#define ZE_ENUM(tag, LIST) LIST(ZE_ENUMERATOR)
#else
#define ZE_NAME(name) name
#define ZE_CONSTANT(name, value) enum { name = (value) }
#define ZE_ENUMERATOR(name, value) name = (value),
#define ZE_ENUM(tag, LIST) enum tag { LIST(ZE_ENUMERATOR) };
#endif

#endif
