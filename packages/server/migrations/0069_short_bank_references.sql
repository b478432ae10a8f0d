-- A bank's reference may be a number of a few digits; evidence is a sentence.
alter table doubt_decisions drop constraint doubt_decisions_evidence;
alter table doubt_decisions add constraint doubt_decisions_evidence
  check (char_length(evidence) >= case when verdict = 'found' then 1 else 5 end);
