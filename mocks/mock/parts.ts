import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { OperationId } from '#generated/policies.ts';
import { features } from '#server/features.ts';
import type { Call } from '#server/handlers/call.ts';
import type { Reply } from '#server/http/reply.ts';
import type { Input } from './fitting-example.ts';

/**
 * A check that the server makes after its first look-up. Most of them read the body. Returns the server's own response,
 * if it comes without anything stored.
 */
type LateCheck = (command: never, call: Call) => Promise<Reply | void>;

/** How a link sends its file. */
interface SentLink {
  readonly disposition: 'inline' | 'attachment';
  /** More response headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the mock has for one feature alone: `mocks/mock/features/<feature>.ts`. */
export interface MockPart {
  readonly lateChecks?: { readonly [id in OperationId]?: LateCheck };
  /** Operations of links to a file. Undefined if the response is another one, such as a page. */
  readonly links?: { readonly [id in OperationId]?: (input: Input, call: Call) => SentLink | undefined };
}

const folder = join(import.meta.dirname, 'features');

/** The parts of all features that have one. */
export const parts: readonly MockPart[] = await Promise.all(
  features
    .filter(({ name }) => existsSync(join(folder, `${name}.ts`)))
    .map(async ({ name }) => (await import(`./features/${name}.ts`)).part as MockPart),
);
