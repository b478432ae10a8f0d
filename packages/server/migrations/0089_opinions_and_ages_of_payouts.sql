-- People may change or take back what they said about a payout: every word stays, and of each person the newest counts.
alter table doubt_decisions add column number integer not null default 1;
alter table doubt_decisions drop constraint doubt_decisions_pkey;
alter table doubt_decisions add constraint doubt_decisions_pkey primary key (merchant_id, withdrawal_id, submits, operator, verdict, number);
alter table doubt_decisions drop constraint doubt_decisions_known;
alter table doubt_decisions add constraint doubt_decisions_known check (verdict in ('found', 'not_found', 'never_paid', 'paid', 'withdrawn'));

-- When its outcome was first unknown, which no later query changes, and when it was last given to the bank.
alter table payouts add column unknown_since timestamptz;
alter table payouts add column sent_at timestamptz;
update payouts p set
  unknown_since = coalesce((
    select min(c.called_at) from payout_calls c
    where c.merchant_id = p.merchant_id and c.withdrawal_id = p.withdrawal_id and c.outcome in ('unknown', 'pending', 'contradictory')
  ), p.created_at),
  sent_at = (
    select max(c.called_at) from payout_calls c
    where c.merchant_id = p.merchant_id and c.withdrawal_id = p.withdrawal_id and c.kind = 'submit'
  )
where p.state in ('intent', 'calling', 'unknown') and (p.submits > 0 or p.state = 'unknown');
