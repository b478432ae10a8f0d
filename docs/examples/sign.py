# Prints the X-Signature of a request. The body comes from standard input, byte for byte as it is sent:
#   printf '%s' "$BODY" | SECRET=vs_… TIMESTAMP=1794726000 METHOD=POST TARGET=/v1/deposit python3 sign.py
import hashlib
import hmac
import os
import sys


def sign(secret: str, timestamp: str, method: str, target: str, body: bytes = b"") -> str:
    """`target` is the path with its query; `body` the bytes that are sent."""
    message = (timestamp + method + target).encode() + body
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()


env = os.environ
for name in ("SECRET", "TIMESTAMP", "METHOD", "TARGET"):
    if not env.get(name):
        sys.exit(f"{name} is not set.")
print(sign(env["SECRET"], env["TIMESTAMP"], env["METHOD"], env["TARGET"], sys.stdin.buffer.read()))
