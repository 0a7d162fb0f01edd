import { useState } from 'preact/hooks';

import { type Rule, type Settings } from '#dist/modules/client/index.js';

import { ApiError } from '../../app/api-error.ts';
import { words } from '../../app/words.ts';
import { folderPattern } from '../../objects/object-id.ts';
import { Choice, Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ErrorCode, errorWords, Problem } from '../../ui/problem.tsx';
import { SizeField } from '../../ui/size-field.tsx';
import { fieldOfCode, formOf, ruleOf, type RuleForm } from './rule-form.ts';
import { RulePreview } from './rule-preview.tsx';
import { RuleTaken, saveRule } from './save-rules.ts';

/** Makes or changes a rule, and shows which files it touches before it is saved. */
export function RuleDialog({
  rule,
  others,
  close,
}: {
  readonly rule?: Rule;
  readonly others: readonly Rule[];
  readonly close: (saved?: Settings) => void;
}) {
  const { rules, common } = words();
  const [form, setForm] = useState<RuleForm>(() => formOf(rule));
  const [problems, setProblems] = useState<Readonly<Partial<Record<keyof RuleForm, string>>>>({});
  const set = (change: Partial<RuleForm>) => {
    setForm({ ...form, ...change });
    setProblems({});
  };
  const typed = (key: keyof RuleForm) => (event: { currentTarget: { value: string } }) =>
    set({ [key]: event.currentTarget.value });
  const own = `${form.prefix.replace(/\/$/, '')}/`;
  const run = async () => {
    try {
      close(await saveRule(ruleOf(form), rule?.prefix));
    } catch (error) {
      if (error instanceof RuleTaken) return setProblems({ prefix: rules.taken });
      const isOwn = error instanceof ApiError && (error.prefix ?? own) === own;
      const field = isOwn ? fieldOfCode[error.code] : undefined;
      if (field === undefined) throw error;
      setProblems({ [field]: errorWords(error) });
    }
  };
  return (
    <FormDialog
      title={rule ? rules.changeTitle(rule.prefix) : rules.createTitle}
      action={common.save}
      isWide
      run={run}
      onClose={() => close()}
      problemOf={(error) => <RuleProblem error={error} />}
    >
      <Field
        label={rules.prefix}
        hint={rules.prefixHint}
        problem={problems.prefix}
        required
        autofocus={!rule}
        dir="ltr"
        maxLength={256}
        pattern={folderPattern}
        title={rules.prefixHint}
        value={form.prefix}
        onInput={typed('prefix')}
      />
      <RulePreview
        prefix={form.prefix}
        others={others.map(({ prefix }) => prefix).filter((prefix) => prefix !== rule?.prefix)}
        deleteAfterDays={form.deleteAfter === '' ? undefined : Number(form.deleteAfter)}
        isNew={!rule}
      />
      <h3>{rules.forNew}</h3>
      <div class="pair">
        <Choice<RuleForm['visibility']>
          label={rules.private}
          problem={problems.visibility}
          value={form.visibility}
          options={[
            ['none', rules.privates.none],
            ['yes', rules.privates.yes],
            ['no', rules.privates.no],
          ]}
          onChoose={(visibility) => set({ visibility })}
        />
        <Field
          label={rules.expire}
          hint={rules.expireHint}
          problem={problems.expire}
          dir="ltr"
          pattern="\s*[1-9][0-9]{0,5}[dh]?\s*"
          title={rules.expireProblem}
          value={form.expire}
          onInput={typed('expire')}
        />
        <Choice<RuleForm['cache']>
          label={rules.cache}
          problem={problems.cache}
          value={form.cache}
          options={(['none', 'immutable', 'max-age', 'no-cache'] as const).map((one) => [one, rules.caches[one]])}
          onChoose={(cache) => set({ cache })}
        />
        {form.cache === 'max-age' && (
          <Field
            label={rules.seconds}
            type="number"
            required
            min={60}
            max={31_536_000}
            value={form.cacheSeconds}
            onInput={typed('cacheSeconds')}
          />
        )}
      </div>
      <h3>{rules.limits}</h3>
      <p class="hint rule-hint">{rules.limitHint}</p>
      <div class="pair">
        <SizeField
          label={rules.maxSize}
          problem={problems.maxSize}
          value={form.maxSize}
          onChange={(maxSize) => set({ maxSize })}
        />
        <Field
          label={rules.extensions}
          hint={rules.extensionsHint}
          problem={problems.extensions}
          dir="ltr"
          value={form.extensions}
          onInput={typed('extensions')}
        />
      </div>
      <h3>{rules.life}</h3>
      <div class="pair">
        <Field
          label={rules.deleteAfter}
          hint={rules.deleteAfterHint}
          problem={problems.deleteAfter}
          type="number"
          min={1}
          max={3650}
          value={form.deleteAfter}
          onInput={typed('deleteAfter')}
        />
        <Field
          label={rules.keepDeleted}
          hint={rules.keepDeletedHint}
          problem={problems.keepDeleted}
          type="number"
          min={1}
          max={365}
          required={form.keepVersions !== ''}
          value={form.keepDeleted}
          onInput={typed('keepDeleted')}
        />
        <Field
          label={rules.keepVersions}
          hint={rules.keepVersionsHint}
          problem={problems.keepVersions}
          type="number"
          min={1}
          max={1000}
          value={form.keepVersions}
          onInput={typed('keepVersions')}
        />
      </div>
    </FormDialog>
  );
}

/** An error of the whole list. It names the rule that it is about. */
export function RuleProblem({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiError) || error.prefix === undefined) return <Problem error={error} />;
  // The server's message names the option that the plan does not include.
  const text = error.code === 'UPGRADE_REQUIRED' ? error.message : errorWords(error);
  return (
    <div class="problem" role="alert">
      <p>
        {words().rules.errorIn(error.prefix)} {text} <ErrorCode code={error.code} />
      </p>
    </div>
  );
}
