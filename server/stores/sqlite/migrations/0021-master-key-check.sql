-- What the master key gives for a fixed text. Another key gives something else, and is refused at the start.
CREATE TABLE master_key_check (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  value TEXT NOT NULL
) STRICT;
