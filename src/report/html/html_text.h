/* html_text.h - text from outside on its way into a page: shown, never executed.
 *
 * Everything that a report did not word itself (commands, names of hosts, GPUs and code blocks)
 * passes through here, and through nothing else. */
#ifndef GPUT_REPORT_HTML_TEXT_H
#define GPUT_REPORT_HTML_TEXT_H

#include "base/buf.h"

/* As text between tags or within a quoted attribute.  What is no UTF-8 becomes U+FFFD, control
 * characters become their pictures, and those that would turn the direction of the text that
 * follows are named: [U+202E]. */
void gput__html_text(struct gput__buf *out, const char *text);

/* About `most` bytes of it, and dots where there is more. */
void gput__html_beginning(struct gput__buf *out, const char *text, size_t most);

/* The whole, in an element that keeps its direction to itself. */
void gput__html_isolated(struct gput__buf *out, const char *text);

/* As a string of JSON inside a <script>: quoted, without '<', '>', '&' and line separators. */
void gput__html_json(struct gput__buf *out, const char *text);

#endif
