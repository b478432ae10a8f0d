/**
 * English for pages, where a refusal without its command would not be a whole text, or a page names a button or another page instead.
 * Keys as in `PHRASES`; `{1}` is the first value.
 */
export const PAGE_ENGLISH: Readonly<Record<string, string>> = {
  'People had entered this line. Enter it again: vezne line enter':
    'People had entered this line. Enter it again: Statements, “Enter a line by hand”.',
  '{} has entered it: use --withdraw.': 'You have entered it: do not reject it, take it back.',
  '{} has entered it: only that person withdraws it; use --reject.':
    '{1} has entered it: only that person takes it back. You may reject it.',
  'Line {} ({}) has the same account, direction, amount, day and sender: it may be this booking. See: vezne line show {}. If it is another payment, enter the line again with --besides {}':
    'Line {1} ({2}) has the same account, direction, amount, day and sender: it may be this booking. If it is another payment, enter the line again and tick that one.',
  'The account has no source of record. Name it first: vezne account connect':
    'The account has no source of record. Choose its connection on the page Banks first.',
}
