import './s3.css';

import { useState } from 'preact/hooks';

import type { S3Credentials } from '#dist/modules/client/index.js';

import { config } from '../../app/config.ts';
import { accountSession, hasScope } from '../../app/session-state.ts';
import { messages } from '../../app/messages.ts';
import { Copyable } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { AccessFacts } from './access-facts.tsx';
import { PairCard } from './pair-card.tsx';
import { programs, recipeOf, type Program } from './recipes.ts';

/** How S3 programs reach the files of the account. */
export default function S3() {
  const { s3, screens } = messages();
  const [pair, setPair] = useState<S3Credentials>();
  const { s3_url: url } = config();
  const prefixes = accountSession().prefixes;
  const given = prefixes ?? true;
  const endpoint = (pair?.endpoint ?? url).replace(/\/$/, '');
  return (
    <Screen title={screens.s3} lead={s3.lead}>
      <div class="s3-page">
        <section class="card">
          <h2>{s3.facts}</h2>
          <p class="s3-label">{s3.endpoint}</p>
          <Copyable text={endpoint} label={s3.copyEndpoint} />
          <BucketFacts pair={pair} />
          {!pair && (
            <>
              <h3>{s3.access}</h3>
              <AccessFacts read={hasScope('blob:read') && given} write={hasScope('blob:write') && given} />
            </>
          )}
        </section>
        <PairCard pair={pair} onPair={setPair} />
        <Programs pair={pair} endpoint={endpoint} folder={folderOf(pair, prefixes)} />
      </div>
    </Screen>
  );
}

/** Returns a folder that the key may write to, or else read; empty if it may use all. */
function folderOf(pair: Pair, prefixes: readonly string[] | null): string {
  const own = pair && [pair.access.write, pair.access.read].find((access) => Array.isArray(access));
  const first = pair ? own?.[0] : prefixes?.[0];
  return (first ?? '').replace(/\/$/, '');
}

type Pair = S3Credentials | undefined;

function BucketFacts({ pair }: { readonly pair: Pair }) {
  const { s3 } = messages();
  return (
    <Facts
      rows={[
        [s3.region, <code>auto</code>],
        [s3.style, s3.styleText],
        [
          s3.buckets,
          <ul class="s3-buckets">
            {(pair?.buckets ?? (['public', 'private', 'legacy'] as const)).map((bucket) => (
              <li key={bucket}>
                <code>{bucket}</code> <span class="quiet">{s3.bucketTexts[bucket]}</span>
              </li>
            ))}
          </ul>,
        ],
      ]}
    />
  );
}

/** How a program is set up, with lines to copy. */
function Programs({
  pair,
  endpoint,
  folder,
}: {
  readonly pair: Pair;
  readonly endpoint: string;
  readonly folder: string;
}) {
  const { s3 } = messages();
  const [program, setProgram] = useState<Program>('awscli');
  const docs = config().docs_url;
  return (
    <section class="card whole">
      <h2>{s3.programs}</h2>
      <Segments
        label={s3.program}
        value={program}
        options={programs.map((one) => [one, one] as const)}
        onChoose={setProgram}
      />
      {!pair && <p class="hint">{s3.placeholder}</p>}
      <Snippet
        title={program}
        copyLabel={s3.copy(program)}
        text={recipeOf(program, {
          endpoint,
          region: pair?.region ?? 'auto',
          accessKeyId: pair?.access_key_id ?? 'YOUR_ACCESS_KEY_ID',
          secretAccessKey: pair?.secret_access_key ?? 'YOUR_SECRET_ACCESS_KEY',
          bucket: 'private',
          folder,
        })}
      />
      {docs !== null && (
        <a href={`${docs}s3`} target="_blank" rel="noreferrer">
          {s3.docs}
        </a>
      )}
    </section>
  );
}
