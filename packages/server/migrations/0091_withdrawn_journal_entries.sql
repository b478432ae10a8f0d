-- Who proposed an entry may take it back, which is not a rejection.
alter table journal_entries drop constraint journal_entries_known_state;
alter table journal_entries add constraint journal_entries_known_state check (state in ('proposed', 'posted', 'rejected', 'withdrawn'));
alter table journal_entries drop constraint journal_entries_rejected_for_a_reason;
alter table journal_entries add constraint journal_entries_rejected_for_a_reason check ((state in ('rejected', 'withdrawn')) = (note is not null));
alter table journal_entries add constraint journal_entries_withdrawn_by_proposer check (state <> 'withdrawn' or decided_by = proposed_by);
