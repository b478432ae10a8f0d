-- online: an index of a large table.
-- Lines about which the word of one person waits for a second: the first page and Approvals list them.
create index concurrently if not exists match_decisions_of_proposals on match_decisions (line_id, number)
  where why in ('dismissal_proposed', 'restoring_proposed');
