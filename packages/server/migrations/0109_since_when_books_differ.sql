-- The day of the oldest difference of the account that no one has explained. Null: there is none, or a version that did not store it checked it.
alter table book_checks add column since date;
