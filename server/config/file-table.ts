import { quoted } from './values.ts';

/** What a text in a file may be. */
export interface TextRule {
  /** The allowed values, for people. */
  readonly mustBe: string;
  readonly isAllowed: (value: string) => boolean;
  /** Whether a problem may repeat the value. It may be a secret otherwise. */
  readonly isShown?: boolean;
}

/** What a number in a file may be. */
interface NumberRange {
  readonly least: number;
  readonly most: number;
  readonly decimals?: number;
}

/** Reads the fields of one table of a configuration file. Collects what is wrong with them, each with its place. */
export class FileTable {
  /** Such as `models[0]`; empty for the file itself. */
  readonly place: string;
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #problems: string[];

  constructor(fields: Readonly<Record<string, unknown>>, problems: string[], place = '') {
    this.place = place;
    this.#fields = fields;
    this.#problems = problems;
  }

  /** Returns the place of a field, such as `models[0].name`. */
  placeOf(name: string): string {
    return this.place === '' ? name : `${this.place}.${name}`;
  }

  /** Notes a problem of a field. The text is printed and logged, so it must not contain a secret. */
  refuse(name: string, problem: string): void {
    this.#problems.push(`${this.placeOf(name)} ${problem}`);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#fields, name);
  }

  /** Returns a text, or undefined if it is missing or not allowed. */
  text(name: string, rule: TextRule): string | undefined {
    return this.has(name) ? this.#checked(name, this.#fields[name], rule) : undefined;
  }

  /** Returns a text that must be there. */
  requiredText(name: string, rule: TextRule): string | undefined {
    if (this.has(name)) return this.text(name, rule);
    this.refuse(name, `is missing. It must be ${rule.mustBe}.`);
    return undefined;
  }

  /** Returns the allowed texts of a list, with their places. */
  texts(name: string, most: number, rule: TextRule): Array<{ readonly value: string; readonly place: string }> {
    return this.#list(name, most, `a list of texts, each ${rule.mustBe}`).flatMap((entry, index) => {
      const value = this.#checked(`${name}[${index}]`, entry, rule);
      return value === undefined ? [] : [{ value, place: this.placeOf(`${name}[${index}]`) }];
    });
  }

  /** Returns a whole number from 1. */
  wholeNumber(name: string, standard: number, most: number): number {
    if (!this.has(name)) return standard;
    const value = this.#fields[name];
    if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most) return value as number;
    this.refuse(name, `must be a whole number from 1 to ${most}. Got ${kindOf(value)}.`);
    return standard;
  }

  /** Returns a number of a range, or null if it is missing or not allowed. By default it is a whole number. */
  numberOrNull(name: string, { least, most, decimals = 0 }: NumberRange): number | null {
    if (!this.has(name)) return null;
    const value = this.#fields[name];
    const isNumber = typeof value === 'number' && value >= least && value <= most;
    if (isNumber && Number(value.toFixed(decimals)) === value) return value;
    const mustBe = decimals === 0 ? 'a whole number' : 'a number';
    const form = decimals === 0 ? '' : ` with at most ${decimals} decimals`;
    this.refuse(name, `must be ${mustBe} from ${least} to ${most}${form}. Got ${kindOf(value)}.`);
    return null;
  }

  /** Returns a table within this one, or undefined if it is missing or not one. */
  table(name: string): FileTable | undefined {
    if (!this.has(name)) return undefined;
    const value = this.#fields[name];
    if (isTable(value)) return new FileTable(value, this.#problems, this.placeOf(name));
    this.refuse(name, `must be a table. Got ${kindOf(value)}.`);
    return undefined;
  }

  /** Returns the tables of a list that must have at least one. */
  tables(name: string, most: number): FileTable[] {
    const entries = this.#list(name, most, 'a list of tables');
    if (!this.has(name)) this.refuse(name, `is missing. There must be at least one.`);
    else if (entries.length === 0 && Array.isArray(this.#fields[name]))
      this.refuse(name, 'must have at least one entry.');
    return entries.flatMap((entry, index) => {
      if (isTable(entry)) return [new FileTable(entry, this.#problems, this.placeOf(`${name}[${index}]`))];
      this.refuse(`${name}[${index}]`, `must be a table. Got ${kindOf(entry)}.`);
      return [];
    });
  }

  /** Notes the fields that are not known. Their values are not shown, because they may be secrets. */
  refuseOthers(known: readonly string[], advice: Readonly<Record<string, string>> = {}): void {
    for (const name of Object.keys(this.#fields)) {
      if (known.includes(name)) continue;
      const problem = Object.hasOwn(advice, name)
        ? advice[name]!
        : `is not known here. The fields are ${known.join(', ')}.`;
      this.refuse(shortName(name), problem);
    }
  }

  #checked(name: string, value: unknown, { mustBe, isAllowed, isShown = false }: TextRule): string | undefined {
    if (typeof value === 'string' && isAllowed(value)) return value;
    if (typeof value !== 'string') this.refuse(name, `must be ${mustBe}. Got ${kindOf(value)}.`);
    else this.refuse(name, isShown ? `is ${quoted(value)}, but must be ${mustBe}.` : `must be ${mustBe}.`);
    return undefined;
  }

  #list(name: string, most: number, mustBe: string): readonly unknown[] {
    if (!this.has(name)) return [];
    const value = this.#fields[name];
    if (!Array.isArray(value)) {
      this.refuse(name, `must be ${mustBe}. Got ${kindOf(value)}.`);
      return [];
    }
    if (value.length <= most) return value;
    this.refuse(name, `has ${value.length} entries, but may have at most ${most}.`);
    return value.slice(0, most);
  }
}

export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** A name that is not a plain word is shown as TOML would write it, on one line. */
function shortName(name: string): string {
  return /^[\w-]{1,64}$/.test(name) ? name : quoted(name);
}

function kindOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return String(value);
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a text';
  return value instanceof Date ? 'a date' : 'a table';
}
