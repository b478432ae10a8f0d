-- Hours after the next opening of EFT until which a deposit that needs EFT waits; null keeps the half hour of every deposit.
alter table merchants add column eft_deadline_hours integer
  constraint merchants_eft_deadline_hours check (eft_deadline_hours between 1 and 48);
