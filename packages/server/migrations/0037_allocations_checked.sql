-- The last check at commit: the allocations of a line never exceed its amount, and a matched line is allocated in full.
-- The line is locked: of two processes that allocate it at once, the second sees what the first has committed.
create or replace function check_line_allocated() returns trigger language plpgsql as $$
declare
  wanted constant text := (case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end) ->> tg_argv[0];
  line record;
  allocated bigint;
begin
  select l.amount, l.state into line from bank_lines l where l.id = wanted for no key update;
  select coalesce(sum(a.amount), 0) into allocated from line_allocations a where a.line_id = wanted;
  if allocated > line.amount then
    raise exception 'bank line % has %, and % is allocated', wanted, line.amount, allocated
      using errcode = 'check_violation', constraint = 'line_allocations_within_line', table = 'line_allocations';
  end if;
  if line.state = 'matched' and allocated <> line.amount then
    raise exception 'bank line % is matched and has %, but % is allocated', wanted, line.amount, allocated
      using errcode = 'check_violation', constraint = 'bank_lines_matched_in_full', table = 'bank_lines';
  end if;
  return null;
end
$$;

create constraint trigger line_allocations_within_line after insert or update or delete on line_allocations
  deferrable initially deferred for each row execute function check_line_allocated('line_id');
create constraint trigger bank_lines_matched_in_full after update on bank_lines
  deferrable initially deferred for each row
  when (new.state = 'matched' and old.state <> 'matched') execute function check_line_allocated('id');
