<?php
// Prints the X-Signature of a request. The body comes from standard input, byte for byte as it is sent.

/** $target is the path with its query; $body the bytes that are sent. */
function sign(string $secret, string $timestamp, string $method, string $target, string $body = ''): string
{
    return hash_hmac('sha256', $timestamp . $method . $target . $body, $secret);
}

echo sign(getenv('SECRET'), getenv('TIMESTAMP'), getenv('METHOD'), getenv('TARGET'), stream_get_contents(STDIN)), "\n";
