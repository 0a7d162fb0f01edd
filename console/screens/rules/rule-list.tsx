import { getSettings, type Rule, type Settings } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { accountSession, hasScope } from '../../app/session-state.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useCreate } from '../../ui/use-create.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { ruleFor } from './rule-match.ts';
import { summaryOf } from './rule-summary.ts';
import { removeRule } from './save-rules.ts';

/** The rules of the account, by prefix. */
export function RuleList() {
  const { rules } = messages();
  const resource = useResource<Settings>((signal) => ask(getSettings({ signal })), []);
  const isRestricted = accountSession().prefixes !== null;
  const mayChange = hasScope('blob:write') && !isRestricted;
  const all = resource.data?.rules ?? [];
  const edit = async (rule?: Rule) => {
    const saved = await openDialog<Settings>((close) => (
      <RuleDialog {...(rule && { rule })} others={all} close={close} />
    ));
    if (!saved) return;
    resource.set(saved);
    toast(rules.saved);
  };
  const remove = async ({ prefix }: Rule) => {
    const run = async () => resource.set(await removeRule(prefix));
    const title = rules.removeTitle(prefix);
    if (await confirm({ title, text: rules.removeText, action: rules.remove, run })) toast(rules.removed);
  };
  const createButton = useCreate('rules', mayChange, { label: rules.create, run: () => edit() });
  return (
    <>
      {isRestricted && <p class="note">{rules.restricted}</p>}
      <Loaded resource={resource}>
        {() =>
          all.length === 0 ? (
            <Empty icon="rules" title={rules.emptyTitle}>
              <p>{rules.empty}</p>
              {createButton()}
            </Empty>
          ) : (
            <>
              <div class="rule-head">
                <p class="hint">{rules.order}</p>
                {createButton('first')}
              </div>
              <ul class="rule-list">
                {all.map((rule) => (
                  <RuleCard
                    key={rule.prefix}
                    rule={rule}
                    others={all}
                    {...(mayChange && { onEdit: () => void edit(rule), onRemove: () => void remove(rule) })}
                  />
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </>
  );
}

function RuleCard({
  rule,
  others,
  onEdit,
  onRemove,
}: {
  readonly rule: Rule;
  readonly others: readonly Rule[];
  readonly onEdit?: () => void;
  readonly onRemove?: () => void;
}) {
  const { rules } = messages();
  const above = ruleFor(
    others.filter(({ prefix }) => prefix !== rule.prefix),
    rule.prefix,
  );
  const summary = summaryOf(rule, rules);
  return (
    <li class="card rule">
      <div class="rule-body">
        <h2>
          <bdi>{rule.prefix}</bdi>
        </h2>
        <p class="rule-summary">
          {summary.map((text) => (
            <span key={text} class="badge">
              {text}
            </span>
          ))}
          {summary.length === 0 && <span class="quiet">{rules.nothingSet}</span>}
        </p>
        {above && <p class="hint">{rules.within(above.prefix)}</p>}
        {rule.active_from !== undefined && Date.parse(rule.active_from) > Date.now() && (
          <p class="hint">
            {rules.activeFrom} <Time at={rule.active_from} />
          </p>
        )}
      </div>
      {onEdit && onRemove && (
        <div class="actions">
          <IconButton icon="edit" label={rules.editOf(rule.prefix)} onClick={onEdit} />
          <IconButton icon="trash" label={rules.removeOf(rule.prefix)} onClick={onRemove} />
        </div>
      )}
    </li>
  );
}
