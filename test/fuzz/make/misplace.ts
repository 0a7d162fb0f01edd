import type { Draft } from '../draft.ts';
import type { World } from '../world.ts';

/** Puts an id, a token or a cursor where it does not belong, perhaps one of another account. */
export function misplace(draft: Draft, world: World): string | undefined {
  const { random } = world;
  const pool = random.pick([...world.members.map((member) => member.pool), world.shared]);
  const value = pool.any(random);
  if (value === undefined) return undefined;
  const names = [...draft.query.map(([name]) => `?${name}`), ...Object.keys(draft.pathValues)];
  if (draft.body?.kind === 'json' && random.chance(0.5)) {
    const fields = Object.entries((draft.body.value ?? {}) as object).filter(([, field]) => typeof field === 'string');
    if (fields.length === 0) return undefined;
    const [field] = random.pick(fields);
    draft.body = { kind: 'json', value: { ...(draft.body.value as object), [field]: value } };
    return field;
  }
  if (names.length === 0) return undefined;
  const name = random.pick(names);
  if (name.startsWith('?')) draft.query = draft.query.map((own) => (own[0] === name.slice(1) ? [own[0], value] : own));
  else draft.pathValues = { ...draft.pathValues, [name]: value };
  return name;
}
