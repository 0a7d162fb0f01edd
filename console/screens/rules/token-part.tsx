import { useEffect } from 'preact/hooks';

import { hasScope } from '../../app/session-state.ts';
import { words } from '../../app/words.ts';
import { Button } from '../../ui/button.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { Empty } from '../../ui/empty.tsx';
import { addCommands } from '../../ui/palette.tsx';
import { useKeys } from '../../ui/use-keys.ts';
import { TokenDialog, type MadeToken } from './token-dialog.tsx';
import { TokenResult } from './token-result.tsx';

/** Makes upload tokens. The server has no list of them. */
export function TokenPart() {
  const { tokens } = words().rules;
  const mayWrite = hasScope('blob:write');
  const create = async () => {
    const made = await openDialog<MadeToken>((close) => <TokenDialog close={close} />);
    if (made) await openDialog<void>((close) => <TokenResult made={made} close={close} />);
  };
  useKeys(mayWrite ? { n: () => void create() } : {});
  useEffect(
    () =>
      mayWrite ? addCommands('tokens', [{ label: tokens.create, icon: 'key', run: () => void create() }]) : undefined,
    [tokens, mayWrite],
  );
  return (
    <section class="card">
      <p>{tokens.lead}</p>
      <Empty icon="upload" title={tokens.emptyTitle}>
        <p>{mayWrite ? tokens.empty : tokens.scopeNone}</p>
        {mayWrite && (
          <Button kind="first" icon="plus" onClick={() => void create()}>
            {tokens.create}
          </Button>
        )}
      </Empty>
    </section>
  );
}
