"""receivers.py - stand-ins for what figures are sent to, good and bad: for tests of exports."""

import gzip
import http.server
import json
import socket
import threading
import time


class Receiver:
    """An HTTP server on loopback that keeps what it gets: [(method, path, headers, body)]."""

    def __init__(self, status=200, headers=(), body=b"", patience=None, context=None):
        """A list of statuses is one after the other, the last for good."""
        self.got, self.statuses = [], list(status) if isinstance(status, (list, tuple)) else [status]
        self.changed = threading.Condition()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if self.headers.get("Content-Encoding") == "gzip":
                    data = gzip.decompress(data)
                with outer.changed:
                    outer.got.append((self.command, self.path, dict(self.headers), data))
                    status = outer.statuses.pop(0) if len(outer.statuses) > 1 else outer.statuses[0]
                    outer.changed.notify_all()
                if patience:
                    time.sleep(patience)
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_PUT = do_DELETE = do_GET = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None  # who hangs up is part of the tests
        if context:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        self.url = f"http{'s' if context else ''}://127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def bodies(self):
        return [data.decode() for _, _, _, data in self.got]

    def jsons(self):
        return [json.loads(data) for data in self.bodies()]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Deaf:
    """Takes connections and says nothing, or hangs up in the middle of an answer."""

    def __init__(self, says=None):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.held = []
        self.says = says
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            if self.says is None:
                self.held.append(client)
                continue
            try:
                client.recv(1)
                client.sendall(self.says)
            except OSError:
                pass
            client.close()

    def close(self):
        self.socket.close()
        for client in self.held:
            client.close()


def nobody():
    """A URL where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as s:
        return f"http://127.0.0.1:{s.getsockname()[1]}"
