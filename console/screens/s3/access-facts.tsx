import type { S3Access } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { Facts } from '../../ui/facts.tsx';

/** Where a key reads and writes. */
export function AccessFacts({ read, write }: { readonly read: S3Access; readonly write: S3Access }) {
  const { s3 } = messages();
  const textOf = (access: S3Access) =>
    access === true
      ? s3.everywhere
      : access === false
        ? s3.nowhere
        : s3.within(access.map((prefix) => prefix.replace(/\/?$/, '/')).join(', '));
  return (
    <Facts
      rows={[
        [s3.read, textOf(read)],
        [s3.write, textOf(write)],
      ]}
    />
  );
}
