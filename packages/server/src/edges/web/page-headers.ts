/** Nothing foreign is loaded, nothing inline runs, nobody frames the page or learns where the reader came from. */
export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
}

export const ASSET_HEADERS = { ...PAGE_HEADERS, 'cache-control': 'public, max-age=31536000, immutable' }
