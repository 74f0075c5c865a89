/* curl.h - in the place of libcurl's where a build must do without it: no library is loaded
 * (GPUT_WITHOUT_CURL), and none of this is ever called. */
#ifndef WITHOUT_CURL_H
#define WITHOUT_CURL_H

#include <stdint.h>

#define CURL_ERROR_SIZE 256
#define CURL_GLOBAL_DEFAULT 3L
#define CURLOPTTYPE_LONG 0

typedef void CURL;
typedef void CURLM;
typedef int64_t curl_off_t;
struct curl_slist;
struct curl_waitfd;

typedef enum {
    CURLE_OK,
    CURLE_UNSUPPORTED_PROTOCOL,
    CURLE_URL_MALFORMAT,
    CURLE_COULDNT_RESOLVE_PROXY,
    CURLE_COULDNT_RESOLVE_HOST,
    CURLE_COULDNT_CONNECT,
    CURLE_OUT_OF_MEMORY,
    CURLE_OPERATION_TIMEDOUT,
    CURLE_TOO_MANY_REDIRECTS,
    CURLE_GOT_NOTHING,
    CURLE_SEND_ERROR,
    CURLE_RECV_ERROR,
    CURLE_PEER_FAILED_VERIFICATION,
    CURLE_FILESIZE_EXCEEDED,
} CURLcode;

typedef enum { CURLM_OK } CURLMcode;
typedef enum { CURLINFO_PRIVATE, CURLINFO_RESPONSE_CODE } CURLINFO;

typedef enum {
    CURLOPT_CUSTOMREQUEST,
    CURLOPT_ERRORBUFFER,
    CURLOPT_FOLLOWLOCATION,
    CURLOPT_HEADERDATA,
    CURLOPT_HEADERFUNCTION,
    CURLOPT_HTTPHEADER,
    CURLOPT_MAXFILESIZE_LARGE,
    CURLOPT_MAXREDIRS,
    CURLOPT_NOSIGNAL,
    CURLOPT_POSTFIELDS,
    CURLOPT_POSTFIELDSIZE_LARGE,
    CURLOPT_PRIVATE,
    CURLOPT_PROXY,
    CURLOPT_TIMEOUT_MS,
    CURLOPT_URL,
    CURLOPT_USERAGENT,
    CURLOPT_WRITEDATA,
    CURLOPT_WRITEFUNCTION,
} CURLoption;

typedef struct {
    enum { CURLMSG_DONE } msg;
    CURL *easy_handle;
    union {
        CURLcode result;
    } data;
} CURLMsg;

#endif
