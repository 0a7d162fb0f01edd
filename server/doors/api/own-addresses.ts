import type { ChangeText } from '#server/doors/site/site-files.ts';

/** The addresses at which clients reach this server: `base` for `/v1`, `api` for `/v2`. */
export type OwnAddresses = Readonly<Record<'base' | 'api' | 'files' | 'public' | 's3', string>>;

/** The addresses of a server without settings, which the documentation and the contract contain. */
const placeholder = /http:\/\/localhost:740([0-3])(?![0-9])(\/v2)?/g;

/** Returns a function that replaces the example addresses of a text with the server's own. */
export function ownAddresses({ base, api, files, public: publicHost, s3 }: OwnAddresses): ChangeText {
  const doors = [base, files, publicHost, s3].map(plainUrl);
  const generalApi = plainUrl(api);
  return (text) =>
    text.replaceAll(placeholder, (whole, door: string, v2?: string) => {
      const own = v2 === undefined ? doors[Number(door)] : generalApi;
      return own === undefined ? whole : own + (v2 ?? '');
    });
}

/** Returns an address that needs no escaping in text, markup, scripts, JSON and YAML; undefined for any other. */
function plainUrl(url: string): string | undefined {
  return /^[\w.:/[\]%~-]+$/.test(url) ? url : undefined;
}
