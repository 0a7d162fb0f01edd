import { hasScope } from '../../app/session-state.ts';
import { messages } from '../../app/messages.ts';
import { openDialog } from '../../ui/dialogs.tsx';
import { Empty } from '../../ui/empty.tsx';
import { useCreate } from '../../ui/use-create.tsx';
import { TokenDialog, type MadeToken } from './token-dialog.tsx';
import { TokenResult } from './token-result.tsx';

/** Makes upload tokens. The server has no list of them. */
export function TokenPart() {
  const { tokens } = messages().rules;
  const mayWrite = hasScope('blob:write');
  const create = async () => {
    const made = await openDialog<MadeToken>((close) => <TokenDialog close={close} />);
    if (made) await openDialog<void>((close) => <TokenResult made={made} close={close} />);
  };
  const createButton = useCreate('tokens', mayWrite, { label: tokens.create, icon: 'key', run: create });
  return (
    <section class="card">
      <p>{tokens.lead}</p>
      <Empty icon="upload" title={tokens.emptyTitle}>
        <p>{mayWrite ? tokens.empty : tokens.scopeNone}</p>
        {createButton('first')}
      </Empty>
    </section>
  );
}
