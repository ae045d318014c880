#include "CCallgrind.h"

#include <valgrind/callgrind.h>

void callgrind_start(void) {
    CALLGRIND_START_INSTRUMENTATION;
}

void callgrind_stop(void) {
    CALLGRIND_STOP_INSTRUMENTATION;
}
