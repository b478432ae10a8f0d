-- online: the search looks for the bank's reference that people entered when they found a payout.
create index concurrently if not exists doubt_decisions_by_reference on doubt_decisions (evidence) where verdict = 'found';
