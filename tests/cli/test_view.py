"""Tests of the local server of `abut view`: whom it lets in, what it refuses, when it ends.

Usage: python3 test_view.py PROGRAM [unittest arguments]
Speaks HTTP and WebSocket over plain sockets, by the standard library only.
"""

import base64
import hashlib
import json
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = ""
PATIENCE = 60  # s, on a busy machine

SCENE = """\
abut: 1
name: Dropped
duration: 0.2
bodies:
  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed}
  - {name: ball, shape: {sphere: {radius: 0.5}}, position: [0, 0, 1.5]}
"""


class Server:
    """`abut view` with its address."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([PROGRAM, "view", "--no-open", *arguments],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.url)
        if not found:
            raise AssertionError(f"no address: {self.url} {self.process.stderr.read()}")
        self.port, self.token = int(found[1]), found[2]
        self.host = f"127.0.0.1:{self.port}"
        self.links = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()
        for link in self.links:
            link.close()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def talk(self, text):
        """Sends bytes and gives all that comes back."""
        with self.connect() as link:
            link.sendall(text.encode("latin-1"))
            return read_all(link)

    def get(self, path, host=None, **headers):
        lines = [f"GET {path} HTTP/1.1", f"Host: {host or self.host}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return self.talk("\r\n".join(lines) + "\r\n\r\n")

    def open_stream(self, origin=None):
        """The page's own connection, and the status of the answer."""
        link = self.connect()
        self.links.append(link)
        key = base64.b64encode(os.urandom(16)).decode()
        link.sendall(
            f"GET /{self.token}/live HTTP/1.1\r\nHost: {self.host}\r\n"
            f"Origin: {origin or 'http://' + self.host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
            .encode())
        head = b""
        while b"\r\n\r\n" not in head:
            more = link.recv(1)
            if not more:
                break
            head += more
        status = status_of(head)
        if status == 101:
            name = (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()
            expected = base64.b64encode(hashlib.sha1(name).digest())
            assert expected in head, head
        return link, status

    def ends(self):
        return self.process.wait(timeout=PATIENCE)


def read_all(link):
    data = b""
    while True:
        try:
            more = link.recv(65536)
        except ConnectionResetError:
            return data
        if not more:
            return data
        data += more


def status_of(answer):
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def masked(opcode, payload, mask=b"\x12\x34\x56\x78", last=True):
    size = len(payload)
    head = bytes([opcode | (0x80 if last else 0)])
    head += bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + struct.pack(">H", size)
    return head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload))


def exactly(link, count):
    data = b""
    while len(data) < count:
        more = link.recv(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def next_frame(link):
    first, size = exactly(link, 2)
    if size == 126:
        size, = struct.unpack(">H", exactly(link, 2))
    elif size == 127:
        size, = struct.unpack(">Q", exactly(link, 8))
    return first & 15, exactly(link, size)


def closing_code(link):
    """Reads up to the frame that closes, and gives its reason."""
    while True:
        opcode, payload = next_frame(link)
        if opcode == 8:
            return struct.unpack(">H", payload[:2])[0]


def say(link, **command):
    link.sendall(masked(1, json.dumps(command).encode()))


class ViewTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.scene = str(Path(self.folder.name) / "scene.yaml")
        Path(self.scene).write_text(SCENE)

    def test_serves_one_page_to_one_user_and_ends_with_it(self):
        with Server(self.scene) as server:
            page = server.get(f"/{server.token}/")
            self.assertEqual(status_of(page), 200)
            self.assertIn(b"abut-header", page)
            self.assertIn(b"Content-Security-Policy: default-src 'none'", page)
            self.assertIn(b"Cache-Control: no-store", page)
            link, status = server.open_stream()
            self.assertEqual(status, 101)
            self.assertEqual(next_frame(link), (1, b'{"begin":true}'))
            self.assertEqual(server.open_stream()[1], 409)
            # Loading the page anew is no farewell.
            link.close()
            time.sleep(0.2)
            self.assertEqual(status_of(server.get(f"/{server.token}/")), 200)
            link, status = server.open_stream()
            self.assertEqual(status, 101)
            link.sendall(masked(8, struct.pack(">H", 1001)))
            self.assertEqual(closing_code(link), 1000)
            link.close()
            self.assertEqual(server.ends(), 0)

    def test_listens_on_this_machine_only(self):
        with Server(self.scene) as server:
            listening = Path("/proc/net/tcp").read_text()
            self.assertIn(f"0100007F:{server.port:04X} 00000000:0000 0A", listening)
            self.assertNotIn(f"00000000:{server.port:04X} 00000000:0000 0A", listening)

    def test_refuses_strangers(self):
        with Server(self.scene) as server:
            path = f"/{server.token}/"
            for status, answer in [
                    (403, server.get("/")),
                    (403, server.get(f"/{'0' * 32}/")),
                    (403, server.get(path[:-2] + "/")),
                    (403, server.get(path, host="evil.example")),
                    (403, server.get(path, host=f"evil.example:{server.port}")),
                    (403, server.get(path, Origin="http://evil.example")),
                    (403, server.get(path, Origin="null")),
                    (404, server.get(path + "other")),
                    (400, server.get(path + "live", Origin=f"http://{server.host}")),
                    (405, server.talk(f"DELETE {path} HTTP/1.1\r\nHost: {server.host}\r\n\r\n")),
                    (400, server.talk("nonsense\r\n\r\n")),
                    (400, server.talk(f"GET {path} HTTP/1.0\r\nHost: {server.host}\r\n\r\n")),
                    (431, server.talk("GET / HTTP/1.1\r\nX: " + "x" * 9000))]:
                self.assertEqual(status_of(answer), status, answer[:200])
                self.assertNotIn(b"abut-header", answer)
            for origin in ["http://evil.example", "null", f"http://localhost:{server.port}"]:
                self.assertEqual(server.open_stream(origin)[1], 403)
            # It goes on for its own page.
            self.assertEqual(status_of(server.get(path)), 200)

    def test_refuses_messages_that_make_no_sense(self):
        with Server(self.scene) as server:
            for code, message in [
                    (1009, masked(1, b"x" * 5000)),
                    (1009, masked(1, b"x" * 3000, last=False) + masked(0, b"x" * 3000)),
                    (1002, b"\x81\x02hi"),
                    (1002, masked(3, b"")),
                    (1002, masked(0, b"")),
                    (1008, masked(2, b"binary")),
                    (1008, masked(1, b"no json")),
                    (1008, masked(1, b'{"do": "format", "disk": 1}')),
                    (1008, masked(1, b'{"do": "goal", "time": 1e400}'))]:
                link, status = server.open_stream()
                self.assertEqual(status, 101)
                link.sendall(message)
                self.assertEqual(closing_code(link), code, message[:40])
                link.close()
                time.sleep(0.3)

    def test_simulates_what_is_asked_for(self):
        with Server(self.scene) as server:
            link, _ = server.open_stream()
            say(link, do="goal", time=0.1)
            kinds = set()
            while "frames" not in kinds:
                opcode, payload = next_frame(link)
                if opcode == 2:
                    size, = struct.unpack("<I", payload[4:8])
                    kinds.add(json.loads(payload[8:8 + size])["kind"])
            say(link, do="step")
            while True:
                opcode, payload = next_frame(link)
                if opcode == 1 and b"stepped" in payload:
                    break
            # A metre of fall.
            self.assertAlmostEqual(json.loads(payload)["stepped"], (2 / 9.81) ** 0.5, places=6)
            link.sendall(masked(9, b"still there?"))
            while True:
                opcode, payload = next_frame(link)
                if opcode == 10:
                    break
            self.assertEqual(payload, b"still there?")

    def test_a_recorded_run(self):
        out = str(Path(self.folder.name) / "out")
        subprocess.run([PROGRAM, "run", self.scene, "-o", out, "--quiet", "--no-report"], check=True)
        with Server(out) as server:
            page = server.get(f"/{server.token}/")
            self.assertIn(b"abut-chunk", page)
            link, status = server.open_stream()
            self.assertEqual(status, 101)
            say(link, do="step")  # there is nothing to step
            self.assertEqual(closing_code(link), 1008)

    def test_ends_on_interrupt(self):
        with Server(self.scene) as server:
            server.open_stream()
            server.process.terminate()
            self.assertEqual(server.ends(), 0)


if __name__ == "__main__":
    PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
