"""A server of files on this machine, which answers ranges, asks for credentials, and remembers what it was asked."""

import http.server
import pathlib
import re
import threading
import time
import urllib.parse


class Server:
    """Serves a folder.

    refuses: tells by the headers of a request whether it is answered by the status refusal.
    missing: the status of what is not there.
    """

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.requests = []  # (path, headers with names in lower case)
        self.open_connections = 0
        self.open_requests = self.most_requests = 0  # now, and at a time
        self.refuses = lambda headers: False
        self.refusal = 403
        self.missing = 404
        self.delay = 0  # seconds before each answer
        self.lock = threading.Lock()
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                super().setup()
                with server.lock:
                    server.open_connections += 1

            def finish(self):
                super().finish()
                with server.lock:
                    server.open_connections -= 1

            def log_message(self, *_):
                pass

            def answer(self, status, content=b"", **headers):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def do_GET(self):
                with server.lock:
                    server.open_requests += 1
                    server.most_requests = max(server.most_requests, server.open_requests)
                try:
                    time.sleep(server.delay)
                finally:
                    with server.lock:
                        server.open_requests -= 1
                self.answer_file()

            def answer_file(self):
                # A proxy gets the whole URL.
                path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
                headers = {name.lower(): value for name, value in self.headers.items()}
                server.requests.append((self.path, headers))
                file = server.folder / path.lstrip("/")
                if server.refuses(headers):
                    return self.answer(server.refusal)
                if not file.is_file():
                    return self.answer(server.missing)
                content = file.read_bytes()
                tag = f'"{file.stat().st_mtime_ns}"'
                wanted = re.fullmatch(r"bytes=(\d*)-(\d*)", headers.get("range", ""))
                if wanted is None:
                    return self.answer(200, content, ETag=tag)
                size = len(content)
                if not wanted[1]:
                    first, last = max(0, size - int(wanted[2])), size - 1
                else:
                    first, last = int(wanted[1]), min(int(wanted[2] or size), size - 1)
                if first > last:
                    return self.answer(416, Content_Range=f"bytes */{size}")
                self.answer(206, content[first : last + 1], ETag=tag, Content_Range=f"bytes {first}-{last}/{size}")

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def sent(self, name):
        """Returns the values of a header that were sent, each once; None for requests without it."""
        return {headers.get(name.lower()) for _, headers in self.requests}

    def close(self):
        self._server.shutdown()
        self._server.server_close()
