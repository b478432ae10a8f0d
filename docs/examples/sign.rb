# Prints the X-Signature of a request. The body comes from standard input, byte for byte as it is sent.
require "openssl"

# target is the path with its query; body the bytes that are sent.
def sign(secret, timestamp, method, target, body = "")
  OpenSSL::HMAC.hexdigest("SHA256", secret, "#{timestamp}#{method}#{target}".b + body.b)
end

puts sign(ENV["SECRET"], ENV["TIMESTAMP"], ENV["METHOD"], ENV["TARGET"], $stdin.binmode.read)
