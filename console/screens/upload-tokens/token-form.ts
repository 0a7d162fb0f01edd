import type { NewUploadToken } from '#dist/modules/client/index.js';

import { parseExtensions, parseList, parseMetadata, parseSize } from '../../inputs.ts';

/** What the form of an upload token has, as typed. Empty texts pin nothing. */
export interface TokenForm {
  readonly prefix: string;
  readonly name: string;
  readonly replaces: boolean;
  readonly visibility: 'none' | 'yes' | 'no';
  readonly expires: 'page' | 'never' | 'after';
  readonly expire: string;
  readonly maxSize: string;
  readonly extensions: string;
  readonly origins: string;
  readonly metadata: string;
  readonly callback: string;
  readonly minutes: string;
  readonly uses: string;
}

export const emptyToken: TokenForm = {
  prefix: '',
  name: '',
  replaces: false,
  visibility: 'none',
  expires: 'page',
  expire: '30d',
  maxSize: '',
  extensions: '',
  origins: '',
  metadata: '',
  callback: '',
  minutes: '15',
  uses: '1',
};

/** Returns the body of the request. Metadata that is not written as pairs is left out: the form checks it before. */
export function tokenOf(form: TokenForm): NewUploadToken {
  const size = parseSize(form.maxSize);
  const extensions = parseExtensions(form.extensions);
  const origins = parseList(form.origins).map((origin) => origin.replace(/\/$/, ''));
  const metadata = parseMetadata(form.metadata) ?? {};
  const callback = parseMetadata(form.callback) ?? {};
  return {
    ...(form.prefix !== '' && { prefix: form.prefix.replace(/\/$/, '') }),
    ...(form.name !== '' && { name: form.name }),
    ...(form.name !== '' && form.replaces && { security_hash: false }),
    ...(form.visibility !== 'none' && { private: form.visibility === 'yes' }),
    ...(form.expires !== 'page' && { expire: form.expires === 'never' ? null : form.expire.trim() }),
    ...(size !== undefined && { max_size: size }),
    ...(extensions.length > 0 && { allowed_extensions: extensions }),
    ...(origins.length > 0 && { allowed_origins: origins }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(Object.keys(callback).length > 0 && { callback_metadata: callback }),
    expires_in: Math.round(Number(form.minutes) * 60),
    max_uses: Number(form.uses),
  };
}
