-- Room that is held for requests under way lives in the memory of the process now: no row, and no transaction, for each.
DROP TABLE chat_leases;
