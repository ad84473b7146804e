/*
 * Decoders of formats that are literals and matches in whole bytes, for x86-64 with SSE4.1: what they share. Why there
 * are some, and what they cost, says docs/lz77.md. Freestanding: compiled to machine code that nobody relocates.
 *
 * Whatever the input, they read and write nothing outside of what they are given. What they refuse says nothing about
 * the input: the caller asks another decoder.
 */
#pragma once

#include "../matches.h"

enum { REFUSED = -1 };
