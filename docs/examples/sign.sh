#!/bin/sh
# Prints the X-Signature of a request. The body comes from standard input, byte for byte as it is sent:
#   printf '%s' "$BODY" | SECRET=vs_… TIMESTAMP=1794726000 METHOD=POST TARGET=/v1/deposit sh sign.sh
: "${SECRET:?is not set}" "${TIMESTAMP:?is not set}" "${METHOD:?is not set}" "${TARGET:?is not set}"
{ printf '%s' "$TIMESTAMP$METHOD$TARGET"; cat; } | openssl dgst -sha256 -hmac "$SECRET" | sed 's/.* //'
