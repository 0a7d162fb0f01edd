import type { Instruments } from './instruments.ts';

/** What the server has measured of its database. */
interface LinkFigures {
  readonly roundTripMs: number;
  readonly clockLagMs: number;
}

/** Describes the way to a database on the network. */
export function databaseMetrics({ gauge }: Instruments) {
  return {
    /** Adds the way to a database on the network. Null: nothing was measured yet. */
    watchDatabase(link: () => LinkFigures | null): void {
      gauge(
        'database_round_trip_seconds',
        'Time of a round trip to PostgreSQL, measured every few seconds; NaN before the first.',
        () => (link()?.roundTripMs ?? NaN) / 1_000,
      );
      gauge(
        'clock_lag_seconds',
        "How much the clock of this machine is behind PostgreSQL's; negative if it is ahead; NaN before it is measured.",
        () => (link()?.clockLagMs ?? NaN) / 1_000,
      );
    },
  };
}
