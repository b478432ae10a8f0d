-- online: a check of a large table.
alter table transfers validate constraint transfers_about_earlier_day;
