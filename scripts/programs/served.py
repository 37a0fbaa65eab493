"""A folder served on this machine, without scripts, as in an archive."""

import functools
import http.server
import threading


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        self.send_header("Content-Security-Policy", "sandbox allow-same-origin")
        super().end_headers()

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    # A browser opens more connections at once than the five that wait by default.
    request_queue_size = 128


def serve(root):
    handler = functools.partial(QuietHandler, directory=str(root))
    server = Server(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
