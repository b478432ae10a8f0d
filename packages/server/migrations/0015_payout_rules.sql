-- What is checked before a withdrawal is sent. Null means no such rule.
alter table merchants
  add column approval_threshold bigint,
  add column daily_withdraw_amount bigint,
  add column daily_withdraw_count int,
  add column daily_iban_amount bigint,
  add column daily_iban_count int,
  add constraint merchants_withdraw_rules check (
    least(approval_threshold, daily_withdraw_amount, daily_withdraw_count, daily_iban_amount, daily_iban_count) > 0
  );

alter table collecting_accounts
  add column daily_send_limit bigint,
  add constraint collecting_accounts_send_limit check (daily_send_limit > 0);

-- The central bank's cap per FAST transfer, by the day from which it holds. An operator adds the next one here.
create table fast_caps (
  effective_from date primary key,
  amount bigint not null,
  constraint fast_caps_positive check (amount > 0)
);

insert into fast_caps (effective_from, amount) values
  ('2021-01-08', 5000), ('2021-01-29', 100000), ('2021-08-04', 200000), ('2022-02-21', 500000),
  ('2023-12-21', 5000000), ('2024-04-04', 10000000);
