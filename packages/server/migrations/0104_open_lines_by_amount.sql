-- online: the matching desk looks for open lines of an amount.
create index concurrently if not exists bank_lines_open_by_amount on bank_lines (amount, id) where state in ('suspense', 'queue', 'needs_review');
