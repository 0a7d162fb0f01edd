import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** A field of a body whose feature is switched off. */
interface FieldOff {
  readonly name: string;
  readonly feature: string;
}

/** Returns the fields of an operation's body that belong to features which are switched off. */
export function fieldsOff({ bodyFields }: Pick<OperationPolicy, 'bodyFields'>, off: ReadonlySet<string>): FieldOff[] {
  return Object.entries(bodyFields).flatMap(([path, { feature }]) =>
    feature !== undefined && off.has(feature) ? [{ name: path.slice('body/'.length), feature }] : [],
  );
}

/**
 * Checks that a body has none of these fields. To ignore one would say that something is stored which is not.
 *
 * @throws INVALID_BODY
 */
export function requireNone(fields: readonly FieldOff[], body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  const found = fields.find(({ name }) => Object.hasOwn(body, name));
  if (!found) return;
  const { name, feature } = found;
  throw new Refusal('INVALID_BODY', {
    message: `\`${name}\` is of no use here, because this server has ${feature} switched off. Leave it out.`,
  });
}
