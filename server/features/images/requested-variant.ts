import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { isPreset, type Presets } from './preset.ts';
import { isSignedVariant } from './signing-key.ts';
import { variantParameters, formatVariant, parseVariant, type Variant, type VariantFields } from './variant.ts';

/** The parameters of a request, each with all its values. */
type Parameters = ReadonlyMap<string, readonly string[]>;

interface Deps {
  readonly secrets: Pick<Secrets, 'signers'>;
  /** The presets of an account and of the installation. */
  presetsOf(accountId: string): Promise<Presets>;
}

interface RequestedFile {
  readonly accountId: string;
  /** The path of the address for clients, without a query. A signature covers it. */
  readonly path: string;
  readonly parameters: Parameters;
}

/** Whether a request asks for a variant. Other parameters ask for the file. */
export function asksForVariant(parameters: Parameters): boolean {
  return variantParameters.some((name) => parameters.has(name));
}

/**
 * Returns the variant that a request may have: a preset, or what its account has signed. So nobody can make the server
 * compute variants without end.
 *
 * @throws INVALID_IMAGE_VARIANT, IMAGE_SIGNATURE_REQUIRED
 */
export async function requestedVariant(deps: Deps, { accountId, path, parameters }: RequestedFile): Promise<Variant> {
  const { preset, sig, ...fields } = onlyValues(parameters);
  if (preset !== undefined) {
    const named = (await deps.presetsOf(accountId)).get(preset);
    if (!named || Object.keys(fields).length > 0) throw new Refusal('INVALID_IMAGE_VARIANT');
    return named;
  }
  const variant = parseVariant(fields);
  if (sig !== undefined && isSignedVariant(deps.secrets, { accountId, path, variant: formatVariant(variant) }, sig))
    return variant;
  if (isPreset(await deps.presetsOf(accountId), variant)) return variant;
  throw new Refusal('IMAGE_SIGNATURE_REQUIRED');
}

/** @throws INVALID_IMAGE_VARIANT for a parameter that is empty or there twice */
function onlyValues(parameters: Parameters): VariantFields & { readonly preset?: string; readonly sig?: string } {
  const names = [...variantParameters, 'sig'].filter((name) => parameters.has(name));
  return Object.fromEntries(
    names.map((name) => {
      const [value, ...others] = parameters.get(name)!;
      if (!value || others.length > 0) throw new Refusal('INVALID_IMAGE_VARIANT');
      return [name, value];
    }),
  );
}
