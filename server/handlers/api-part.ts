import type { Prepare } from '#server/http/middleware.ts';

/** What a feature adds to the door of the API. */
export interface ApiPart {
  /** Runs at each request before all else. May set headers that all its responses need, and rewrite its address. */
  readonly prepare?: Prepare;
  /** Response headers that scripts of other origins may read. */
  readonly exposedHeaders?: readonly string[];
  /** Paths whose responses no script of another origin may read. */
  readonly withoutCors?: readonly string[];
}
