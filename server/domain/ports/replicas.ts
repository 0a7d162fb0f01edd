/** The connections of a server to its database. */
export interface PoolState {
  readonly size: number;
  readonly inUse: number;
  /** Callers that wait for one. */
  readonly waiting: number;
}

/** What a server has measured of its database. */
export interface DatabaseLink {
  readonly roundTripMs: number;
  /** How much the clock of its machine is behind that of the database. Negative: ahead. */
  readonly clockLagMs: number;
}

/** A job that a server runs, or an account of it. */
interface ReplicaLease {
  readonly job: string;
  /** Null if it has the whole job. */
  readonly accountId: string | null;
}

/** A server that runs. Instants are milliseconds since the epoch. */
export interface ReplicaState {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly startedAt: number;
  /** When it last said that it runs. */
  readonly seenAt: number;
  readonly leases: readonly ReplicaLease[];
  /** Null if the database is in its own process. */
  readonly pool: PoolState | null;
  /** Null if there is nothing to measure, or nothing has been measured yet. */
  readonly link: DatabaseLink | null;
}

/** The servers of the installation. */
export interface Replicas {
  /** Returns those that run, in the order of their start. */
  list(): Promise<readonly ReplicaState[]>;
  /** Returns what this server has measured last; null before. Undefined if the database is in its own process. */
  readonly ownLink: (() => DatabaseLink | null) | undefined;
}
