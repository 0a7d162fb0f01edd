import type { FileTable, TextRule } from '#server/config/file-table.ts';
import { currencyOf, embeddingPricesOf, pricesOf, type ConfiguredPrices } from './model-prices.ts';
import { plansOf, type LimitsOfPlans } from './model-plans.ts';
import { redactionsOf, type Redaction } from './redactions.ts';
import { upstreamsOf, type KeySources, type SharingUpstream } from './model-upstreams.ts';

/** The models of the gateway, as a file names them. */
export interface ConfiguredModels {
  /** The name of the model that answers as `cubic`. */
  readonly defaultName: string;
  /** Whether the gateway rejects unknown names. If not, the default model answers. */
  readonly rejectsUnknown: boolean;
  /** In the order of the file. */
  readonly models: readonly ConfiguredModel[];
  /** The limits of plans, in place of those of the contract. */
  readonly plans: LimitsOfPlans;
  /** What texts lose before they go to servers. */
  readonly redactions: readonly Redaction[];
  /** The currency of all prices, as ISO 4217 has it. Undefined: there are none. */
  readonly currency?: string | undefined;
  /** The prices of the embeddings model. */
  readonly embeddingPrices?: ConfiguredPrices | undefined;
}

export interface ConfiguredModel {
  /** Its public name. */
  readonly name: string;
  /** Further names that requests may send. */
  readonly aliases: readonly string[];
  /** In the order of the file. */
  readonly upstreams: readonly SharingUpstream[];
  /** Undefined: its tokens cost nothing. */
  readonly prices?: ConfiguredPrices | undefined;
}

/** The name that always exists. */
const standardName = 'cubic';

/** Names with a meaning of their own. */
const reserved = ['cubic-embeddings'];

const nameRule: TextRule = {
  mustBe: '1 to 64 lower-case letters, digits and the signs . _ : -, such as small or qwen3:8b',
  isAllowed: (value) => /^[a-z0-9._:-]{1,64}$/.test(value) && !/^\.+$/.test(value),
  isShown: true,
};

const aliasRule: TextRule = {
  mustBe: '1 to 128 printable characters, without spaces at the ends',
  isAllowed: (value) => /^[^\p{C}\p{Zl}\p{Zp}]{1,128}$/u.test(value) && value.trim() === value,
  isShown: true,
};

const unknownRule: TextRule = {
  mustBe: '"default" or "reject"',
  isAllowed: (value) => value === 'default' || value === 'reject',
  isShown: true,
};

/** Reads a whole file. Returns undefined if its models have no names. */
export function modelsOf(file: FileTable, keys: KeySources): ConfiguredModels | undefined {
  file.refuseOthers(['default', 'unknown_models', 'currency', 'models', 'embeddings', 'plans', 'redactions']);
  const plans = plansOf(file);
  const redactions = redactionsOf(file);
  const rejectsUnknown = file.text('unknown_models', unknownRule) === 'reject';
  const tables = file.tables('models', 200);
  const named = tables.map((table) => ({ table, name: table.requiredText('name', nameRule) }));
  const taken = takenNames(named);
  const models = upstreamsOf(named, keys).map((upstreams, at) => ({
    name: named[at]!.name ?? '',
    aliases: aliasesOf(named[at]!.table, taken),
    upstreams,
    prices: pricesOf(named[at]!.table),
  }));
  for (const table of tables) table.refuseOthers(['name', 'aliases', 'upstreams', 'prices'], adviceOfModel);
  const embeddings = file.table('embeddings');
  const currency = currencyOf(file, { models: tables, embeddings });
  const embeddingPrices = embeddingPricesOf(embeddings);
  const defaultName = defaultOf(
    file,
    named.map(({ name }) => name),
  );
  if (defaultName === undefined) return undefined;
  return { defaultName, rejectsUnknown, models, plans, redactions, currency, embeddingPrices };
}

const adviceOfModel = {
  fallbacks: 'is not known here. A fallback is an upstream with a higher order.',
  alias: 'is not known here. The field is aliases, a list.',
};

/** Returns the place of each name. */
function takenNames(named: ReadonlyArray<{ readonly table: FileTable; readonly name: string | undefined }>) {
  const taken = new Map<string, string>([[standardName, 'the default model']]);
  for (const name of reserved) taken.set(name, 'the model for embeddings');
  const seen = new Map<string, string>();
  for (const { table, name } of named) {
    if (name === undefined) continue;
    const other = seen.get(name) ?? (reserved.includes(name) ? taken.get(name) : undefined);
    if (other !== undefined) table.refuse('name', `is "${name}", which is already the name of ${other}.`);
    else seen.set(name, table.place);
  }
  return new Map([...taken, ...seen]);
}

/** Adds the aliases of a model to the names that are taken. */
function aliasesOf(table: FileTable, taken: Map<string, string>): string[] {
  return table.texts('aliases', 100, aliasRule).flatMap(({ value, place }) => {
    const other = taken.get(value);
    if (other !== undefined) {
      table.refuse(place.slice(table.place.length + 1), `is "${value}", which is already a name of ${other}.`);
      return [];
    }
    taken.set(value, table.place);
    return [value];
  });
}

function defaultOf(file: FileTable, names: ReadonlyArray<string | undefined>): string | undefined {
  const isThere = names.includes(standardName);
  const chosen = file.text('default', nameRule);
  if (file.has('default')) {
    if (isThere)
      file.refuse('default', `cannot be set, because a model has the name ${standardName}. Leave one of them out.`);
    else if (chosen !== undefined && !names.includes(chosen))
      file.refuse('default', `is "${chosen}", which is not the name of a model in this file.`);
    return chosen;
  }
  if (isThere) return standardName;
  if (names.length > 0)
    file.refuse(
      'default',
      `is missing. Name the model that answers as ${standardName}, or name one model ${standardName}.`,
    );
  return undefined;
}
