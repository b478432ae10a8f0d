-- A person may take an approval back and give it again: every word stays, in turns of one person, and the newest counts.
alter table withdrawal_approvals add column number integer not null default 1;
alter table withdrawal_approvals drop constraint withdrawal_approvals_pkey;
alter table withdrawal_approvals add constraint withdrawal_approvals_pkey primary key (merchant_id, withdrawal_id, operator, number);
alter table withdrawal_approvals drop constraint withdrawal_approvals_known;
alter table withdrawal_approvals add constraint withdrawal_approvals_known check (decision in ('approve', 'reject', 'withdrawn'));
alter table withdrawal_approvals add constraint withdrawal_approvals_in_turns check (number > 0 and (number % 2 = 0) = (decision = 'withdrawn'));
