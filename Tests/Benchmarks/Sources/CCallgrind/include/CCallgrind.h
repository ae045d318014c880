// Requests of a program to Callgrind, which counts the program's instructions. Without Callgrind they do nothing.

#ifndef CCALLGRIND_H
#define CCALLGRIND_H

/// Starts counting, in all threads. Callgrind must have been started with --instr-atstart=no.
void callgrind_start(void);

/// Stops counting. Callgrind writes the counts when the program ends.
void callgrind_stop(void);

#endif
