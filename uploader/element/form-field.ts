import { setText } from './attributes.ts';

/** Lets the module be imported without a DOM. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/** The reason why the form is not valid, as flags for the browser and as text. */
interface FieldProblem {
  readonly flags: ValidityStateFlags;
  readonly text: string;
  /** The element that the browser's message points to. */
  readonly anchor: HTMLElement;
}

/** A form field with the members of the platform's own fields. */
export class FormField extends Base {
  static readonly formAssociated = true;
  // Some browsers before 2023 lack it. The element then takes no part in forms.
  readonly #internals: Partial<ElementInternals> =
    typeof this.attachInternals === 'function' ? this.attachInternals() : {};

  get form(): HTMLFormElement | null {
    return this.#internals.form ?? null;
  }

  /** The id of a form. */
  set form(id: string | null | undefined) {
    setText(this, 'form', id);
  }

  get name(): string {
    return this.getAttribute('name') ?? '';
  }

  set name(name: string | null | undefined) {
    setText(this, 'name', name);
  }

  get type(): string {
    return this.localName;
  }

  get validity(): ValidityState | undefined {
    return this.#internals.validity;
  }

  get validationMessage(): string {
    return this.#internals.validationMessage ?? '';
  }

  checkValidity(): boolean {
    return this.#internals.checkValidity?.() ?? true;
  }

  reportValidity(): boolean {
    return this.#internals.reportValidity?.() ?? true;
  }

  /** Sets one form entry for each value, and the problem that makes the form invalid. */
  protected tellForm(values: readonly string[], problem: FieldProblem | undefined): void {
    const data = this.name && values.length > 0 ? new FormData() : null;
    for (const value of values) data?.append(this.name, value);
    this.#internals.setFormValue?.(data);
    this.#internals.setValidity?.(problem?.flags ?? {}, problem?.text, problem?.anchor);
  }
}
