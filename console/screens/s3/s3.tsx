import './s3.css';

import { useState } from 'preact/hooks';

import type { S3Credentials } from '#dist/modules/client/index.js';

import { config } from '../../app/config.ts';
import { accountSession, hasScope } from '../../app/session-state.ts';
import { words } from '../../app/words.ts';
import { Copyable } from '../../ui/copy.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { AccessFacts } from './access-facts.tsx';
import { PairCard } from './pair-card.tsx';
import { programs, recipeOf, type Program } from './recipes.ts';

/** How S3 programs reach the files of the account. */
export default function S3() {
  const { s3, screens } = words();
  const [pair, setPair] = useState<S3Credentials>();
  const [program, setProgram] = useState<Program>('awscli');
  const { s3_url: url, docs_url: docs } = config();
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
          <dl class="facts">
            <dt>{s3.region}</dt>
            <dd>
              <code>auto</code>
            </dd>
            <dt>{s3.style}</dt>
            <dd>{s3.styleText}</dd>
            <dt>{s3.buckets}</dt>
            <dd>
              <ul class="s3-buckets">
                {(pair?.buckets ?? (['public', 'private', 'legacy'] as const)).map((bucket) => (
                  <li key={bucket}>
                    <code>{bucket}</code> <span class="quiet">{s3.bucketTexts[bucket]}</span>
                  </li>
                ))}
              </ul>
            </dd>
          </dl>
          {!pair && (
            <>
              <h3>{s3.access}</h3>
              <AccessFacts read={hasScope('blob:read') && given} write={hasScope('blob:write') && given} />
            </>
          )}
        </section>
        <PairCard pair={pair} onPair={setPair} />
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
              folder: folderOf(pair, prefixes),
            })}
          />
          {docs !== null && (
            <a href={`${docs}s3`} target="_blank" rel="noreferrer">
              {s3.docs}
            </a>
          )}
        </section>
      </div>
    </Screen>
  );
}

/** Returns a folder that the key may write to, or else read; empty if it may use all. */
function folderOf(pair: S3Credentials | undefined, prefixes: readonly string[] | null): string {
  const own = pair && [pair.access.write, pair.access.read].find((access) => Array.isArray(access));
  const first = pair ? own?.[0] : prefixes?.[0];
  return (first ?? '').replace(/\/$/, '');
}
