"""Creates a deposit and receives its callbacks. Python 3.9 or newer, standard library only.

VEZNE_API_KEY=vk_… VEZNE_API_SECRET=vs_… CALLBACK_SECRET=whsec_… python3 shop.py
npx vezne listen --forward http://127.0.0.1:3000/callbacks     in a second terminal, in the folder of Vezne
npx vezne sim pay TRANSACTION_ID                               in a third: plays the customer

VEZNE_URL is the address of Vezne, http://127.0.0.1:8080 when left out; PORT is the one of this program, 3000.
"""

import base64
import hashlib
import hmac
import json
import os
import re
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

VEZNE_URL = os.environ.get("VEZNE_URL", "http://127.0.0.1:8080")
PORT = int(os.environ.get("PORT", "3000"))


def setting(name, form):
    value = os.environ.get(name, "")
    if not re.fullmatch(form, value):
        sys.exit(f"{name} is not set, or incomplete. Copy it from what npm start prints.")
    return value


VEZNE_API_KEY = setting("VEZNE_API_KEY", "vk_.+")
VEZNE_API_SECRET = setting("VEZNE_API_SECRET", "vs_.+")
# With an empty callback secret anyone could forge a callback.
CALLBACK_SECRET = setting("CALLBACK_SECRET", "whsec_[A-Za-z0-9+/]{43}=")


def call(method, path, body=b""):
    timestamp = str(int(time.time()))
    signed = (timestamp + method + path).encode() + body
    signature = hmac.new(VEZNE_API_SECRET.encode(), signed, hashlib.sha256).hexdigest()
    headers = {
        "Content-Type": "application/json",
        "X-API-Key": VEZNE_API_KEY,
        "X-Timestamp": timestamp,
        "X-Signature": signature,
    }
    # The very bytes that were signed.
    request = urllib.request.Request(VEZNE_URL + path, data=body or None, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["data"]
    except urllib.error.HTTPError as refused:
        error = json.load(refused)["error"]
        sys.exit(f"The deposit was not created: {error['code']}: {error['message']} {error.get('details') or ''}".strip())
    except urllib.error.URLError as failed:
        sys.exit(f"{VEZNE_URL} does not answer: {failed.reason}")


def is_genuine(headers, body):
    event_id = headers.get("webhook-id") or ""
    timestamp = headers.get("webhook-timestamp") or ""
    signatures = headers.get("webhook-signature") or ""
    if not event_id or not timestamp.isascii() or not timestamp.isdigit() or len(timestamp) > 10:
        return False
    if abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(CALLBACK_SECRET.removeprefix("whsec_"))
    if not key:
        return False
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    return any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" "))


# In a database, in the transaction that credits the order: an event may come more than once.
seen = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        genuine = is_genuine(self.headers, body)
        if genuine and self.headers["webhook-id"] not in seen:
            seen.add(self.headers["webhook-id"])
            event = json.loads(body)
            data = event["data"]
            print("callback", event["type"], data.get("transactionId"), data.get("receivedAmount"), flush=True)
        self.send_response(200 if genuine else 401)
        self.end_headers()

    def log_message(self, *_):
        pass


receiver = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
print(f"receiving at http://127.0.0.1:{receiver.server_port}/callbacks", flush=True)
threading.Thread(target=receiver.serve_forever, daemon=True).start()
order = {
    "processId": f"order-{time.time_ns()}",
    "amount": 125000,
    "bankCode": "FAST",
    "customer": {"id": "c-1", "name": "Ayşe Yılmaz", "username": "ayse"},
}
deposit = call("POST", "/v1/deposit", json.dumps(order).encode())
print(f"deposit {deposit['transactionId']}\nsend the customer to {deposit['checkoutUrl']}", flush=True)
try:
    threading.Event().wait()
except KeyboardInterrupt:
    pass
