# Prints the X-Signature of a request. The body comes from standard input, byte for byte as it is sent.
import hashlib
import hmac
import os
import sys


def sign(secret: str, timestamp: str, method: str, target: str, body: bytes = b"") -> str:
    """`target` is the path with its query; `body` the bytes that are sent."""
    message = (timestamp + method + target).encode() + body
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()


env = os.environ
print(sign(env["SECRET"], env["TIMESTAMP"], env["METHOD"], env["TARGET"], sys.stdin.buffer.read()))
