-- online: a constraint that reads a large table.
alter table deposits validate constraint deposits_taken_back_within_received;
