import type { TestServer } from '#test/support/server.ts';

/** The metrics of a server at one moment. */
export interface Scraped {
  readonly text: string;
  /** Returns the sum of the samples of a metric that have these labels. 0 without any. */
  value(name: string, labels?: Readonly<Record<string, string>>): number;
}

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Parses the Prometheus text format, as far as the server writes it. */
export function scraped(text: string): Scraped {
  const samples = text.split('\n').flatMap((line): Sample[] => {
    const [, name, inBraces = '', value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const labels = Object.fromEntries([...inBraces.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, word]) => [key, word]));
    return [{ name, labels, value: Number(value) }];
  });
  return {
    text,
    value: (name, wanted = {}) =>
      samples
        .filter((sample) => sample.name === name)
        .filter(({ labels }) => Object.entries(wanted).every(([key, word]) => labels[key] === word))
        .reduce((sum, sample) => sum + sample.value, 0),
  };
}

/** Reads the metrics of a server. */
export async function metricsOf(server: TestServer): Promise<Scraped> {
  return scraped((await server.send('/metrics', { door: 'operator' })).body.toString());
}
