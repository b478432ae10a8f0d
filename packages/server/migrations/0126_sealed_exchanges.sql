-- What a file exchange is set to is sealed like the access to a bank API: a writer in the database changes neither folder nor profile.
-- contract: no released version adds a file exchange.
alter table connections drop constraint connections_sealed_for_api, add constraint connections_sealed_if_set
  check ((sealed is not null) = (kind <> 'manual' and settings is not null)) not valid;
