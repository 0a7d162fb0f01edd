import type { Draft, Signing } from './draft.ts';
import type { Where } from './make/from-schema.ts';
import type { Random } from './random.ts';

/** The most values of a kind that are remembered. */
const most = 24;

/** What earlier responses named, by kind: ids, tokens, links, cursors, ETags. */
export class Pool {
  readonly #values = new Map<string, string[]>();

  add(kind: string, value: unknown): void {
    if (typeof value !== 'string' || value === '') return;
    const values = this.#values.get(kind) ?? [];
    this.#values.set(kind, [...values.filter((known) => known !== value), value].slice(-most));
  }

  remove(kind: string, value: unknown): void {
    this.#values.set(
      kind,
      this.all(kind).filter((known) => known !== value),
    );
  }

  /** Returns a value of any kind. */
  any(random: Random): string | undefined {
    const values = [...this.#values.values()].filter((one) => one.length > 0);
    return values.length === 0 ? undefined : random.pick(random.pick(values));
  }

  all(kind: string): readonly string[] {
    return this.#values.get(kind) ?? [];
  }

  /** Returns a value, usually one of the last. */
  some(kind: string, random: Random): string | undefined {
    const values = this.all(kind);
    if (values.length === 0) return undefined;
    return random.chance(0.6)
      ? values[values.length - 1 - random.below(Math.min(4, values.length))]
      : random.pick(values);
  }
}

/** An account of an episode. */
export interface Member {
  readonly id: string;
  readonly credential: string;
  readonly plan: string;
  readonly pool: Pool;
  app?: string;
  pair?: Signing;
}

/** A chunked upload, or a multipart upload of S3, that is under way. */
export interface Upload {
  readonly size?: number | undefined;
  readonly key?: string;
  readonly bucket?: string;
  /** The credential that began it. */
  readonly credential?: string | undefined;
  /** The ETag of each part. */
  readonly parts: Map<number, string>;
  bytes: number;
}

/** What a person's browser has at the approval page. */
export class Browser {
  readonly cookies = new Map<string, string>();
  formToken: string | undefined;
  isSignedIn = false;
  /** The code whose request the last page showed. */
  reviewed: string | undefined;

  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

/** The state of an episode: its accounts, and what its requests can build on. */
export class World {
  /** The choices of the next request. Each has its own, so that a different response does not change all later ones. */
  random: Random;
  readonly operator: string;
  readonly members: Member[] = [];
  /** Values of the whole installation. */
  readonly shared = new Pool();
  readonly uploads = new Map<string, Upload>();
  /** The password of each share link that has one. */
  readonly passwords = new Map<string, string>();
  readonly browser = new Browser();
  /** The account of the next request. */
  member!: Member;
  where: Where = 'inside';

  constructor(random: Random, operator: string) {
    this.random = random;
    this.operator = operator;
  }

  get pool(): Pool {
    return this.member.pool;
  }

  some(kind: string): string | undefined {
    return this.pool.some(kind, this.random);
  }

  pick<T>(...values: readonly T[]): T {
    return this.random.pick(values);
  }
}

/** Returns a valid request, or one that is needed before it. */
export type Recipe = (world: World) => Draft;
