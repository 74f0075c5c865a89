"""web_server.py - a server on loopback for tests: it answers as it is told, and keeps what it was asked."""

import http.server
import ssl
import threading


class Server:
    """Answers each request by answer(handler), on a thread of its own; `seen` has all requests."""

    def __init__(self, answer, certificate=None):
        self.seen = []  # (method, path, headers)
        self.release = threading.Event()  # for those that answer late
        lock, server = threading.Lock(), self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                with lock:
                    server.seen.append((self.command, self.path, dict(self.headers)))
                try:
                    answer(self)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            do_GET = do_PUT = do_POST = do_CONNECT = handle_any

            def log_message(self, *words):
                pass

        class Quiet(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request, address):
                pass

        self.http = Quiet(("127.0.0.1", 0), Handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.http.socket = context.wrap_socket(self.http.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self.http.server_address[1]
        self.url = f"http{'s' if certificate else ''}://127.0.0.1:{self.port}"
        threading.Thread(target=self.http.serve_forever, args=[0.01], daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.release.set()
        self.http.shutdown()
        self.http.server_close()

    def paths(self):
        return sorted(path.split("?")[0] for method, path, _ in self.seen if method == "GET")


def send(handler, text, status=200, **headers):
    body = text if isinstance(text, bytes) else text.encode()
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def always(text, status=200, **headers):
    return lambda handler: send(handler, text, status, **headers)
