"""Ask ``should-i-pool`` about twelve objects whose right advice is known, five times each: about 40 minutes.

Objects near a bound, such as a Deflater, a Mac or a Matcher, are too close to call on some days, and not here.

Run by hand on a quiet machine, with ``notebooks/`` on PYTHONPATH: ``python tests/right_advice.py [RUNS]``. It prints a
line for each object, with the seconds of its longest run, and ends with 1 if any advice was wrong.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter

from launch import workbook

XML = 'byte[] xml = "<order id=\\"7\\"/>".getBytes(StandardCharsets.US_ASCII);'
AES = 'SecretKeySpec key = new SecretKeySpec(new byte[16], "AES"); byte[] data = new byte[256];'
ENCRYPT = """byte[] nonce = ByteBuffer.allocate(12).putLong(ThreadLocalRandom.current().nextLong()).array();
o.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, nonce)); o.doFinal(data)"""

OBJECTS = {
    "SHARE": [
        {"create": 'Pattern.compile("(\\\\d+)-(\\\\d+)")', "use": 'o.matcher("2006-11").matches()'},
        {"create": 'DateTimeFormatter.ofPattern("yyyy-MM-dd")', "use": 'o.parse("2006-11-10")'},
    ],
    "NEW": [
        {"create": "new CRC32()", "use": "o.update(7); o.getValue()", "reset": "o.reset()"},
        {"create": 'MessageDigest.getInstance("SHA-256")', "use": "o.digest(d)", "setup": "byte[] d = new byte[64];"},
        {"create": 'Optional.of("x")', "use": "o.get()"},
    ],
    "ONE_PER_THREAD": [
        {"create": 'new SimpleDateFormat("yyyy-MM-dd")', "use": 'o.parse("2006-11-10")'},
        {"create": 'new DecimalFormat("#,##0.00")', "use": "o.format(1234.5)"},
        {"create": 'Cipher.getInstance("AES/GCM/NoPadding")', "use": ENCRYPT, "setup": AES},
    ],
    "POOL": [
        {"create": "new byte[65_536]", "use": "o[7]++; o[7]"},
        {"create": "DocumentBuilderFactory.newInstance().newDocumentBuilder()", "import": "javax.xml.parsers",
         "use": "o.parse(new ByteArrayInputStream(xml)).getDocumentElement()", "setup": XML},
    ],
    "CANNOT_BE_USED_AGAIN": [
        {"create": "new Thread(() -> {})", "use": "o.start(); o.join()"},
        {"create": "Arrays.asList(1, 2).stream()", "use": "o.count()"},
    ],
}  # fmt: skip


def asked(parts: dict[str, str]) -> tuple[str, float]:
    """The advice for an object, and the seconds it took."""
    options = [word for name, text in parts.items() for word in (f"--{name}", text)]
    start = time.monotonic()
    done = workbook("jbang", "should-i-pool", *options, "--json")
    seconds = time.monotonic() - start
    if done.returncode != 0:
        return done.stderr.strip().splitlines()[-1], seconds
    return json.loads(done.stdout)[0]["advice"], seconds


def main() -> int:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    wrong = 0
    for right, objects in OBJECTS.items():
        for parts in objects:
            answers = [asked(parts) for _ in range(runs)]
            found = Counter(advice for advice, _ in answers)
            wrong += runs - found[right]
            longest = max(seconds for _, seconds in answers)
            print(f"{parts['create']}: {right} expected; {dict(found)}, {longest:.0f} s at most", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
