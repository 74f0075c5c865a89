/* manual.h - the manual page as plain text; the build makes it of man/gpu-tracker.1.scd. */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

extern const char manual_text[];

#endif
