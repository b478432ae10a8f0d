-- The second user approves what the first has proposed, and a decision stands. The lines go with it.
create trigger instructions_terms_fixed before update on instructions
for each row when (
  (old.merchant_id, old.id, old.source, old.currency, old.line_count, old.total, old.lines_hash, old.proposed_by, old.proposed_at)
  is distinct from
  (new.merchant_id, new.id, new.source, new.currency, new.line_count, new.total, new.lines_hash, new.proposed_by, new.proposed_at)
  or (new.lines is not null and old.lines::text is distinct from new.lines::text)
  or old.state <> 'proposed'
) execute function refuse_change_of_terms();
create trigger instructions_never_deleted before delete on instructions for each row execute function refuse_change();
create trigger instructions_never_emptied before truncate on instructions for each statement execute function refuse_change();

-- A recovery code is deleted when it is used: nothing is left to make it valid again.
-- contract: the version before refuses an unknown code as it refuses a used one.
delete from recovery_codes where used_at is not null;
