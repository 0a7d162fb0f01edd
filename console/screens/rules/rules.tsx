import './rules.css';

import { isOn } from '../../app/config.ts';
import { href, navigate } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { messages } from '../../app/messages.ts';
import { Screen } from '../../ui/screen.tsx';
import { Segments } from '../../ui/segments.tsx';
import { RuleList } from './rule-list.tsx';
import { TokenPart } from '../upload-tokens/token-part.tsx';

/** The rules by folder, and with `?part=tokens` the upload tokens. */
export default function Rules({ query }: ScreenProps) {
  const { rules, screens } = messages();
  const hasRules = isOn('settings');
  const part = query.get('part') === 'tokens' || !hasRules ? 'tokens' : 'rules';
  return (
    <Screen title={screens.rules} lead={rules.lead}>
      <div class="filters">
        <Segments<'rules' | 'tokens'>
          label={rules.part}
          value={part}
          options={[...(hasRules ? ([['rules', rules.parts.rules]] as const) : []), ['tokens', rules.parts.tokens]]}
          onChoose={(next) => navigate(href(['rules'], { part: next === 'tokens' ? next : undefined }))}
        />
      </div>
      {part === 'rules' ? <RuleList /> : <TokenPart />}
    </Screen>
  );
}
