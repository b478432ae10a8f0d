-- Time travel of a sandbox: one row, shared by every process of the deployment. Empty means real time.
create table business_clock (
  only_row boolean primary key default true,
  offset_seconds int not null,
  constraint business_clock_one_row check (only_row)
);
