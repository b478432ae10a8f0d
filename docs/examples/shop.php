<?php
// A shop in one file: creates a deposit and receives its callbacks. PHP 8.1 or newer, without packages.
//
// VEZNE_API_KEY=vk_… VEZNE_API_SECRET=vs_… CALLBACK_SECRET=whsec_… php -S 127.0.0.1:3000 shop.php
// Open http://127.0.0.1:3000/ to buy something.
// npx vezne listen --forward http://127.0.0.1:3000/callbacks     in a second terminal, in the folder of Vezne
// npx vezne sim pay TRANSACTION_ID                               in a third: plays the customer
//
// VEZNE_URL is the address of Vezne, http://127.0.0.1:8080 when left out.

function setting(string $name, string $form): string
{
    $value = (string) getenv($name);
    if (preg_match($form, $value)) {
        return $value;
    }
    // With an empty callback secret anyone could forge a callback.
    http_response_code(500);
    exit("$name is not set, or incomplete. Copy it from what npm start prints.\n");
}

function call(string $method, string $path, string $body = ''): array
{
    $timestamp = (string) time();
    $signature = hash_hmac('sha256', $timestamp . $method . $path . $body, setting('VEZNE_API_SECRET', '/^vs_.+$/'));
    $headers = [
        'Content-Type: application/json',
        'X-API-Key: ' . setting('VEZNE_API_KEY', '/^vk_.+$/'),
        'X-Timestamp: ' . $timestamp,
        'X-Signature: ' . $signature,
    ];
    // The very bytes that were signed. Errors have a body, too.
    $options = ['http' => ['method' => $method, 'header' => $headers, 'content' => $body, 'ignore_errors' => true]];
    $text = file_get_contents((getenv('VEZNE_URL') ?: 'http://127.0.0.1:8080') . $path, false, stream_context_create($options));
    $answer = json_decode((string) $text, true);
    if (!is_array($answer) || !$answer['success']) {
        http_response_code(502);
        exit('Not created: ' . ($answer['error']['code'] ?? 'no answer') . ' ' . ($answer['error']['message'] ?? '') . "\n");
    }
    return $answer['data'];
}

function isGenuine(string $id, string $timestamp, string $signatures, string $body): bool
{
    if ($id === '' || !preg_match('/^\d{1,10}$/', $timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(substr(setting('CALLBACK_SECRET', '#^whsec_[A-Za-z0-9+/]{43}=$#'), 6), true);
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $signatures) as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);

if ($path === '/callbacks') {
    $body = file_get_contents('php://input');
    $header = fn (string $name): string => $_SERVER["HTTP_WEBHOOK_$name"] ?? '';
    if (!isGenuine($header('ID'), $header('TIMESTAMP'), $header('SIGNATURE'), $body)) {
        http_response_code(401);
        exit;
    }
    // Store webhook-id in the transaction that credits the order: an event may come more than once.
    ['type' => $type, 'data' => $data] = json_decode($body, true);
    file_put_contents('php://stderr', "callback $type {$data['transactionId']} " . ($data['receivedAmount'] ?? '') . "\n");
    exit;
}

if ($path === '/') {
    $order = [
        'processId' => 'order-' . hrtime(true),
        'amount' => 125000,
        'bankCode' => 'FAST',
        'customer' => ['id' => 'c-1', 'name' => 'Ayşe Yılmaz', 'username' => 'ayse'],
    ];
    $deposit = call('POST', '/v1/deposit', json_encode($order));
    header('Location: ' . $deposit['checkoutUrl'], true, 303);
    exit("deposit {$deposit['transactionId']}\n");
}

http_response_code(404);
