import './token-result.css';

import { useState } from 'preact/hooks';

import { config } from '../../app/config.ts';
import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { Time } from '../../ui/time.tsx';
import type { MadeToken } from './token-dialog.tsx';
import { tokenSnippet, tokenSnippets, type TokenSnippet } from './token-snippets.ts';

/** Shows a token once, with examples that use it. */
export function TokenResult({
  made: { token, options },
  close,
}: {
  readonly made: MadeToken;
  readonly close: () => void;
}) {
  const { common } = messages();
  const { tokens } = messages().rules;
  const [kind, setKind] = useState<TokenSnippet>('curl');
  const { api_url: apiUrl, docs_url: docsUrl } = config();
  return (
    <Dialog
      title={tokens.doneTitle}
      isWide
      onClose={close}
      actions={
        <Button kind="first" onClick={close}>
          {common.close}
        </Button>
      }
    >
      <div class="token-result">
        <p class="note">{tokens.once}</p>
        <Copyable text={token.token} label={tokens.copyToken} />
        <p class="hint">
          {tokens.until} <Time at={token.expires_at} />
        </p>
        <Segments
          label={tokens.snippet}
          value={kind}
          options={tokenSnippets.map((one) => [one, tokens.snippets[one]] as const)}
          onChoose={setKind}
        />
        <Snippet
          title={tokens.snippets[kind]}
          copyLabel={tokens.copySnippet}
          text={tokenSnippet(kind, { apiUrl, docsUrl, token: token.token, options })}
        />
        <p class="hint">{tokens.serverHint}</p>
      </div>
    </Dialog>
  );
}
