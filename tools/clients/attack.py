#!/usr/bin/env python3
"""Attacks a server of its own over bare connections: it has to answer with a status, or close, and to stay as it was.

usage: attack.py CAIRN CAIRN_SERVER
"""
import os, re, signal, socket, subprocess, sys, tempfile, threading, time

cairn, program = sys.argv[1:3]
folder = tempfile.mkdtemp()
store = f"{folder}/attacked.cairn"
failures = 0
TIMEOUT = 4
TOKEN = "a-token-for-the-attack"


def expect(condition, text):
    global failures
    print(("ok    " if condition else "WRONG ") + text, flush=True)
    failures += not condition


def rows(name, count):
    with open(f"{folder}/{name}.csv", "w") as file:
        file.write("id,name,lat,lon\n")
        for i in range(count):
            file.write(f"{i},{'x' * 80} {i},{i % 160 - 80},{i * 7 % 340 - 170}\n")
    return f"{folder}/{name}.csv"


subprocess.run([cairn, "import", store, rows("places", 100_000), "--key", "id", "--quiet"], check=True)
open(f"{folder}/token", "w").write(TOKEN)


def start(*options):
    log = open(f"{folder}/log", "w")
    process = subprocess.Popen([program, store, "--port", "0", "--quiet", "--timeout", str(TIMEOUT), "--writable",
                                "--token-file", f"{folder}/token", *options], stderr=log)
    while True:
        found = re.search(r"http://127.0.0.1:(\d+)/", open(f"{folder}/log").read())
        if found:
            return process, int(found[1])
        assert process.poll() is None
        time.sleep(0.05)


server, port = start()


def connect(seconds=10):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.settimeout(seconds)
    return connection


def read(connection, limit=1 << 26):
    """Reads until the server closes, or is silent for the time of the socket."""
    parts, size = [], 0
    try:
        while size < limit:
            part = connection.recv(1 << 16)
            if not part:
                break
            parts.append(part)
            size += len(part)
    except (TimeoutError, ConnectionError):
        pass
    return b"".join(parts)


def exchange(data, seconds=2):
    with connect(TIMEOUT + 4) as connection:
        try:
            connection.sendall(data)
        except ConnectionError:
            pass
        connection.settimeout(seconds)
        return read(connection)


def statuses(answer):
    return [int(code) for code in re.findall(rb"HTTP/1\.[01] (\d{3})", answer)]


def status(data, seconds=2):
    found = statuses(exchange(data, seconds))
    return found[0] if found else None


def is_well():
    began = time.time()
    found = status(b"GET /conformance HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 5)
    return found == 200 and time.time() - began < 5


def used():
    text = open(f"/proc/{server.pid}/status").read()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) // 1024, len(os.listdir(f"/proc/{server.pid}/fd"))


def case(name, run):
    try:
        run()
    except Exception as error:
        expect(False, f"{name}: {error!r}")
    if server.poll() is not None:
        expect(False, f"{name}: the server ended with {server.returncode}")
        sys.exit(1)
    expect(is_well(), f"the server answers as usual after: {name}")


def get(path, *headers, version="1.1", method="GET"):
    lines = [f"{method} {path} HTTP/{version}", "Host: a", "Connection: close", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


# --- Slow clients


def closes_in(connection, limit):
    began = time.time()
    connection.settimeout(limit)
    try:
        while connection.recv(1 << 16):
            pass
    except TimeoutError:
        return None
    except ConnectionError:
        pass
    return time.time() - began


def drip(data, interval, limit):
    """Sends a byte now and then; returns the seconds after which the server closes, or nothing."""
    began = time.time()
    with connect() as connection:
        connection.setblocking(False)
        for byte in data:
            try:
                connection.send(bytes([byte]))
            except BlockingIOError:
                pass
            except ConnectionError:
                return time.time() - began
            time.sleep(interval)
            try:
                if connection.recv(1 << 16) == b"":
                    return time.time() - began
            except BlockingIOError:
                pass
            except ConnectionError:
                return time.time() - began
            if time.time() - began > limit:
                return None
    return time.time() - began


def slow_clients():
    limit = 3 * TIMEOUT
    results = {}
    kinds = {
        "an open connection": b"",
        "a header, byte by byte": b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 1000,
        "headers, line by line": None,
        "a body, byte by byte": f"POST /collections/places/items HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {TOKEN}\r\n"
                                "Content-Type: application/geo+json\r\nContent-Length: 100000\r\n\r\n".encode(),
        "chunks, byte by byte": f"POST /collections/places/items HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {TOKEN}\r\n"
                                "Content-Type: application/geo+json\r\nTransfer-Encoding: chunked\r\n\r\n".encode(),
    }

    def attack(name, data):
        if name == "an open connection":
            with connect() as connection:
                results[name] = closes_in(connection, limit)
        elif name == "headers, line by line":
            results[name] = drip(b"GET / HTTP/1.1\r\nHost: a\r\n" + b"a:b\r\n" * 1000, 0.1, limit)
        elif name.startswith("a header"):
            results[name] = drip(data, 0.3, limit)
        else:
            with connect() as connection:
                connection.sendall(data)
                began = time.time()
                results[name] = None
                while time.time() - began < limit:
                    try:
                        connection.sendall(b"1\r\nx\r\n" if "chunk" in name else b"x")
                    except ConnectionError:
                        results[name] = time.time() - began
                        break
                    time.sleep(0.3)
    threads = [threading.Thread(target=attack, args=item) for item in kinds.items()]
    for thread in threads:
        thread.start()
    time.sleep(1)
    expect(is_well(), "others are served beside slow clients")
    for thread in threads:
        thread.join()
    for name in kinds:
        seconds = results.get(name)
        expect(seconds is not None, f"{name}: closed after {seconds and round(seconds, 1)} s")


def slow_readers():
    held = []
    for _ in range(10):
        connection = connect()
        # More than all buffers on the way can hold.
        connection.sendall(b"GET /collections/places/items?limit=10000 HTTP/1.1\r\nHost: a\r\n\r\n" * 20)
        held.append(connection)
    time.sleep(1)
    expect(is_well(), "others are served beside clients that do not read")
    time.sleep(2 * TIMEOUT + 1)
    largest, still_open = 0, 0
    for connection in held:
        connection.settimeout(1)
        size = 0
        try:
            while part := connection.recv(1 << 20):
                size += len(part)
        except TimeoutError:
            still_open += 1
        except ConnectionError:
            pass
        largest = max(largest, size)
        connection.close()
    expect(still_open == 0 and largest < 20_000_000, f"clients that do not read are cut off, after {largest} bytes at most")


# --- Strange requests


def large_requests():
    expect(status(get("/" + "a" * 20_000)) == 414, "a path of 20 000 bytes: 414")
    for size in [200_000, 5_000_000]:
        found = status(get("/" + "a" * size))
        expect(found in (400, 414, 431, None), f"a path of {size} bytes: {found or 'closed'}")
        found = status(get("/", "X: " + "a" * size))
        expect(found in (400, 413, 431, None), f"a header of {size} bytes: {found or 'closed'}")
    found = status(get("/", *[f"X{i}: a" for i in range(50_000)]))
    expect(found in (400, 413, 431, None), f"50 000 headers: {found or 'closed'}")
    head = ["Content-Type: application/geo+json", f"Authorization: Bearer {TOKEN}"]
    found = status(get("/collections/places/items", *head, "Content-Length: 3000000", method="POST") + b"x" * 3_000_000, 4)
    expect(found in (413, None), f"a body of 3 MB: {found or 'closed'}")
    found = status(get("/collections/places/items", *head, "Content-Length: 99999999999999999999", method="POST"), 2)
    expect(found in (400, 413, None), f"an endless length: {found or 'closed'}")
    chunks = b"100000\r\n" + b"y" * 0x100000 + b"\r\n"
    found = status(get("/collections/places/items", *head, "Transfer-Encoding: chunked", method="POST") + chunks * 4, 4)
    expect(found in (413, None), f"chunks of 4 MB: {found or 'closed'}")
    deep = "(" * 8000
    expect(status(get(f"/collections/places/items?filter={deep}")) == 400, "a filter of 8 000 parentheses: 400")
    expect(status(get("/collections/places/items?" + "&".join(["name=x"] * 1500))) in (200, 400), "1 500 parameters")


def pipelining():
    answer = exchange(b"GET /collections/places/items/7?f=json HTTP/1.1\r\nHost: a\r\n\r\n" * 500 + get("/conformance"), 8)
    expect(statuses(answer) == [200] * 501, f"500 requests at once: {len(statuses(answer))} answers")
    answer = exchange(b"GET /conformance HTTP/1.1\r\nHost: a\r\n\r\nGET /nothing HTTP/1.1\r\nHost: a\r\n\r\n" + get("/api"))
    expect(statuses(answer) == [200, 404, 200], "answers have the order of the requests")
    with connect() as connection:
        # The client leaves while most of its requests wait.
        connection.sendall(b"GET /collections/places/items?limit=5000 HTTP/1.1\r\nHost: a\r\n\r\n" * 300)


def versions_and_methods():
    answer = exchange(b"GET /conformance HTTP/1.0\r\n\r\n")
    expect(statuses(answer) == [200] and b"chunked" not in answer, "HTTP/1.0 without a host: 200 and the end")
    answer = exchange(b"GET /collections/places/items?limit=9000 HTTP/1.0\r\n\r\n", 5)
    expect(statuses(answer) == [200] and answer.rstrip().endswith(b"}"), "HTTP/1.0, a long page: whole")
    expect(b"chunked" not in answer.lower().split(b"\r\n\r\n")[0], "HTTP/1.0, a long page: no chunks")
    for line in [b"GET /\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 500, b"\0" * 4096,
                 b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n\r\n\r\n", b"GET  /  HTTP/1.1\r\n\r\n",
                 b"GET / HTTP/1.1\r\n: x\r\n\r\n", b"GET / HTTP/1.1\r\nA b: x\r\n\r\n", b"GET / HTTP/1.1\nHost: a\n\n",
                 b"GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", b"GET / HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n"]:
        found = status(line, 1)
        expect(found in (200, 400, 404, 405, 505, None), f"{line[:30]!r}: {found or 'closed'}")
    for method, wanted in [("HEAD", [200]), ("OPTIONS", [200]), ("TRACE", [405]), ("CONNECT", [405, 400]), ("FOO", [405, 400]),
                           ("POST", [405]), ("DELETE", [405])]:
        answer = exchange(get("/collections", method=method))
        found = statuses(answer)
        expect(found and found[0] in wanted, f"{method}: {found}")
        if method == "HEAD":
            expect(answer.endswith(b"\r\n\r\n"), "HEAD has no body")
    answer = exchange(b"HEAD /collections/places/items?limit=9000 HTTP/1.1\r\nHost: a\r\n\r\n" + get("/conformance"))
    expect(statuses(answer)[:1] == [200], "HEAD of a long page")


def smuggling():
    head = f"POST /collections/places/items HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {TOKEN}\r\n"
    for name, lines in {
        "two lengths": "Content-Length: 4\r\nContent-Length: 40\r\n\r\nabcd",
        "length and chunks": "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "a negative length": "Content-Length: -4\r\n\r\n",
        "a bad chunk": "Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
        "a huge chunk": "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc",
        "unknown coding": "Transfer-Encoding: gzip\r\n\r\nabc",
    }.items():
        answer = exchange((head + lines + "GET /conformance HTTP/1.1\r\nHost: a\r\n\r\n").encode(), 1)
        expect(200 not in statuses(answer), f"{name}: {statuses(answer) or 'closed'}")
    answer = exchange((head + "Content-Encoding: gzip\r\nContent-Length: 4\r\nConnection: close\r\n\r\nabcd").encode())
    expect(statuses(answer)[:1] in ([400], [415]), f"a body that claims to be gzip: {statuses(answer)}")
    answer = exchange((head + "Expect: 100-continue\r\nContent-Length: 4\r\nConnection: close\r\n\r\nabcd").encode())
    expect(statuses(answer)[-1:] in ([400], [415]), f"Expect: {statuses(answer)}")


def paths():
    for path in ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/collections/..%2f..%2fetc", "/collections/%00", "/collections/%ff%fe",
                 "//etc/passwd", "/collections//items", "/collections/places/items/", "/collections/places/items/%00", "/%", "/%zz", "/.",
                 "/collections/places/tiles/0/0/0/0/0", "/collections/places/tiles/99999999999999999999/0/0", "/collections/places/tiles/-1/0/0",
                 "/collections/" + "%41" * 3000, "/explorer/../token", "\\..\\x", "*", "http://evil/etc", "/collections/places/items?limit=%00",
                 "/collections/places/items?cursor=" + "A" * 5000, "/collections/places/items?bbox=nan,nan,nan,nan", "/?f=../x"]:
        answer = exchange(get(path))
        found = statuses(answer)
        expect(found and found[0] in (200, 301, 400, 404, 414) and b"root:" not in answer, f"{path[:50]}: {found}")


def ranges():
    whole = exchange(get("/collections/places/items?limit=2000"), 5)
    for lines in [["Range: bytes=0-99"], ["Range: bytes=0-99", "Accept-Encoding: gzip"], ["Range: bytes=99999999999-"],
                  ["Range: bytes=" + ",".join(["0-"] * 1000), "Accept-Encoding: gzip"], ["If-Range: x", "Range: bytes=5-"],
                  ["Accept-Encoding: " + "gzip," * 3000], ["Accept-Encoding: gzip;q=0, *;q=0"], ["Accept: " + "a/b;q=0.1," * 3000],
                  ["If-None-Match: " + '"x",' * 3000], ["Last-Event-ID: x"], ["X-Forwarded-For: " + "1.2.3.4," * 3000]]:
        answer = exchange(get("/collections/places/items?limit=2000", *lines), 5)
        wanted = [406] if lines[0].startswith("Accept: ") else [200]
        expect(statuses(answer)[:1] == wanted, f"{', '.join(line[:40] for line in lines)}: {statuses(answer)[:1]}")
    expect(len(whole) > 100_000, "a page without a range is whole")


# --- Many of them


def many_connections():
    held, answers = [], []
    for _ in range(900):
        try:
            held.append(connect(3))
        except OSError:
            pass
    for connection in held:
        try:
            connection.sendall(b"GET /conformance HTTP/1.1\r\nHost: a\r\n\r\n")
        except ConnectionError:
            pass
    time.sleep(2)
    for connection in held:
        connection.setblocking(False)
        try:
            answers += statuses(connection.recv(1 << 12))
        except (BlockingIOError, ConnectionError):
            # It waits in the queue of the system, or was closed.
            pass
    for connection in held:
        connection.close()
    expect(set(answers) == {200, 503}, f"900 connections: {answers.count(200)} with 200, {answers.count(503)} with 503")
    time.sleep(1)


def many_streams():
    held, answers = [], []
    for _ in range(300):
        connection = connect(3)
        connection.sendall(b"GET /collections/places/live HTTP/1.1\r\nHost: a\r\n\r\n")
        held.append(connection)
    for connection in held:
        try:
            answers += statuses(connection.recv(1 << 12))
        except OSError:
            pass
    expect(answers.count(200) == 256 and answers.count(503) == 44,
           f"300 streams: {answers.count(200)} with 200, {answers.count(503)} with 503")
    for connection in held:
        connection.close()
    # The server notices when it next writes, after 15 s without events.
    end = time.time() + 60
    while time.time() < end:
        answer = exchange(b"GET /collections/places/live HTTP/1.1\r\nHost: a\r\n\r\n", 0.5)
        if statuses(answer) == [200]:
            break
    expect(statuses(answer) == [200], "streams are free again after their clients have left")


def leavers():
    """Clients that leave in the middle of everything."""
    for i in range(1500):
        connection = connect()
        connection.sendall([b"GET /collections/places/items?limit=10000 HTTP/1.1\r\nHost: a\r\n\r\n", b"GET /co",
                            b"GET /collections/places/live?initial=true HTTP/1.1\r\nHost: a\r\n\r\n",
                            b"GET /collections/places/tiles/0/0/0 HTTP/1.1\r\nHost: a\r\n\r\n"][i % 4])
        if i % 3 == 0:
            # A reset instead of an orderly end.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        connection.close()


def importing():
    importer = subprocess.Popen([cairn, "import", store, rows("more", 400_000), "--class", "more", "--key", "id", "--quiet"])
    answers = []
    while importer.poll() is None:
        answers.append(status(get("/collections/places/items?limit=100"), 5))
        answers.append(status(get("/collections/places/tiles/1/0/0"), 5))
    expect(importer.returncode == 0 and set(answers) == {200}, f"an import beside {len(answers)} requests")
    expect(status(get("/collections/more/items?limit=1")) == 200, "the new class is served")


before = None
for name, run in [("slow clients", slow_clients), ("slow readers", slow_readers), ("large requests", large_requests),
                  ("pipelining", pipelining), ("versions and methods", versions_and_methods), ("smuggling", smuggling), ("paths", paths),
                  ("ranges", ranges), ("many connections", many_connections), ("many streams", many_streams), ("leavers", leavers),
                  ("leavers again", leavers), ("importing", importing)]:
    print(f"--- {name}")
    case(name, run)
    if name == "leavers":
        time.sleep(3)
        before = used()
time.sleep(TIMEOUT + 3)
after = used()
expect(after[1] <= before[1] + 5, f"descriptors: {before[1]} after the first attacks, {after[1]} at the end")
expect(after[0] < before[0] * 1.5 + 50, f"memory: {before[0]} MB after the first attacks, {after[0]} MB at the end")

print("--- a stop during streams and a long download")
streams = []
for _ in range(20):
    connection = connect()
    connection.sendall(b"GET /collections/places/live?initial=true HTTP/1.1\r\nHost: a\r\n\r\n")
    streams.append(connection)
download = connect()
download.sendall(get("/collections/places/items?limit=10000"))
time.sleep(0.5)
began = time.time()
server.send_signal(signal.SIGTERM)
data = []
reader = threading.Thread(target=lambda: data.append(read(download)))
reader.start()
try:
    code = server.wait(30)
except subprocess.TimeoutExpired:
    code = None
    server.kill()
expect(code == 0, f"the server ends with {code} after {time.time() - began:.1f} s")
reader.join()
expect(data[0].rstrip().endswith(b"0"), "the download was completed")
expect(subprocess.run([cairn, "verify", store], capture_output=True).returncode == 0, "the store is sound")
print(f"{failures} wrong")
sys.exit(failures > 0)
