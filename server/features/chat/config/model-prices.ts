import type { FileTable, TextRule } from '#server/config/file-table.ts';

/** What a million tokens of a model cost, as the file says it. */
export interface ConfiguredPrices {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

/** A price with more decimals would not be a whole number of the steps in which the gateway counts. */
export const priceRange = { least: 0, most: 100_000, decimals: 6 } as const;

const currencyRule: TextRule = {
  mustBe: 'three capital letters such as USD',
  isAllowed: (value) => /^[A-Z]{3}$/.test(value),
  isShown: true,
};

/** The tables of a file that may have prices. */
interface PricedTables {
  readonly models: readonly FileTable[];
  readonly embeddings: FileTable | undefined;
}

/** Reads the currency of the prices. It is needed as soon as there are any. */
export function currencyOf(file: FileTable, { models, embeddings }: PricedTables): string | undefined {
  const priced = [...models, ...(embeddings ? [embeddings] : [])].find((table) => table.has('prices'));
  if (priced && !file.has('currency'))
    file.refuse('currency', `is missing, but ${priced.placeOf('prices')} is set. It must be ${currencyRule.mustBe}.`);
  return file.text('currency', currencyRule);
}

/** Reads the prices of a model of chats, for a million tokens. */
export function pricesOf(model: FileTable): ConfiguredPrices | undefined {
  const prices = model.table('prices');
  if (!prices) return undefined;
  prices.refuseOthers(['input', 'cached_input', 'output']);
  const input = requiredPrice(prices, 'input');
  const output = requiredPrice(prices, 'output');
  const cachedInput = prices.has('cached_input') ? priceIn(prices, 'cached_input') : input;
  return { input, cachedInput, output };
}

/** Reads the prices of the embeddings model. It has no output. */
export function embeddingPricesOf(embeddings: FileTable | undefined): ConfiguredPrices | undefined {
  embeddings?.refuseOthers(['prices'], {
    url: 'is not known here. The server of embeddings is in CUBBY_AI_EMBEDDINGS_URL.',
  });
  const prices = embeddings?.table('prices');
  if (!prices) return undefined;
  prices.refuseOthers(['input']);
  const input = requiredPrice(prices, 'input');
  return { input, cachedInput: input, output: 0 };
}

function requiredPrice(prices: FileTable, name: string): number {
  if (!prices.has(name)) prices.refuse(name, 'is missing. It is the price of a million tokens, and may be 0.');
  return priceIn(prices, name);
}

function priceIn(prices: FileTable, name: string): number {
  return prices.numberOrNull(name, priceRange) ?? 0;
}
