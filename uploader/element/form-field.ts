/** Where there is no DOM the module can be imported all the same. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/** Why a form must not be sent yet, in the browser's terms and in words. */
export interface FieldProblem {
  readonly flags: ValidityStateFlags;
  readonly words: string;
  /** What the browser points to. */
  readonly anchor: HTMLElement;
}

/** An element that is a field of a form, with what the fields of the platform have. */
export class FormField extends Base {
  static readonly formAssociated = true;
  // Browsers before 2023 have none, and then there is no form to take part in.
  readonly #internals: Partial<ElementInternals> =
    typeof this.attachInternals === 'function' ? this.attachInternals() : {};

  get form(): HTMLFormElement | null {
    return this.#internals.form ?? null;
  }

  get name(): string {
    return this.getAttribute('name') ?? '';
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

  /** Tells the form one entry of the element's name for each value, and what keeps it from being sent. */
  protected tellForm(values: readonly string[], problem: FieldProblem | undefined): void {
    const data = this.name && values.length > 0 ? new FormData() : null;
    for (const value of values) data?.append(this.name, value);
    this.#internals.setFormValue?.(data);
    this.#internals.setValidity?.(problem?.flags ?? {}, problem?.words, problem?.anchor);
  }
}
