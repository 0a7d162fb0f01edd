import { useState } from 'preact/hooks';

import { type Rule, type Settings } from '#dist/modules/client/index.js';

import { ApiError } from '../../app/api-error.ts';
import { messages } from '../../app/messages.ts';
import { folderPattern } from '../../files/object-id.ts';
import { Choice, Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { formInputs } from '../../ui/form-inputs.ts';
import { ErrorCode, errorText, Problem } from '../../ui/problem.tsx';
import { SizeField } from '../../ui/size-field.tsx';
import { fieldOfCode, formOf, ruleOf, type RuleForm } from './rule-form.ts';
import { RulePreview } from './rule-preview.tsx';
import { RuleTaken, saveRule } from './save-rules.ts';

type Problems = Readonly<Partial<Record<keyof RuleForm, string>>>;

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
  const { rules, common } = messages();
  const [form, setForm] = useState<RuleForm>(() => formOf(rule));
  const [problems, setProblems] = useState<Problems>({});
  const change = (next: RuleForm) => {
    setForm(next);
    setProblems({});
  };
  const { typed } = formInputs(form, change);
  const run = async () => {
    try {
      close(await saveRule(ruleOf(form), rule?.prefix));
    } catch (error) {
      if (error instanceof RuleTaken) return setProblems({ prefix: rules.taken });
      const field = fieldOf(error, `${form.prefix.replace(/\/$/, '')}/`);
      if (field === undefined) throw error;
      setProblems({ [field]: errorText(error) });
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
        {...typed('prefix')}
      />
      <RulePreview
        prefix={form.prefix}
        others={others.map(({ prefix }) => prefix).filter((prefix) => prefix !== rule?.prefix)}
        deleteAfterDays={form.deleteAfter === '' ? undefined : Number(form.deleteAfter)}
        isPrivate={form.visibility === 'yes'}
        isNew={!rule}
      />
      <NewFileFields form={form} problems={problems} onChange={change} />
      <LimitFields form={form} problems={problems} onChange={change} />
      <LifeFields form={form} problems={problems} onChange={change} />
    </FormDialog>
  );
}

/** Returns the field that an error is about, if it is about the rule of this prefix. */
function fieldOf(error: unknown, prefix: string): keyof RuleForm | undefined {
  return error instanceof ApiError && (error.prefix ?? prefix) === prefix ? fieldOfCode[error.code] : undefined;
}

/** An error of the whole list. It names the rule that it is about. */
function RuleProblem({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiError) || error.prefix === undefined) return <Problem error={error} />;
  // The server's message names the option that the plan does not include.
  const text = error.code === 'UPGRADE_REQUIRED' ? error.message : errorText(error);
  return (
    <div class="problem" role="alert">
      <p>
        {messages().rules.errorIn(error.prefix)} {text} <ErrorCode code={error.code} />
      </p>
    </div>
  );
}

interface PartProps {
  readonly form: RuleForm;
  readonly problems: Problems;
  readonly onChange: (form: RuleForm) => void;
}

/** What new files get that say nothing else. */
function NewFileFields({ form, problems, onChange }: PartProps) {
  const { rules } = messages();
  const { typed, chosen } = formInputs(form, onChange);
  return (
    <>
      <h3>{rules.forNew}</h3>
      <div class="pair">
        <Choice
          label={rules.private}
          problem={problems.visibility}
          options={(['none', 'yes', 'no'] as const).map((one) => [one, rules.privates[one]])}
          {...chosen('visibility')}
        />
        <Field
          label={rules.expire}
          hint={rules.expireHint}
          problem={problems.expire}
          dir="ltr"
          pattern="\s*[1-9][0-9]{0,5}[dh]?\s*"
          title={rules.expireProblem}
          {...typed('expire')}
        />
        <Choice
          label={rules.cache}
          problem={problems.cache}
          options={(['none', 'immutable', 'max-age', 'no-cache'] as const).map((one) => [one, rules.caches[one]])}
          {...chosen('cache')}
        />
        {form.cache === 'max-age' && (
          <Field label={rules.seconds} type="number" required min={60} max={31_536_000} {...typed('cacheSeconds')} />
        )}
      </div>
    </>
  );
}

function LimitFields({ form, problems, onChange }: PartProps) {
  const { rules } = messages();
  const { typed } = formInputs(form, onChange);
  return (
    <>
      <h3>{rules.limits}</h3>
      <p class="hint rule-hint">{rules.limitHint}</p>
      <div class="pair">
        <SizeField label={rules.maxSize} problem={problems.maxSize} {...typed('maxSize')} />
        <Field
          label={rules.extensions}
          hint={rules.extensionsHint}
          problem={problems.extensions}
          dir="ltr"
          {...typed('extensions')}
        />
      </div>
    </>
  );
}

/** How long files and their earlier versions live. */
function LifeFields({ form, problems, onChange }: PartProps) {
  const { rules } = messages();
  const { typed } = formInputs(form, onChange);
  return (
    <>
      <h3>{rules.life}</h3>
      <div class="pair">
        <Field
          label={rules.deleteAfter}
          hint={rules.deleteAfterHint}
          problem={problems.deleteAfter}
          type="number"
          min={1}
          max={3650}
          {...typed('deleteAfter')}
        />
        <Field
          label={rules.keepDeleted}
          hint={rules.keepDeletedHint}
          problem={problems.keepDeleted}
          type="number"
          min={1}
          max={365}
          required={form.keepVersions !== ''}
          {...typed('keepDeleted')}
        />
        <Field
          label={rules.keepVersions}
          hint={rules.keepVersionsHint}
          problem={problems.keepVersions}
          type="number"
          min={1}
          max={1000}
          {...typed('keepVersions')}
        />
      </div>
    </>
  );
}
