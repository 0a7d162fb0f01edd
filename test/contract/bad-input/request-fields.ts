import type { OperationId } from '#generated/policies.ts';
import type { Json } from '#openapi/codegen/document.ts';
import type { OneAccount, Sent } from './odd.ts';

/** What a feature adds to the tests of the fields of requests: `test/features/<feature>/request-fields.ts`. */
export interface RequestFields {
  /** What the schemas of the contract do not say, by operation and field. */
  readonly sent: Readonly<Partial<Record<OperationId, Sent>>>;
  /** Operations whose fields have tests of their own. */
  readonly elsewhere: readonly OperationId[];
  /** A whole body of each operation that rejects unknown fields. */
  readonly whole: Readonly<Partial<Record<OperationId, Json>>>;
  /** Fields that the contract marks as secret: `<operation> body/<field>`. */
  readonly secret: readonly string[];
  /** What `{id}` stands for in paths that have a text. */
  readonly ids: Readonly<Record<string, (account: OneAccount) => Promise<string>>>;
}
