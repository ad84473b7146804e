/*
 * Compiles one of our headers after the vendor's; any difference is a compile error. check.sh gives
 * VENDOR_HEADER, OUR_HEADER, LAYOUT, and FUNCTIONS, a list of FUNCTION(name) lines.
 */
#include VENDOR_HEADER

/* Before our own declarations: each function must be known to the vendor. */
#define FUNCTION(name) static __typeof__(name) *const exists_##name __attribute__((unused)) = 0;
#include FUNCTIONS

#define ZE_CHECK
#include OUR_HEADER

#define STRUCT(kind, name) \
    _Static_assert(sizeof(kind name) == sizeof(kind ours_##name), #name " has another size");
#define FIELD(kind, name, field) \
    _Static_assert(offsetof(kind name, field) == offsetof(kind ours_##name, field), \
            #name "." #field " has another offset"); \
    _Static_assert(sizeof(((kind name *)0)->field) == sizeof(((kind ours_##name *)0)->field), \
            #name "." #field " has another size");
#define FIELD_OURS(kind, name, field) /* named otherwise by the vendor; the size covers it */
#include LAYOUT
