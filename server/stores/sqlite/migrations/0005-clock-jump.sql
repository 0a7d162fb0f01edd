-- A jump of the clock that no operator has confirmed: while there is one, nothing is deleted by itself.
CREATE TABLE clock_jump (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  noticed_at INTEGER NOT NULL,
  by_ms INTEGER NOT NULL
) STRICT;
